use std::sync::Arc;

use super::Shape;
use crate::ops::probe::Probe;

const SHAPES: [(&str, Shape, [f64; 4]); 5] = [
    ("lfo.sine", Shape::Sine, [0.5, 1.0, 0.5, 0.0]),
    ("lfo.triangle", Shape::Triangle, [0.0, 0.5, 1.0, 0.5]),
    ("lfo.saw", Shape::Saw, [0.0, 0.25, 0.5, 0.75]),
    ("lfo.square", Shape::Square, [1.0, 1.0, 0.0, 0.0]),
    (
        "lfo.pulse",
        Shape::Pulse,
        [1.0, 0.31640625, 0.0625, 0.00390625],
    ),
];

fn near(got: f64, expected: f64, what: &str) {
    assert!(
        (got - expected).abs() < 1e-12,
        "{what}: {got}, not {expected}"
    );
}

#[test]
fn each_oscillator_has_its_shape_by_seconds_and_by_beats() {
    for (operator, shape, quarters) in SHAPES {
        for (beats, cycle) in [(0.0, 2.0), (8.0, 4.0)] {
            let mut probe = Probe::new(operator);
            probe.set("rate", 0.5).set("beats", beats);
            probe.set("low", 10.0).set("high", 20.0);
            for (n, expected) in quarters.iter().enumerate() {
                let time = (n as f64 / 4.0 + 3.0) * cycle;
                near(probe.number_at(time), 10.0 + 10.0 * expected, operator);
            }
            probe.set("phase", 0.25);
            near(
                probe.number_at(cycle * 5.0),
                10.0 + 10.0 * quarters[1],
                operator,
            );
        }
        let mut probe = Probe::new("lfo.shape");
        probe.set("shape", shape);
        for (n, expected) in quarters.iter().enumerate() {
            let got = probe.set("t", n as f64 / 4.0 - 7.0).number_at(0.0);
            near(got, *expected, operator);
        }
    }
}

#[test]
fn a_change_of_rate_makes_no_oscillator_leap() {
    let mut probe = Probe::new("lfo.saw");
    probe.set("rate", 1.0).number_at(0.75);
    near(
        probe.set("rate", 0.25).number_at(0.75),
        0.75,
        "when it changes",
    );
    near(probe.number_at(1.25), 0.875, "after it");
}

#[test]
fn the_width_of_a_square_and_the_sharpness_of_a_pulse_bend_them() {
    let mut probe = Probe::new("lfo.square");
    probe.set("width", 0.25);
    assert_eq!(
        [0.0, 0.24, 0.25, 0.9].map(|t| probe.number_at(t)),
        [1.0, 1.0, 0.0, 0.0]
    );
    assert_eq!(probe.set("width", 0.0).number_at(1.0), 0.0);
    assert_eq!(probe.set("width", 1.0).number_at(1.9), 1.0);
    let mut probe = Probe::new("lfo.pulse");
    assert_eq!(probe.set("sharpness", 1.0).number_at(0.75), 0.25);
}

#[test]
fn steps_follow_the_beat_and_slide_where_they_are_smooth() {
    let mut probe = Probe::new("lfo.steps");
    probe.set("steps", Arc::<[f64]>::from([1.0, 3.0, 7.0]));
    let times = [0.0, 0.25, 0.5, 1.25, 1.5, -0.25];
    let hard = times.map(|time| probe.number_at(time));
    assert_eq!(hard, [1.0, 1.0, 3.0, 7.0, 1.0, 7.0]);
    probe.set("smooth", 1.0);
    let smooth = times.map(|time| probe.number_at(time));
    assert_eq!(smooth, [7.0, 4.0, 1.0, 5.0, 7.0, 5.0]);
    probe.set("smooth", 0.5);
    let half = [0.0, 0.125, 0.25, 0.4].map(|time| probe.number_at(time));
    assert_eq!(half, [7.0, 4.0, 1.0, 1.0]);
    probe.set("smooth", 0.0).set("phase", 2.0);
    assert_eq!(probe.number_at(0.5), 1.0);
    probe.set("beats", 0.0);
    assert_eq!(probe.number_at(0.5), 7.0);
    let empty: Arc<[f64]> = [].into();
    assert_eq!(probe.set("steps", empty).number_at(0.0), 0.0);
}
