//! What runs when: each test reads the log of operators that ran.
#![allow(clippy::unwrap_used, reason = "a failing test should panic")]
#![allow(
    unreachable_pub,
    reason = "operators of tests are declared as others are"
)]

use std::rc::Rc;

use super::{Graph, GraphError, Key, Library, Mode, NodeId, Source, Spec, Trigger};
use crate::formula;
use crate::value::{Kind, Value};

/// How many random graphs are played.
const GRAPHS: u64 = 2000;

struct Bench {
    graph: Graph,
    library: Library,
    frame: u64,
}

impl Bench {
    fn new() -> Self {
        let mut bench = Self {
            graph: Graph::default(),
            library: Library::built_in(),
            frame: 0,
        };
        bench.graph.take_log();
        bench.at(0.0);
        bench
    }

    /// Starts the next frame, at that time.
    fn at(&mut self, time: f64) {
        self.frame += 1;
        self.graph.begin_frame(self.frame);
        self.graph.set_root(&Key::Time, Some(Value::Number(time)));
        self.graph
            .set_root(&Key::Beat, Some(Value::Number(time * 2.0)));
    }

    fn spec(&self, name: &str) -> Rc<Spec> {
        self.library.get(name).unwrap().clone()
    }

    fn node(&mut self, name: &str, inputs: &[(usize, Source)]) -> NodeId {
        let node = self.graph.add(&self.spec(name));
        for (input, source) in inputs {
            self.graph.set(node, *input, source.clone()).unwrap();
        }
        node
    }

    fn eval(&mut self, node: NodeId) -> Value {
        self.graph.eval(node).unwrap()
    }

    fn ran(&mut self) -> Vec<String> {
        self.graph.take_log()
    }
}

fn number(n: f64) -> Source {
    Source::Constant(Value::Number(n))
}

#[test]
fn a_clean_frame_runs_nothing() {
    let mut b = Bench::new();
    let sum = b.node("num.add", &[(0, number(1.0)), (1, number(2.0))]);
    let top = b.node("num.mul", &[(0, Source::Node(sum)), (1, number(4.0))]);
    assert_eq!(b.eval(top), Value::Number(12.0));
    assert_eq!(b.ran(), ["num.mul", "num.add"]);
    b.at(5.0);
    assert_eq!(b.eval(top), Value::Number(12.0));
    assert_eq!(b.ran(), [""; 0]);
}

#[test]
fn time_makes_only_its_readers_stale() {
    let mut b = Bench::new();
    let still = b.node("num.add", &[(0, number(1.0))]);
    let time = b.node("time", &[]);
    let top = b.node(
        "num.mul",
        &[(0, Source::Node(time)), (1, Source::Node(still))],
    );
    b.eval(top);
    b.ran();
    b.at(3.0);
    assert_eq!(b.eval(top), Value::Number(3.0));
    assert_eq!(b.ran(), ["time", "num.mul"]);
}

#[test]
fn an_equal_result_stops_what_lies_downstream_from_running() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let floor = b.node("num.floor", &[(0, Source::Node(time))]);
    let top = b.node("num.add", &[(0, Source::Node(floor)), (1, number(1.0))]);
    b.at(1.25);
    b.eval(top);
    b.ran();
    b.at(1.75);
    assert_eq!(b.eval(top), Value::Number(2.0));
    assert_eq!(b.ran(), ["time", "num.floor"]);
}

#[test]
fn an_edit_marks_what_depends_on_it_and_nothing_else() {
    let mut b = Bench::new();
    let left = b.node("num.add", &[(0, number(1.0))]);
    let right = b.node("num.add", &[(0, number(2.0))]);
    let top = b.node(
        "num.mul",
        &[(0, Source::Node(left)), (1, Source::Node(right))],
    );
    b.eval(top);
    b.ran();
    b.graph.set(left, 0, number(5.0)).unwrap();
    assert_eq!(b.eval(top), Value::Number(10.0));
    assert_eq!(b.ran(), ["num.add", "num.mul"]);
    b.graph.set(left, 0, number(5.0)).unwrap();
    b.eval(top);
    assert_eq!(b.ran(), [""; 0]);
}

#[test]
fn a_node_under_two_times_gives_two_values() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let double = b.node("num.mul", &[(0, Source::Node(time)), (1, number(2.0))]);
    let early = b.node(
        "with_time",
        &[(0, Source::Node(double)), (1, number(100.0))],
    );
    let late = b.node(
        "with_time",
        &[(0, Source::Node(double)), (1, number(200.0))],
    );
    b.at(1.0);
    for _ in 0..2 {
        assert_eq!(b.eval(early), Value::Number(202.0));
        assert_eq!(b.eval(late), Value::Number(402.0));
        assert_eq!(b.eval(double), Value::Number(2.0));
    }
    assert_eq!(b.ran().iter().filter(|name| *name == "time").count(), 3);
}

#[test]
fn a_static_subgraph_under_sixteen_times_runs_once() {
    let mut b = Bench::new();
    let still = b.node("num.add", &[(0, number(1.0)), (1, number(2.0))]);
    for offset in 0..16 {
        let wrapped = b.node(
            "with_time",
            &[(0, Source::Node(still)), (1, number(offset.into()))],
        );
        assert_eq!(b.eval(wrapped), Value::Number(3.0));
    }
    assert_eq!(b.ran().iter().filter(|name| *name == "num.add").count(), 1);
}

#[test]
fn a_variable_reads_as_each_scope_set_it_and_is_put_back() {
    let mut b = Bench::new();
    let x = b.node("variable", &[(1, number(-1.0))]);
    let scopes: Vec<NodeId> = (0..3)
        .map(|n| {
            b.node(
                "with_variable",
                &[(0, Source::Node(x)), (2, number(n.into()))],
            )
        })
        .collect();
    let got: Vec<Value> = scopes.iter().map(|scope| b.eval(*scope)).collect();
    assert_eq!(
        got,
        [Value::Number(0.0), Value::Number(1.0), Value::Number(2.0)]
    );
    assert_eq!(b.eval(x), Value::Number(-1.0));
    assert_eq!(b.graph.root(&Key::Variable("x".into())), None);
}

#[test]
fn the_outer_clock_makes_nothing_below_a_fixed_time_stale() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let top = b.node("with_time", &[(0, Source::Node(time)), (5, number(10.0))]);
    b.eval(top);
    b.ran();
    b.at(7.0);
    assert_eq!(b.eval(top), Value::Number(10.0));
    assert_eq!(b.ran(), [""; 0]);
}

#[test]
fn state_steps_once_a_frame_whoever_reads_it() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let damp = b.node("num.damp", &[(0, Source::Node(time)), (1, number(0.1))]);
    let left = b.node("num.add", &[(0, Source::Node(damp))]);
    let right = b.node("num.add", &[(0, Source::Node(damp)), (1, number(1.0))]);
    b.eval(left);
    b.at(0.1);
    b.ran();
    let value = b.eval(left);
    assert_eq!(value, Value::Number(0.05));
    assert_eq!(b.eval(right), Value::Number(1.05));
    assert_eq!(b.ran().iter().filter(|name| *name == "num.damp").count(), 1);
}

#[test]
fn state_under_two_times_is_two_states() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let damp = b.node("num.damp", &[(0, Source::Node(time)), (1, number(0.1))]);
    let one = b.node("with_time", &[(0, Source::Node(damp)), (3, number(1.0))]);
    let ten = b.node("with_time", &[(0, Source::Node(damp)), (3, number(0.5))]);
    b.eval(one);
    b.eval(ten);
    b.at(0.1);
    assert_eq!(b.eval(one), Value::Number(0.05));
    let Value::Number(slow) = b.eval(ten) else {
        panic!("a number")
    };
    let expected = 0.05 - 0.05 * 0.5_f64.sqrt();
    assert!((slow - expected).abs() < 1e-12, "{slow} {expected}");
}

#[test]
fn a_failing_node_keeps_its_last_good_value_and_says_why() {
    let mut b = Bench::new();
    let pow = b.node("num.pow", &[(0, number(2.0)), (1, number(3.0))]);
    let top = b.node("num.add", &[(0, Source::Node(pow)), (1, number(1.0))]);
    assert_eq!(b.eval(top), Value::Number(9.0));
    b.graph.set(pow, 1, number(1e6)).unwrap();
    assert_eq!(b.eval(top), Value::Number(9.0));
    assert_eq!(b.graph.failures([top]), [pow]);
    let (place, error) = b.graph.error(pow).unwrap();
    assert_eq!(
        (place, error.to_string().as_str()),
        (None, "num.pow: the result is not a finite number")
    );
    let error = b.graph.set(pow, 1, number(f64::NAN)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "num.pow.b: expected a finite number, got NaN"
    );
    b.graph.set(pow, 1, number(2.0)).unwrap();
    assert_eq!(b.eval(top), Value::Number(5.0));
    assert_eq!(b.graph.failures([top]), []);
}

#[test]
fn cycles_and_wrong_kinds_are_refused_and_change_nothing() {
    let mut b = Bench::new();
    let a = b.node("num.add", &[]);
    let c = b.node("num.add", &[(0, Source::Node(a))]);
    assert_eq!(
        b.graph.set(a, 0, Source::Node(c)),
        Err(GraphError::Cycle("num.add".into()))
    );
    let gt = b.node("num.gt", &[]);
    let error = b.graph.set(a, 0, Source::Node(gt)).unwrap_err();
    assert_eq!(error.to_string(), "num.add.a: expected number, got boolean");
    let error = b
        .graph
        .set(a, 0, Source::Constant(Value::Text("x".into())))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "num.add.a: expected number, got string \"x\""
    );
    assert_eq!(b.eval(c), Value::Number(0.0));
}

#[test]
fn an_unused_branch_is_not_evaluated() {
    let mut b = Bench::new();
    let yes = b.node("num.sin", &[]);
    let no = b.node("num.cos", &[]);
    let pick = b.node(
        "bool.pick",
        &[(1, Source::Node(yes)), (2, Source::Node(no))],
    );
    b.eval(pick);
    assert_eq!(b.ran(), ["bool.pick", "num.cos"]);
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_evaluates() {
    let mut b = Bench::new();
    let spec = b.spec("num.add");
    let mut last = b.node("time", &[]);
    for _ in 0..100_000 {
        let next = b.graph.add(&spec);
        b.graph.set(next, 0, Source::Node(last)).unwrap();
        b.graph.set(next, 1, number(1.0)).unwrap();
        last = next;
    }
    assert_eq!(b.eval(last), Value::Number(100_000.0));
    b.at(1.0);
    assert_eq!(b.eval(last), Value::Number(100_001.0));
}

#[test]
fn the_next_version_of_a_sketch_takes_over_state_of_what_stayed() {
    let mut b = Bench::new();
    let chain = |b: &mut Bench, extra: bool| {
        let time = b.node("time", &[]);
        let damp = b.node("num.damp", &[(0, Source::Node(time)), (1, number(0.1))]);
        let inner = if extra {
            b.node("num.abs", &[(0, Source::Node(damp))])
        } else {
            damp
        };
        (b.node("num.add", &[(0, Source::Node(inner))]), damp)
    };
    let (old, _) = chain(&mut b, false);
    b.eval(old);
    b.at(0.1);
    assert_eq!(b.eval(old), Value::Number(0.05));
    let (new, damp) = chain(&mut b, true);
    b.graph.adopt([(new, old)]);
    b.graph.keep_only([new]);
    assert_eq!(b.graph.len(), 4);
    b.at(0.2);
    assert_eq!(b.eval(new), Value::Number(0.125));
    assert!(b.graph.error(damp).is_none());
}

#[test]
fn state_that_two_outputs_share_is_handed_over_once() {
    let mut b = Bench::new();
    let version = |b: &mut Bench| {
        let time = b.node("time", &[]);
        let damp = b.node("num.damp", &[(0, Source::Node(time)), (1, number(0.1))]);
        let reader = |b: &mut Bench| b.node("num.add", &[(0, Source::Node(damp))]);
        (reader(b), reader(b))
    };
    let old = version(&mut b);
    b.eval(old.0);
    b.at(0.1);
    assert_eq!(b.eval(old.1), Value::Number(0.05));
    let new = version(&mut b);
    b.graph.adopt([(new.0, old.0), (new.1, old.1)]);
    b.at(0.2);
    assert_eq!(b.eval(new.1), Value::Number(0.125));
}

#[test]
fn methods_go_by_the_kind_they_are_called_on() {
    let library = Library::built_in();
    for kind in Kind::ALL {
        assert_eq!(library.method(kind, "with_time").unwrap().name, "with_time");
    }
    assert_eq!(
        library.method(Kind::Bool, "pick").unwrap().name,
        "bool.pick"
    );
    assert!(library.method(Kind::Image, "abs").is_none());
    assert!(library.method(Kind::Number, "cc").is_none());
    assert!(
        library
            .methods(Kind::Number)
            .keys()
            .all(|name| library.method(Kind::Number, name).is_some())
    );
    assert_eq!(library.nearest("num.claamp"), Some("num.clamp"));
    assert_eq!(library.nearest("xylophone"), None);
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
    for key in [size, super::context::KeyId::SCOPES] {
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
    let spec = |name: &str, update: super::Call| {
        Rc::new(Spec {
            name: name.into(),
            category: String::new(),
            doc: String::new(),
            inputs: b.spec("num.add").inputs.clone(),
            output: Kind::Number,
            is_stepped: false,
            make: super::Make::Plain(update),
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
        assert!(b.graph.context.is_root() && b.graph.seen.is_empty() && b.graph.depth == 0);
    }
    let running = |id: NodeId| b.graph.marks.of(id).has(super::marks::Flags::RUNNING);
    assert!(!b.graph.nodes.keys().any(running));
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
        assert!(b.graph.context.is_root() && b.graph.seen.is_empty() && b.graph.depth == 0);
        let running = |id: NodeId| b.graph.marks.of(id).has(super::marks::Flags::RUNNING);
        assert!(!b.graph.nodes.keys().any(running));
    }
}

/// Numbers that come out the same each time (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn number(&mut self) -> f64 {
        [0.0, 0.5, 1.0, 2.0, -1.0, 3.0][self.below(6)]
    }
}

/// What the graphs of [`remembering_changes_nothing_whatever_is_mixed`] are made of.
const MIXED: [&str; 15] = [
    "num.add",
    "num.mul",
    "num.floor",
    "num.motion_blur",
    "num.loop",
    "list.sum",
    "list.map",
    "num.switch",
    "variable",
    "with_variable",
    "with_time",
    "bool.pick",
    "num.gt",
    "time",
    "width",
];

fn mixed_source(graph: &Graph, nodes: &[NodeId], spec: &Spec, at: usize, c: &mut Chance) -> Source {
    let input = &spec.inputs[at];
    if !nodes.is_empty() && c.below(4) > 0 && !input.is_rate {
        let node = nodes[c.below(nodes.len())];
        let is_variable = input.is_free || input.name == "default";
        if !is_variable || graph.kind(node) == Some(Kind::Number) {
            return Source::Node(node);
        }
    }
    let one = |c: &mut Chance| match input.kind {
        Kind::Bool => Value::Bool(c.below(2) == 0),
        Kind::Text => Value::Text(["x", "y"][c.below(2)].into()),
        Kind::Choice => Value::Text("wrap".into()),
        Kind::Int => Value::Int(c.below(4) as i64),
        Kind::List => Value::List((0..c.below(3)).map(|_| c.number()).collect()),
        _ => Value::Number(c.number()),
    };
    match input.is_many {
        true => Source::Many(
            (0..=c.below(3))
                .map(|_| match nodes.is_empty() {
                    true => Source::Constant(one(c)),
                    false => Source::Node(nodes[c.below(nodes.len())]),
                })
                .collect(),
        ),
        false => Source::Constant(one(c)),
    }
}

/// Edits and moved keys between two pulls, sinks with keys of their own, loops, samples, modes, and nodes that go.
#[test]
fn remembering_changes_nothing_whatever_is_mixed() {
    let library = Library::built_in();
    let keys = [
        Key::Time,
        Key::Beat,
        Key::Resolution,
        Key::Variable("x".into()),
        Key::Variable("y".into()),
    ];
    let mut whole = 0;
    'graphs: for seed in 1..=GRAPHS {
        let c = &mut Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let (mut graph, mut fresh) = (Graph::default(), Graph::default());
        let mut nodes: Vec<NodeId> = Vec::new();
        let add =
            |graph: &mut Graph, fresh: &mut Graph, nodes: &mut Vec<NodeId>, c: &mut Chance| {
                let spec = library.get(MIXED[c.below(MIXED.len())]).unwrap();
                let node = graph.add(spec);
                assert_eq!(node, fresh.add(spec));
                for at in 0..spec.inputs.len() {
                    let source = mixed_source(graph, nodes, spec, at, c);
                    let set = graph.set(node, at, source.clone());
                    assert_eq!(set, fresh.set(node, at, source));
                }
                nodes.push(node);
            };
        for _ in 0..12 {
            add(&mut graph, &mut fresh, &mut nodes, c);
        }
        for frame in 1..=6 {
            graph.begin_frame(frame);
            fresh.begin_frame(frame);
            for _ in 0..12 {
                let node = nodes[c.below(nodes.len())];
                let value = |key: &Key, c: &mut Chance| match key {
                    Key::Resolution => Value::Vec2([c.below(3) as f32 + 1.0; 2]),
                    _ => Value::Number(c.number()),
                };
                match c.below(12) {
                    0 => {
                        let spec = graph.spec(node).unwrap().clone();
                        if !spec.inputs.is_empty() {
                            let at = c.below(spec.inputs.len());
                            let source = mixed_source(&graph, &nodes, &spec, at, c);
                            let set = graph.set(node, at, source.clone());
                            assert_eq!(set, fresh.set(node, at, source), "{seed}");
                        }
                    }
                    1 | 2 => {
                        let key = &keys[c.below(keys.len())];
                        let is_set = !matches!(key, Key::Variable(_)) || c.below(2) == 0;
                        let value = is_set.then(|| value(key, c));
                        graph.set_root(key, value.clone());
                        fresh.set_root(key, value);
                    }
                    3 => {
                        let mode = match c.below(3) {
                            0 => Mode::Bypassed,
                            _ => Mode::Active,
                        };
                        let trigger = [Trigger::None, Trigger::Always][c.below(2)];
                        for graph in [&mut graph, &mut fresh] {
                            graph.set_mode(node, mode);
                            graph.set_trigger(node, trigger);
                        }
                    }
                    4 => {
                        let kept: Vec<NodeId> =
                            nodes.iter().copied().filter(|_| c.below(4) > 0).collect();
                        graph.keep_only(kept.clone());
                        fresh.keep_only(kept);
                        nodes.retain(|node| graph.spec(*node).is_some());
                        while nodes.len() < 12 {
                            add(&mut graph, &mut fresh, &mut nodes, c);
                        }
                    }
                    5..=7 => {
                        let overrides: Vec<(Key, Value)> = (0..c.below(3))
                            .map(|_| {
                                let key = keys[c.below(keys.len())].clone();
                                (key.clone(), value(&key, c))
                            })
                            .collect();
                        fresh.forget();
                        let a = graph.eval_with(node, &overrides);
                        let b = fresh.eval_with(node, &overrides);
                        if [&graph, &fresh]
                            .iter()
                            .any(|g| !g.failures([node]).is_empty())
                        {
                            // What a failure leaves depends on what was before.
                            continue 'graphs;
                        }
                        assert_eq!(a, b, "{seed} {frame}");
                    }
                    _ => {
                        fresh.forget();
                        let (a, b) = (graph.eval(node), fresh.eval(node));
                        if [&graph, &fresh]
                            .iter()
                            .any(|g| !g.failures([node]).is_empty())
                        {
                            continue 'graphs;
                        }
                        assert_eq!(a, b, "{seed} {frame}");
                    }
                }
                assert!(graph.context.is_root() && graph.seen.is_empty() && graph.depth == 0);
            }
        }
        whole += 1;
    }
    assert!(whole > GRAPHS / 2, "{whole}");
}
