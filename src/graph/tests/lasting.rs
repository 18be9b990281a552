//! What a long show, a save or a panic must not leave behind.

use super::*;
use crate::formula;
use crate::graph::marks::Flags;

/// Fails where an evaluation that is over has left something open.
#[track_caller]
fn assert_at_rest(graph: &Graph) {
    assert!(graph.context.is_root() && graph.seen.is_empty() && graph.depth == 0);
    let is_running = |id: NodeId| graph.marks.of(id).has(Flags::RUNNING);
    assert!(!graph.nodes.keys().any(is_running));
}

#[test]
fn a_failing_node_gives_what_it_gave_in_its_own_scope() {
    let mut b = Bench::new();
    let x = b.node("variable", &[(1, number(-1.0))]);
    let exponent = b.node("variable", &[(0, text("y")), (1, number(1.0))]);
    let pow = b.node(
        "num.pow",
        &[(0, Source::Node(x)), (1, Source::Node(exponent))],
    );
    let scopes: Vec<NodeId> = (2..8)
        .map(|n| {
            b.node(
                "with_variable",
                &[(0, Source::Node(pow)), (2, number(n.into()))],
            )
        })
        .collect();
    for scope in &scopes {
        b.eval(*scope);
    }
    b.at(1.0);
    b.graph
        .set_root(&Key::Variable("y".into()), Some(Value::Number(1e6)));
    // In another order than before, so that the places of the results don't come around as they did.
    for at in [5, 3, 4, 0, 1, 2] {
        assert_eq!(b.eval(scopes[at]), Value::Number(at as f64 + 2.0));
        assert!(b.graph.error(pow).is_some());
    }
}

#[test]
fn keys_that_stand_still_forget_the_nodes_that_are_gone() {
    let mut b = Bench::new();
    for _ in 0..100 {
        let width = b.node("width", &[]);
        let damp = b.node("num.damp", &[(0, Source::Node(width))]);
        b.eval(damp);
        b.graph.keep_only([]);
    }
    let size = b.graph.context.id(&Key::Resolution);
    for key in [size, crate::graph::context::KeyId::SCOPES] {
        assert!(b.graph.context.readers(key).is_empty(), "{key:?}");
    }
}

#[test]
fn two_nodes_that_replace_one_keep_apart_the_state_below_them() {
    let mut b = Bench::new();
    let version = |b: &mut Bench, offsets: &[f64]| {
        let time = b.node("time", &[]);
        let damp = b.node("num.damp", &[(0, Source::Node(time)), (1, number(0.1))]);
        let mut at = |offset: &f64| {
            b.node(
                "with_time",
                &[(0, Source::Node(damp)), (1, number(*offset))],
            )
        };
        offsets.iter().map(&mut at).collect::<Vec<_>>()
    };
    let old = version(&mut b, &[5.0])[0];
    b.eval(old);
    let new = version(&mut b, &[5.0, 100.0]);
    b.graph.adopt([(new[0], old), (new[1], old)]);
    b.at(1.0);
    let (near, far) = (b.eval(new[0]), b.eval(new[1]));
    assert_ne!(near, far);
    assert_eq!(far, Value::Number(101.0));
}

fn text(text: &str) -> Source {
    Source::Constant(Value::Text(text.into()))
}

#[test]
fn chance_stays_as_it_is_when_what_reads_it_changes() {
    let mut b = Bench::new();
    let chance = b.node("chance.random", &[]);
    let left = b.node("num.add", &[(0, Source::Node(chance))]);
    let right = b.node("num.mul", &[(0, Source::Node(chance)), (1, number(1.0))]);
    b.eval(left);
    let before = b.eval(right);
    b.graph.keep_only([right]);
    b.at(1.0);
    assert_eq!(b.eval(right), before);
    // The next version has something in between.
    let chance = b.node("chance.random", &[]);
    let between = b.node("num.add", &[(0, Source::Node(chance))]);
    let new = b.node("num.mul", &[(0, Source::Node(between)), (1, number(1.0))]);
    b.eval(new);
    b.graph.adopt([(new, right)]);
    b.at(2.0);
    assert_eq!(b.eval(new), before);
}

#[test]
fn an_operator_that_panics_in_a_scope_leaves_nothing_behind() {
    let mut b = Bench::new();
    let spec = |name: &str, update: crate::graph::Call| {
        Rc::new(Spec {
            name: name.into(),
            category: String::new(),
            doc: String::new(),
            inputs: b.spec("num.add").inputs.clone(),
            output: Kind::Number,
            is_stepped: false,
            make: crate::graph::Make::Plain(update),
        })
    };
    let falls = spec("falls", |cx| {
        let time = cx.pull(0)?;
        cx.with(&[(Key::Time, Value::Number(9.0))], |cx| {
            let there = cx.pull(0)?;
            match time {
                Value::Number(now) if now < 2.0 => Ok(there),
                _ => panic!("as it should"),
            }
        })
    });
    let time = b.node("time", &[]);
    let falls = b.graph.add(&falls);
    b.graph.set(falls, 0, Source::Node(time)).unwrap();
    let top = b.node("num.add", &[(0, Source::Node(falls)), (1, number(1.0))]);
    let late = b.node("with_time", &[(0, Source::Node(top)), (1, number(1.5))]);
    for (at, failed) in [(0.0, 0), (2.0, 1), (1.0, 0), (3.0, 1)] {
        b.at(at);
        assert_eq!(b.eval(top), Value::Number(10.0));
        assert_eq!(b.graph.failures([top]).len(), failed);
        b.eval(late);
        assert_eq!(b.graph.root(&Key::Time), Some(&Value::Number(at)));
        assert_at_rest(&b.graph);
    }
}

formula! {
    /// What it is given, but a panic above 100.
    Fragile "test.fragile" -> f64 {
        /// The number.
        value: f64 = 0.0;
    } = if value > 100.0 { std::panic::resume_unwind(Box::new("above 100")) } else { value }
}

#[test]
fn a_formula_that_panics_fails_by_itself_wherever_it_is() {
    let mut b = Bench::new();
    b.graph.log = None;
    let time = b.node("time", &[]);
    let fragile = b.node("test.fragile", &[(0, Source::Node(time))]);
    let above = b.node("num.add", &[(0, Source::Node(fragile)), (1, number(1.0))]);
    let damp = b.node("num.damp", &[(0, Source::Node(above)), (1, number(0.0))]);
    let read = b.node(
        "num.mul",
        &[(0, Source::Node(damp)), (1, Source::Node(time))],
    );
    let late = b.node("with_time", &[(0, Source::Node(above)), (1, number(60.0))]);
    let top = b.node(
        "num.add",
        &[(0, Source::Node(read)), (1, Source::Node(late))],
    );
    // The time, what is read at it, and what is read a minute later, which falls first.
    for (at, now, later) in [
        (10.0, 11.0, 71.0),
        (50.0, 51.0, 71.0),
        (150.0, 51.0, 71.0),
        (20.0, 21.0, 81.0),
    ] {
        b.at(at);
        assert_eq!(b.eval(top), Value::Number(now * at + later), "at {at}");
        let failed: &[NodeId] = if at + 60.0 > 100.0 { &[fragile] } else { &[] };
        assert_eq!(b.graph.failures([top]), failed, "at {at}");
        assert_eq!(b.graph.root(&Key::Time), Some(&Value::Number(at)));
        assert_at_rest(&b.graph);
    }
}
