//! What runs when: each test reads the log of operators that ran.
#![allow(clippy::unwrap_used, reason = "a failing test should panic")]
#![allow(
    unreachable_pub,
    reason = "operators of tests are declared as others are"
)]

use std::rc::Rc;

use super::{Graph, GraphError, Key, Library, Mode, NodeId, Source, Spec, Trigger};
use crate::value::{Kind, Value};

/// How many random graphs are played.
const GRAPHS: u64 = 2000;

#[path = "tests/lasting.rs"]
mod lasting;
#[path = "tests/mixed.rs"]
mod mixed;

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
