//! What fails: it keeps its last good value where it failed, says why, and harms nothing else.

use gobo::graph::{Key, NodeId};
use gobo::value::Value;

use super::bench::{Bench, flag, number, on, text};

const PANIC: &str = "test.brittle: stopped by a fault of its own";

#[test]
fn the_context_is_what_it_was_after_a_failure_or_a_panic_inside_an_override() {
    for (panics, message) in [
        (false, "test.break: inside"),
        (true, "test.break: stopped by a fault of its own"),
    ] {
        let mut b = Bench::new();
        let time = b.node("time", &[]);
        let broken = b.node(
            "test.break",
            &[("source", on(time)), ("panics", flag(panics))],
        );
        let sum = b.node("num.add", &[("a", on(broken)), ("b", on(time))]);
        let late = b.node(
            "with_time",
            &[("source", on(sum)), ("offset", number(10.0))],
        );
        b.graph.set_origin(broken, "sketch.lua:3".into());
        for time in [1.0, 2.0, 3.0] {
            b.at(time);
            b.ran();
            assert_eq!((b.number(late), b.number(sum)), (time + 10.0, time));
            assert_eq!(b.graph.root(&Key::Time), Some(&Value::Number(time)));
            assert_eq!(b.graph.root(&Key::Variable("x".into())), None);
            assert_eq!(b.error(broken), Some(format!("sketch.lua:3: {message}")));
            assert_eq!(b.graph.failures([late]), [broken]);
            assert_eq!(b.runs("num.add"), 2);
        }
    }
}

/// Something that fails below 0 and panics above 100, given x, under each of these values of x.
fn scopes(b: &mut Bench, values: &[f64]) -> (NodeId, Vec<NodeId>) {
    let x = b.node("variable", &[]);
    let brittle = b.node("test.brittle", &[("value", on(x))]);
    let scopes = values
        .iter()
        .map(|value| {
            b.node(
                "with_variable",
                &[("source", on(brittle)), ("value", number(*value))],
            )
        })
        .collect();
    (brittle, scopes)
}

#[test]
fn the_last_good_value_is_kept_for_each_scope_whichever_is_asked_first() {
    let good = [1.0, 2.0, 3.0, 4.0];
    for (bad, message) in [(-1.0, "test.brittle: below 0"), (101.0, PANIC)] {
        for order in [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0]] {
            let mut b = Bench::new();
            let (brittle, scopes) = scopes(&mut b, &good);
            for (scope, value) in scopes.iter().zip(good) {
                assert_eq!(b.number(*scope), value);
            }
            b.at(1.0);
            // In equal contexts they would share one result, good or bad.
            for (n, scope) in scopes.iter().enumerate() {
                b.set(*scope, "value", number(bad * (n + 1) as f64));
            }
            b.ran();
            for at in order {
                assert_eq!(b.number(scopes[at]), good[at], "{order:?}");
                assert_eq!(b.error(brittle).as_deref(), Some(message));
            }
            assert_eq!(b.runs("test.brittle"), 4);
            assert_eq!(b.graph.stats().failed, 4);
            b.at(2.0);
            b.set(scopes[2], "value", number(9.0));
            assert_eq!(b.number(scopes[2]), 9.0);
            assert_eq!(b.error(brittle), None);
        }
    }
}

#[test]
fn what_never_gave_anything_gives_nothing_of_its_kind() {
    let mut b = Bench::new();
    let (_, scopes) = scopes(&mut b, &[-1.0, 5.0]);
    assert_eq!((b.number(scopes[0]), b.number(scopes[1])), (0.0, 5.0));
    b.at(1.0);
    assert_eq!((b.number(scopes[0]), b.number(scopes[1])), (0.0, 5.0));
}

#[test]
fn one_turn_of_a_loop_that_fails_leaves_the_others_alone() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let index = b.node("variable", &[("name", text("index"))]);
    let both = b.node("num.mul", &[("a", on(index)), ("b", on(time))]);
    let brittle = b.node("test.brittle", &[("value", on(both))]);
    let list = b.node(
        "num.loop",
        &[("source", on(brittle)), ("count", number(3.0))],
    );
    let sum = b.node("list.sum", &[("list", on(list))]);
    for (time, expected) in [
        (10.0, [0.0, 10.0, 20.0]),
        (60.0, [0.0, 60.0, 20.0]),
        (70.0, [0.0, 70.0, 20.0]),
        (-1.0, [0.0, 70.0, 20.0]),
        (5.0, [0.0, 5.0, 10.0]),
    ] {
        b.at(time);
        b.ran();
        assert_eq!(b.eval(list), Value::List(expected.into()), "at {time}");
        assert_eq!(b.number(sum), expected.iter().sum::<f64>());
        assert_eq!(b.graph.root(&Key::Variable("index".into())), None);
        assert!((1..=3).contains(&b.runs("test.brittle")));
    }
}

#[test]
fn a_failure_stops_nothing_downstream_and_the_frame_goes_on() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let brittle = b.node("test.brittle", &[("value", on(time))]);
    let steps = b.node("test.steps", &[("value", on(brittle))]);
    let top = b.node("num.add", &[("a", on(brittle)), ("b", on(time))]);
    for (frame, (time, expected)) in [(1.0, 2.0), (-5.0, -4.0), (-6.0, -5.0), (3.0, 6.0)]
        .into_iter()
        .enumerate()
    {
        b.at(time);
        b.ran();
        assert_eq!(b.number(top), expected);
        assert_eq!(b.number(steps), frame as f64 + 1.0);
        assert_eq!(b.error(brittle).is_some(), time < 0.0);
        assert_eq!(b.runs("num.add"), 1);
    }
}

#[test]
fn state_that_panics_keeps_what_it_was_and_steps_on() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let broken = b.node("test.brittle", &[("value", on(time))]);
    let total = b.node("test.total", &[("value", on(broken))]);
    for (time, sum) in [(1.0, 1.0), (200.0, 2.0), (4.0, 6.0)] {
        b.at(time);
        b.ran();
        assert_eq!(b.number(total), sum);
        assert_eq!(b.number(total), sum);
        assert_eq!(b.runs("test.total"), 1);
    }
}
