//! Other times and loops.

use gobo::graph::{NodeId, Source};
use gobo::value::Value;

use super::bench::{Bench, NOTHING, flag, number, on, text};

type Inputs<'a> = &'a [(&'a str, Source)];

struct Clocks {
    bench: Bench,
    time: NodeId,
    beat: NodeId,
    effect: NodeId,
}

impl Clocks {
    /// Seconds, beats and the time of effects under the same other time.
    fn new(inputs: Inputs<'_>) -> Self {
        let mut bench = Bench::new();
        let [time, beat, effect] = ["time", "beat", "clock.effect_time"].map(|name| {
            let clock = bench.node(name, &[]);
            let mut inputs = inputs.to_vec();
            inputs.push(("source", on(clock)));
            bench.node("with_time", &inputs)
        });
        Self {
            bench,
            time,
            beat,
            effect,
        }
    }

    fn set(&mut self, input: &str, source: Source) {
        for node in [self.time, self.beat, self.effect] {
            self.bench.set(node, input, source.clone());
        }
    }

    fn assert(&mut self, at: f64, expected: [f64; 3]) {
        self.bench.at(at);
        let got = [self.time, self.beat, self.effect].map(|node| self.bench.number(node));
        for (got, expected) in got.into_iter().zip(expected) {
            assert!(
                (got - expected).abs() < 1e-9,
                "at {at}: {got}, not {expected}"
            );
        }
    }
}

#[test]
fn a_time_can_be_fixed_shifted_and_scaled_about_a_pivot_and_beats_go_along() {
    let cases: [(Inputs<'_>, f64, [f64; 3]); 5] = [
        (&[("at", number(7.0))], 3.0, [7.0, 14.0, 7.0]),
        (&[("offset", number(-10.0))], 3.0, [-7.0, -14.0, -7.0]),
        (&[("scale", number(2.0))], 3.0, [6.0, 12.0, 6.0]),
        (
            &[("scale", number(-0.5)), ("pivot", number(1.0))],
            3.0,
            [0.0, 0.0, 0.0],
        ),
        (
            &[("offset", number(10.0)), ("keep_effect_time", flag(true))],
            3.0,
            [13.0, 26.0, 3.0],
        ),
    ];
    for (inputs, at, expected) in cases {
        Clocks::new(inputs).assert(at, expected);
    }
}

#[test]
fn a_time_can_loop_and_go_back_and_forth() {
    let mut looped = Clocks::new(&[("period", number(2.0))]);
    for (at, time) in [(0.5, 0.5), (2.0, 0.0), (5.5, 1.5), (-0.5, 1.5)] {
        looped.assert(at, [time, time * 2.0, time]);
    }
    looped.set("ping_pong", flag(true));
    for (at, time) in [(0.5, 0.5), (2.0, 2.0), (2.5, 1.5), (4.0, 0.0), (-0.5, 0.5)] {
        looped.assert(at, [time, time * 2.0, time]);
    }
}

#[test]
fn a_change_of_speed_bends_time_and_never_makes_it_leap() {
    let mut bent = Clocks::new(&[]);
    bent.assert(2.0, [2.0, 4.0, 2.0]);
    bent.set("speed", number(3.0));
    bent.assert(2.0, [2.0, 4.0, 2.0]);
    bent.assert(3.0, [5.0, 10.0, 5.0]);
    bent.set("speed", number(-1.0));
    bent.assert(3.0, [5.0, 10.0, 5.0]);
    bent.assert(4.0, [4.0, 8.0, 4.0]);
}

#[test]
fn a_frozen_time_stands_still_costs_nothing_and_goes_on_from_there() {
    let mut frozen = Clocks::new(&[]);
    frozen.assert(2.0, [2.0, 4.0, 2.0]);
    frozen.set("freeze", flag(true));
    frozen.assert(2.0, [2.0, 4.0, 2.0]);
    frozen.assert(5.0, [2.0, 4.0, 2.0]);
    frozen.bench.ran();
    frozen.assert(6.0, [2.0, 4.0, 2.0]);
    assert_eq!(frozen.bench.ran(), NOTHING);
    frozen.set("freeze", flag(false));
    frozen.assert(6.0, [2.0, 4.0, 2.0]);
    frozen.assert(7.0, [3.0, 6.0, 3.0]);
}

#[test]
fn other_times_within_other_times_add_up_from_outside_in() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let inner = b.node("with_time", &[("source", on(time)), ("scale", number(2.0))]);
    let outer = b.node(
        "with_time",
        &[("source", on(inner)), ("offset", number(10.0))],
    );
    b.at(1.0);
    b.ran();
    assert_eq!((b.number(outer), b.number(inner)), (22.0, 2.0));
    assert_eq!(b.runs("time"), 2);
}

/// A variable, as a node.
fn variable(b: &mut Bench, name: &str) -> NodeId {
    b.node(
        "variable",
        &[("name", text(name)), ("default", number(-1.0))],
    )
}

fn repeat(b: &mut Bench, source: NodeId, count: f64) -> NodeId {
    b.node(
        "num.loop",
        &[("source", on(source)), ("count", number(count))],
    )
}

#[test]
fn a_loop_counts_from_0_and_u_runs_from_0_to_1() {
    let mut b = Bench::new();
    let (index, u) = (variable(&mut b, "index"), variable(&mut b, "u"));
    let (indices, us) = (repeat(&mut b, index, 5.0), repeat(&mut b, u, 5.0));
    assert_eq!(
        b.eval(indices),
        Value::List([0.0, 1.0, 2.0, 3.0, 4.0].into())
    );
    assert_eq!(b.eval(us), Value::List([0.0, 0.25, 0.5, 0.75, 1.0].into()));
    assert_eq!(b.runs("variable"), 10);
    for (count, expected) in [(1.0, &[0.0][..]), (0.0, &[]), (-3.0, &[])] {
        b.set(us, "count", number(count));
        assert_eq!(b.eval(us), Value::List(expected.into()));
    }
    assert_eq!((b.number(index), b.number(u)), (-1.0, -1.0));
}

#[test]
fn a_loop_within_a_loop_hides_the_outer_one_unless_it_is_renamed() {
    let mut b = Bench::new();
    let index = variable(&mut b, "index");
    let row = variable(&mut b, "row");
    let tens = b.node("num.mul", &[("a", on(row)), ("b", number(10.0))]);
    let cell = b.node("num.add", &[("a", on(tens)), ("b", on(index))]);
    let columns = repeat(&mut b, cell, 3.0);
    let sum = b.node("list.sum", &[("list", on(columns))]);
    let named = b.node(
        "with_variable",
        &[
            ("source", on(sum)),
            ("name", text("row")),
            ("value", on(index)),
        ],
    );
    let rows = repeat(&mut b, named, 2.0);
    assert_eq!(b.eval(rows), Value::List([3.0, 33.0].into()));
    assert_eq!(b.runs("num.add"), 6);
    b.at(1.0);
    b.eval(rows);
    assert_eq!(b.ran(), NOTHING);
}
