//! What is remembered, how long, and what a node tells of itself.

use gobo::graph::{GraphError, Key, Mode, NodeId, Trigger};
use gobo::value::Value;

use super::bench::{Bench, NOTHING, OUTSIDE, as_number, number, on, text};

#[test]
fn a_clean_frame_runs_nothing() {
    let mut b = Bench::new();
    let sum = b.node("num.add", &[("a", number(1.0)), ("b", number(2.0))]);
    let top = b.node("num.mul", &[("a", on(sum)), ("b", number(4.0))]);
    assert_eq!(b.number(top), 12.0);
    assert_eq!(b.ran(), ["num.mul", "num.add"]);
    b.at(5.0);
    assert_eq!(b.number(top), 12.0);
    assert_eq!(b.ran(), NOTHING);
    assert_eq!((b.graph.stats().updated, b.graph.stats().reused), (0, 1));
}

#[test]
fn an_overridden_key_does_not_make_what_is_above_stale() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let fixed = b.node("with_time", &[("source", on(time)), ("at", number(4.0))]);
    let top = b.node("num.mul", &[("a", on(fixed)), ("b", number(2.0))]);
    assert_eq!(b.number(top), 8.0);
    b.ran();
    b.at(3.0);
    assert_eq!(b.number(top), 8.0);
    assert_eq!(b.ran(), NOTHING);
    // Inside another override too, and what isn't overridden still escapes.
    let beat = b.node("beat", &[]);
    let both = b.node("num.add", &[("a", on(fixed)), ("b", on(beat))]);
    let outer = b.node("with_variable", &[("source", on(both))]);
    assert_eq!(b.number(outer), 10.0);
    b.ran();
    b.graph.begin_frame(9);
    b.graph.set_root(&Key::Time, Some(Value::Number(8.0)));
    assert_eq!(b.number(outer), 10.0);
    assert_eq!(b.ran(), NOTHING);
    b.graph.set_root(&Key::Beat, Some(Value::Number(1.0)));
    assert_eq!(b.number(outer), 5.0);
    assert_eq!(b.ran(), ["with_variable", "beat", "num.add"]);
}

#[test]
fn a_channel_makes_its_own_readers_stale_and_no_others() {
    let mut b = Bench::new();
    let channel = |name: &str| Key::Channel(name.into());
    let reader = |b: &mut Bench, name: &str| {
        let name = text(name);
        b.node("channel", &[("name", name)])
    };
    let (low, knob) = (reader(&mut b, "audio/low"), reader(&mut b, "midi/cc/74"));
    let sum = b.node("num.add", &[("a", on(low)), ("b", on(knob))]);
    assert_eq!(b.number(sum), 0.0);
    b.ran();
    b.at(1.0);
    let moved = Some(Value::Number(0.5));
    b.graph.set_root(&channel("midi/cc/74"), moved.clone());
    b.graph.set_root(&channel("midi/cc/1"), moved);
    assert_eq!(b.number(sum), 0.5);
    assert_eq!(b.ran(), ["channel", "num.add"]);
}

#[test]
fn an_equal_result_stops_what_is_downstream_also_under_an_override() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let floor = b.node("num.floor", &[("value", on(time))]);
    let sin = b.node("num.sin", &[("value", on(floor))]);
    let late = b.node(
        "with_time",
        &[("source", on(sin)), ("offset", number(10.0))],
    );
    b.at(0.25);
    assert_eq!(b.number(late), 10.0_f64.sin());
    b.ran();
    b.at(0.75);
    assert_eq!(b.number(late), 10.0_f64.sin());
    assert_eq!(b.runs("num.sin"), 0);
}

#[test]
fn a_context_that_comes_back_finds_what_was_remembered_for_it() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let sin = b.node("num.sin", &[("value", on(time))]);
    let at = |b: &mut Bench, time: f64| {
        let over = [(Key::Time, Value::Number(time))];
        as_number(&b.graph.eval_with(sin, &over).unwrap())
    };
    for time in [1.0, 2.0, 3.0, 1.0, 2.0, 3.0] {
        assert_eq!(at(&mut b, time), time.sin());
    }
    assert_eq!(b.runs("num.sin"), 3);
}

#[test]
fn always_is_honoured_once_a_frame_and_context_and_not_once_a_pull() {
    let mut b = Bench::new();
    let outside = b.node("test.outside", &[]);
    let left = b.node("num.add", &[("a", on(outside))]);
    let right = b.node("num.mul", &[("a", on(outside)), ("b", number(1.0))]);
    let late = b.node(
        "with_time",
        &[("source", on(outside)), ("offset", number(10.0))],
    );
    OUTSIDE.set(1.0);
    assert_eq!(b.number(left), 1.0);
    OUTSIDE.set(2.0);
    b.graph.begin_frame(2);
    assert_eq!(b.number(left), 1.0);
    b.graph.set_trigger(outside, Trigger::Always);
    b.ran();
    for frame in 3..6 {
        b.graph.begin_frame(frame);
        OUTSIDE.set(frame as f64);
        for _ in 0..2 {
            assert_eq!(b.number(left), frame as f64);
            assert_eq!(b.number(right), frame as f64);
            assert_eq!(b.number(late), frame as f64 + 10.0);
        }
        assert_eq!(b.runs("test.outside"), 2);
    }
    b.graph.set_trigger(outside, Trigger::None);
    b.number(left);
    b.ran();
    b.graph.begin_frame(6);
    b.number(left);
    assert_eq!(b.ran(), NOTHING);
}

#[test]
fn a_bypassed_node_passes_its_first_input_of_the_kind_that_it_gives() {
    let mut b = Bench::new();
    let osc = b.node("osc", &[]);
    let noise = b.node("noise", &[]);
    let pick = b.node("bool.pick", &[("yes", on(osc)), ("no", on(noise))]);
    let (osc, noise) = (b.eval(osc), b.eval(noise));
    assert_eq!(b.eval(pick), noise);
    b.graph.set_mode(pick, Mode::Bypassed);
    assert_eq!(b.eval(pick), osc);
    b.graph.set_mode(pick, Mode::Active);
    assert_eq!(b.eval(pick), noise);
    // One that has no input of that kind gives nothing of it.
    let time = b.node("time", &[]);
    b.graph.set_mode(time, Mode::Bypassed);
    b.at(3.0);
    assert_eq!(b.number(time), 0.0);
}

#[test]
fn a_disabled_node_stays_at_its_last_value_and_pulls_nothing() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let sum = b.node("num.add", &[("a", on(time)), ("b", number(1.0))]);
    let late = b.node(
        "with_time",
        &[("source", on(sum)), ("offset", number(10.0))],
    );
    b.at(2.0);
    assert_eq!((b.number(sum), b.number(late)), (3.0, 13.0));
    b.graph.set_mode(sum, Mode::Disabled);
    b.ran();
    for time in [3.0, 4.0] {
        b.at(time);
        assert_eq!((b.number(sum), b.number(late)), (3.0, 13.0));
        assert_eq!(b.runs("time"), 0);
    }
    b.graph.set_mode(sum, Mode::Active);
    assert_eq!((b.number(sum), b.number(late)), (5.0, 15.0));
}

#[test]
fn a_node_tells_when_and_how_often_it_ran_and_what_it_remembers() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let offsets: Vec<NodeId> = (0..3)
        .map(|n| {
            let offset = number(f64::from(n) * 0.3);
            b.node("with_time", &[("source", on(time)), ("offset", offset)])
        })
        .collect();
    let status = b.graph.status(time).unwrap();
    assert_eq!((status.last_run, status.runs, status.memos), (None, 0, 0));
    for time in 1..600 {
        b.at(time.into());
        for offset in &offsets {
            b.number(*offset);
        }
    }
    let status = b.graph.status(time).unwrap();
    assert_eq!((status.last_run, status.runs), (Some(600), 3));
    assert!((3..=5).contains(&status.memos), "{status:?}");
    assert!(
        status.cost.is_some_and(|cost| !cost.is_zero()),
        "{status:?}"
    );
    assert_eq!((status.error, status.mode), (None, Mode::Active));
    let frame = b.graph.stats();
    assert_eq!((frame.updated, frame.failed), (6, 0));
}

#[test]
fn an_edit_that_is_refused_changes_nothing() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let low = b.node("num.add", &[("a", on(time)), ("b", number(1.0))]);
    let top = b.node("num.mul", &[("a", on(low)), ("b", number(2.0))]);
    b.at(1.0);
    assert_eq!(b.number(top), 4.0);
    b.ran();
    let cycle = b.try_set(low, "a", on(top));
    assert_eq!(cycle, Err(GraphError::Cycle("num.add".into())));
    let itself = b.try_set(low, "a", on(low));
    assert_eq!(itself, Err(GraphError::Cycle("num.add".into())));
    for (source, message) in [
        (text("x"), "num.add.a: expected number, got string \"x\""),
        (
            number(f64::NAN),
            "num.add.a: expected a finite number, got NaN",
        ),
    ] {
        let error = b.try_set(low, "a", source).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let unknown = b.graph.set(low, 7, number(1.0)).unwrap_err();
    assert_eq!(unknown.to_string(), "num.add has no input 8");
    assert_eq!(b.number(top), 4.0);
    assert_eq!(b.ran(), NOTHING);
    b.at(2.0);
    assert_eq!(b.number(top), 6.0);
    b.graph.keep_only([low]);
    assert_eq!(b.try_set(low, "b", on(top)), Err(GraphError::Gone));
    assert_eq!(b.graph.eval(top), None);
    assert_eq!(b.number(low), 3.0);
}

#[test]
fn a_chain_of_a_hundred_thousand_runs_also_under_an_override() {
    let mut b = Bench::new();
    let mut last = b.node("time", &[]);
    for _ in 0..100_000 {
        last = b.node("num.add", &[("a", on(last)), ("b", number(1.0))]);
    }
    let late = b.node(
        "with_time",
        &[("source", on(last)), ("offset", number(0.5))],
    );
    assert_eq!((b.number(last), b.number(late)), (100_000.0, 100_000.5));
    b.ran();
    b.number(late);
    assert_eq!(b.ran(), NOTHING);
    b.at(1.0);
    assert_eq!((b.number(late), b.number(last)), (100_001.5, 100_001.0));
    assert_eq!(b.runs("num.add"), 200_000);
}
