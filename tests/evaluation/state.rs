//! State: it steps once for each frame and path of scopes, with what its inputs are there.

use gobo::graph::NodeId;
use gobo::value::Value;

use super::bench::{Bench, number, on, text};

#[test]
fn state_under_motion_blur_steps_once_a_frame_with_the_inputs_of_the_frame_itself() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let total = b.node("test.total", &[("value", on(time))]);
    let blur = b.node(
        "num.motion_blur",
        &[
            ("source", on(total)),
            ("samples", number(8.0)),
            ("shutter", number(1.0)),
        ],
    );
    let mut expected = 0.0;
    for frame in 1..5 {
        b.at(frame.into());
        b.ran();
        expected += f64::from(frame);
        assert_eq!(b.number(blur), expected);
        assert_eq!(b.number(total), expected);
        assert_eq!(b.runs("test.total"), 1);
    }
}

#[test]
fn motion_blur_averages_what_is_not_state_over_the_open_shutter() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let blur = b.node(
        "num.motion_blur",
        &[
            ("source", on(time)),
            ("samples", number(4.0)),
            ("shutter", number(0.5)),
        ],
    );
    b.at(10.0);
    b.ran();
    let expected = 10.0 - 0.5 / 60.0 * (0.0 + 0.25 + 0.5 + 0.75) / 4.0;
    let got = b.number(blur);
    assert!((got - expected).abs() < 1e-12, "{got} {expected}");
    assert_eq!(b.runs("time"), 4);
}

#[test]
fn a_speed_that_changes_is_integrated_alike_with_and_without_motion_blur() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let beat = b.node("beat", &[]);
    let bent = b.node("with_time", &[("source", on(time)), ("speed", on(beat))]);
    let alone = b.node("with_time", &[("source", on(time)), ("speed", on(beat))]);
    let blur = b.node(
        "num.motion_blur",
        &[("source", on(bent)), ("shutter", number(1.0))],
    );
    for frame in 0..60 {
        b.at(f64::from(frame) / 60.0);
        b.number(blur);
        assert_eq!(b.number(bent), b.number(alone), "frame {frame}");
    }
    assert_eq!(b.runs("with_time"), 60 * (8 + 1));
}

#[test]
fn sinks_of_two_sizes_share_stepped_state() {
    let mut b = Bench::new();
    let width = b.node("width", &[]);
    let steps = b.node("test.steps", &[("value", on(width))]);
    for frame in 1..5 {
        b.at(frame.into());
        b.ran();
        for width in [640.0, 1920.0, 640.0] {
            assert_eq!(b.sized(steps, width), f64::from(frame));
        }
        assert_eq!(b.runs("test.steps"), 1);
    }
}

#[test]
fn each_turn_of_a_loop_has_a_state_of_its_own() {
    let mut b = Bench::new();
    let index = b.node("variable", &[("name", text("index"))]);
    let total = b.node("test.total", &[("value", on(index))]);
    let list = b.node("num.loop", &[("source", on(total)), ("count", number(3.0))]);
    for frame in 1..4 {
        b.at(frame.into());
        b.ran();
        let n = f64::from(frame);
        assert_eq!(b.eval(list), Value::List([0.0, n, 2.0 * n].into()));
        assert_eq!(b.runs("test.total"), 3);
    }
}

#[test]
fn state_that_is_not_asked_for_in_a_frame_does_not_step_in_it() {
    let mut b = Bench::new();
    let steps = b.node("test.steps", &[]);
    for frame in 1..10 {
        b.at(frame.into());
        if frame % 3 == 0 {
            b.number(steps);
        }
    }
    assert_eq!(b.runs("test.steps"), 3);
}

#[test]
fn a_step_of_time_is_never_negative_and_short_after_a_stall() {
    let mut b = Bench::new();
    let dt = b.node("clock.dt", &[]);
    let twice = b.node("with_time", &[("source", on(dt)), ("scale", number(2.0))]);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    let steps = [
        (0.0, 0.0, 0.0),
        (0.03, 0.03, 0.06),
        (5.0, 0.1, 0.1),
        (1.0, 0.0, 0.0),
        (1.0, 0.0, 0.0),
        (1.04, 0.04, 0.08),
    ];
    for (time, here, there) in steps {
        b.at(time);
        close(b.number(dt), here);
        close(b.number(twice), there);
        close(b.number(dt), here);
    }
}

#[test]
fn the_next_version_takes_state_over_in_every_scope() {
    let mut b = Bench::new();
    let version = |b: &mut Bench, extra: f64| -> NodeId {
        let steps = b.node("test.steps", &[]);
        let sum = b.node("num.add", &[("a", on(steps)), ("b", number(extra))]);
        b.node("with_time", &[("source", on(sum)), ("offset", number(5.0))])
    };
    let old = version(&mut b, 0.0);
    for frame in 1..4 {
        b.at(frame.into());
        assert_eq!(b.number(old), f64::from(frame));
    }
    let new = version(&mut b, 100.0);
    b.graph.adopt([(new, old)]);
    b.graph.keep_only([new]);
    b.at(4.0);
    assert_eq!(b.number(new), 104.0);
}
