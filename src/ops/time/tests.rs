use super::Unit;
use super::clip::Outside;
use crate::graph::Key;
use crate::ops::probe::Probe;
use crate::value::Value;

#[test]
fn bars_and_beats_are_counted_from_0() {
    let mut probe = Probe::new("clock.bar");
    assert_eq!(probe.number_at(3.0), 1.5);
    assert_eq!(probe.set("beats_per_bar", 3.0).number_at(4.5), 3.0);
    assert_eq!(probe.set("beats_per_bar", 0.0).number_at(4.5), 0.0);
    let mut probe = Probe::new("clock.beat_phase");
    for (time, phase) in [(0.0, 0.0), (0.25, 0.5), (2.125, 0.25), (-0.125, 0.75)] {
        assert_eq!(probe.number_at(time), phase, "{time}");
    }
}

#[test]
fn the_tempo_and_the_time_of_effects_are_those_of_the_context() {
    let mut probe = Probe::new("clock.tempo");
    assert_eq!(probe.now(), Value::Number(120.0));
    probe.graph.set_root(&Key::Tempo, Some(Value::Number(90.0)));
    assert_eq!(probe.now(), Value::Number(90.0));
    let mut probe = Probe::new("clock.effect_time");
    assert_eq!(probe.number_at(2.0), 2.0);
    probe
        .graph
        .set_root(&Key::EffectTime, Some(Value::Number(5.0)));
    assert_eq!(probe.number_at(3.0), 5.0);
}

#[test]
fn a_step_of_time_is_never_negative_or_long() {
    let mut probe = Probe::new("clock.dt");
    let mut changed = Probe::new("clock.has_time_changed");
    for (time, dt, has_changed) in [
        (1.0, 0.0, false),
        (1.0625, 0.0625, true),
        (1.0625, 0.0, false),
        (9.0, 0.1, true),
        (3.0, 0.0, true),
    ] {
        assert_eq!(probe.number_at(time), dt, "{time}");
        assert_eq!(changed.at(time), Value::Bool(has_changed), "{time}");
    }
}

#[test]
fn a_ramp_goes_up_once_and_a_ping_pong_there_and_back() {
    let mut ramp = Probe::new("clock.ramp");
    ramp.set("start", 1.0).set("duration", 2.0);
    let mut beats = Probe::new("clock.ramp");
    beats.set("duration", 4.0).set("unit", Unit::Beats);
    let mut leap = Probe::new("clock.ramp");
    leap.set("start", 1.0).set("duration", 0.0);
    let mut there = Probe::new("clock.ping_pong");
    for (time, up, in_beats, leaps, back) in [
        (0.0, 0.0, 0.0, 0.0, 0.0),
        (0.5, 0.0, 0.25, 0.0, 0.5),
        (1.0, 0.0, 0.5, 1.0, 1.0),
        (1.5, 0.25, 0.75, 1.0, 0.5),
        (2.0, 0.5, 1.0, 1.0, 0.0),
        (9.0, 1.0, 1.0, 1.0, 1.0),
    ] {
        let got = [&mut ramp, &mut beats, &mut leap, &mut there].map(|probe| probe.number_at(time));
        assert_eq!(got, [up, in_beats, leaps, back], "{time}");
    }
    assert_eq!(there.set("period", 0.0).number_at(1.0), 0.0);
}

#[test]
fn a_clip_is_active_from_its_start_up_to_its_stop() {
    let mut probe = Probe::new("clock.is_active");
    probe.set("start", 1.0).set("stop", 2.0);
    for (time, expected) in [(0.99, false), (1.0, true), (1.99, true), (2.0, false)] {
        assert_eq!(probe.at(time), Value::Bool(expected), "{time}");
    }
    probe.set("unit", Unit::Beats);
    assert_eq!(probe.at(0.5), Value::Bool(true));
}

#[test]
fn a_clip_maps_its_time_to_that_of_its_source_and_its_ends_as_chosen() {
    let mut probe = Probe::new("clock.clip_time");
    probe.set("start", 2.0).set("stop", 4.0);
    probe.set("source_start", 10.0).set("source_stop", 20.0);
    for (outside, expected) in [
        (Outside::Hold, [10.0, 10.0, 15.0, 20.0, 20.0]),
        (Outside::Loop, [15.0, 10.0, 15.0, 10.0, 15.0]),
        (Outside::PingPong, [15.0, 10.0, 15.0, 20.0, 15.0]),
        (Outside::Continue, [5.0, 10.0, 15.0, 20.0, 25.0]),
    ] {
        probe.set("outside", outside);
        let got = [1.0, 2.0, 3.0, 4.0, 5.0].map(|time| probe.number_at(time));
        assert_eq!(got, expected, "{outside:?}");
    }
    // Twice as fast, backward, and in no time.
    probe.set("outside", Outside::Hold).set("speed", 2.0);
    assert_eq!([2.5, 3.5].map(|time| probe.number_at(time)), [15.0, 20.0]);
    probe.set("speed", 1.0).set("source_stop", 0.0);
    assert_eq!(probe.number_at(3.0), 5.0);
    probe.set("stop", 2.0);
    assert_eq!([1.9, 2.0].map(|time| probe.number_at(time)), [10.0, 0.0]);
}

#[test]
fn a_source_without_an_end_is_as_long_as_its_clip() {
    let mut probe = Probe::new("clock.clip_time");
    probe
        .set("start", 2.0)
        .set("stop", 6.0)
        .set("source_start", 10.0);
    assert_eq!([3.0, 6.0].map(|time| probe.number_at(time)), [11.0, 14.0]);
}

#[test]
fn the_size_is_that_of_the_context() {
    for (name, expected) in [
        ("resolution", Value::Vec2([640.0, 320.0])),
        ("width", Value::Number(640.0)),
        ("height", Value::Number(320.0)),
        ("aspect", Value::Number(2.0)),
    ] {
        let mut probe = Probe::new(name);
        let size = Value::Vec2([640.0, 320.0]);
        probe.graph.set_root(&Key::Resolution, Some(size));
        assert_eq!(probe.now(), expected, "{name}");
    }
}
