use super::Crossing;
use crate::ops::probe::Probe;
use crate::ops::time::Unit;
use crate::value::{Port, Value};

/// Feeds an input a value for each frame, a tenth of a second apart, and collects what comes out.
fn frames<T: Port>(
    probe: &mut Probe,
    input: &str,
    values: impl IntoIterator<Item = T>,
) -> Vec<Value> {
    let values = values.into_iter().enumerate();
    let given = values.map(|(frame, value)| probe.set(input, value).at(frame as f64 / 10.0));
    given.collect()
}

/// Frames as text: `1` true, `.` false.
fn bools(text: &str) -> Vec<bool> {
    text.chars().map(|c| c == '1').collect()
}

fn text(values: &[Value]) -> String {
    let shown = values.iter().map(|value| match value {
        Value::Bool(true) => "1".to_owned(),
        Value::Bool(false) => ".".to_owned(),
        other => other.to_string(),
    });
    shown.collect()
}

#[test]
fn edges_toggles_and_counts_see_a_condition_that_stays_true_once() {
    for (operator, input, given, expected) in [
        ("bool.rising", "condition", ".11..1", ".1...1"),
        ("bool.rising", "condition", "11.1", "1..1"),
        ("bool.falling", "condition", ".11..1.", "...1..1"),
        ("bool.falling", "condition", "1.", ".1"),
        ("bool.toggle", "trigger", ".11..1..1.", ".1111...11"),
        ("bool.counter", "trigger", "..11.1", "001112"),
        ("bool.once", "condition", "..1..", "..111"),
        ("bool.flipflop", "set", "..1..", "..111"),
    ] {
        let mut probe = Probe::new(operator);
        let got = frames(&mut probe, input, bools(given));
        assert_eq!(text(&got), expected, "{operator} {given}");
    }
}

#[test]
fn what_can_be_reset_is() {
    for (operator, input, given, reset, expected) in [
        ("bool.flipflop", "set", ".1111.1", "...1...", ".11...1"),
        ("bool.flipflop", "set", "1", "1", "."),
        ("bool.once", "condition", "1....1", "..11..", "11...1"),
        ("bool.counter", "trigger", "1.1.1.1", "...1...", "1120112"),
    ] {
        let mut probe = Probe::new(operator);
        let mut got = Vec::new();
        for (frame, (on, reset)) in bools(given).into_iter().zip(bools(reset)).enumerate() {
            probe.set(input, on).set("reset", reset);
            got.push(probe.at(frame as f64));
        }
        assert_eq!(text(&got), expected, "{operator} {given}");
    }
}

#[test]
fn a_count_goes_around_where_it_has_a_length() {
    let mut probe = Probe::new("bool.counter");
    probe.set("length", 3_i64);
    let got = frames(&mut probe, "trigger", bools("1.1.1.1.1."));
    assert_eq!(text(&got), "1122001122");
}

#[test]
fn a_value_of_any_kind_that_is_another_one_has_changed() {
    let mut probe = Probe::new("any.has_changed");
    let got = frames(&mut probe, "value", [1.0, 1.0, 2.0, 2.0]);
    assert_eq!(text(&got), "..1.");
    let mut probe = Probe::new("any.has_changed");
    let got = frames(
        &mut probe,
        "value",
        [[0.0_f32, 1.0], [0.0, 1.0], [1.0, 1.0]],
    );
    assert_eq!(text(&got), "..1");
}

#[test]
fn a_number_that_trembles_crosses_once() {
    let numbers = [0.0, 0.5, 0.45, 0.55, 0.2, 0.6];
    for (hysteresis, direction, expected) in [
        (0.0, Crossing::Up, ".1.1.1"),
        (0.1, Crossing::Up, ".1...1"),
        (0.1, Crossing::Down, "....1."),
        (0.1, Crossing::Both, ".1..11"),
    ] {
        let mut probe = Probe::new("num.crosses");
        probe
            .set("hysteresis", hysteresis)
            .set("direction", direction);
        let got = frames(&mut probe, "value", numbers);
        assert_eq!(text(&got), expected, "{hysteresis} {direction:?}");
    }
    let mut probe = Probe::new("num.crosses");
    assert_eq!(text(&frames(&mut probe, "value", [1.0, 1.0])), "..");
}

#[test]
fn what_holds_or_freezes_keeps_the_last_value() {
    for (operator, input, given, expected) in [
        ("any.hold", "open", ".1..1.", [1.0, 2.0, 2.0, 2.0, 5.0, 5.0]),
        (
            "any.freeze",
            "freeze",
            ".11..1",
            [1.0, 1.0, 1.0, 4.0, 5.0, 5.0],
        ),
        ("any.gate", "open", ".1.1..", [0.0, 2.0, 0.0, 4.0, 0.0, 0.0]),
    ] {
        let mut probe = Probe::new(operator);
        for (frame, (on, expected)) in bools(given).into_iter().zip(expected).enumerate() {
            probe.set("value", frame as f64 + 1.0).set(input, on);
            let got = probe.at(frame as f64);
            assert_eq!(got, Value::Number(expected), "{operator} {frame}");
        }
    }
}

#[test]
fn a_gate_gives_another_value_or_nothing_of_its_kind_while_closed() {
    let mut probe = Probe::new("any.gate");
    probe.set("value", [1.0_f32, 2.0]).set("open", false);
    assert_eq!(probe.now(), Value::Vec2([0.0; 2]));
    assert_eq!(probe.set("otherwise", 7.0).now(), Value::Vec2([7.0; 2]));
}

#[test]
fn what_was_kept_of_another_kind_is_let_go() {
    for (operator, input, value) in [
        ("any.hold", "open", false),
        ("any.freeze", "freeze", true),
        ("any.delay", "seconds", false),
    ] {
        let mut probe = Probe::new(operator);
        probe.set("value", true).at(0.0);
        if input != "seconds" {
            probe.set(input, value);
        }
        let got = probe.set("value", [1.0_f32, 2.0]).at(0.1);
        assert_eq!(got, Value::Vec2([1.0, 2.0]), "{operator}");
    }
}

#[test]
fn a_delayed_value_is_what_it_was_at_any_frame_rate() {
    for rate in [20.0, 60.0, 200.0] {
        for (at, expected) in [(0.4, 0.0), (0.8, 0.3), (2.0, 1.5)] {
            let mut probe = Probe::new("any.delay");
            probe.feed("value", "time").set("seconds", 0.5);
            let got = probe.play(0.0, at, rate);
            assert!((got - expected).abs() < 1e-9, "{rate} {at}: {got}");
        }
    }
}

#[test]
fn what_is_held_for_some_seconds_starts_anew_with_each_event() {
    for rate in [20.0, 60.0, 200.0] {
        let mut probe = Probe::new("bool.hold_for");
        probe.set("seconds", 0.5).set("trigger", true);
        probe.at(0.0);
        probe.set("trigger", false);
        for frame in 1..=rate as i64 {
            let at = frame as f64 / rate;
            let got = probe.at(at);
            if (at - 0.5).abs() > 0.01 {
                assert_eq!(got, Value::Bool(at < 0.5), "{rate} {at}");
            }
        }
    }
    let mut probe = Probe::new("bool.hold_for");
    probe.set("seconds", 0.25);
    let got = frames(&mut probe, "trigger", bools("1..1.1....1"));
    assert_eq!(text(&got), "11111111..1");
}

#[test]
fn each_period_is_one_event_at_any_frame_rate() {
    for (unit, period, seconds) in [(Unit::Beats, 1.0, 0.5), (Unit::Seconds, 0.7, 0.7)] {
        for rate in [7.0, 24.0, 60.0, 144.0] {
            let mut probe = Probe::new("bool.every");
            probe.set("period", period).set("unit", unit);
            let mut events = Vec::new();
            for frame in 0..=(rate * 10.0) as i64 {
                let at = frame as f64 / rate;
                if probe.at(at) == Value::Bool(true) {
                    events.push(at);
                }
            }
            assert_eq!(
                events.len(),
                (10.0 / seconds) as usize + 1,
                "{unit:?} {rate}"
            );
            for (n, at) in events.iter().enumerate() {
                let late = at - n as f64 * seconds;
                assert!(
                    (-1e-9..1.0 / rate + 1e-9).contains(&late),
                    "{rate}: {late} late"
                );
            }
        }
    }
}

#[test]
fn periods_shorter_than_a_frame_are_one_event_and_none_are_none() {
    let mut probe = Probe::new("bool.every");
    probe.set("period", 0.01);
    assert_eq!(text(&[probe.at(0.0), probe.at(0.1), probe.at(0.2)]), "111");
    probe.set("period", 0.0);
    assert_eq!(text(&[probe.at(0.3), probe.at(1.4)]), "..");
    // One that begins between two events waits for the next.
    let mut probe = Probe::new("bool.every");
    probe.set("offset", 0.5);
    let got = [0.1, 0.2, 0.3, 0.4, 0.8].map(|at| probe.at(at));
    assert_eq!(text(&got), "..1.1");
}
