use std::sync::Arc;

use super::super::probe::Probe;
use super::Between;
use crate::value::{Color, Curve, Gradient, Port, Value};

const GREYS: [Color; 3] = [
    Color([0.0, 0.0, 0.0, 1.0]),
    Color([0.5, 0.5, 0.5, 1.0]),
    Color([1.0, 1.0, 1.0, 1.0]),
];

/// Fails unless a gradient has these greys at these places.
#[track_caller]
fn expect(gradient: &Value, places: &[(f64, f64)]) {
    let gradient = Arc::<Gradient>::from_value(gradient).unwrap_or_default();
    let mut at = Probe::new("ramp.at");
    at.set("gradient", gradient);
    for (place, grey) in places {
        at.set("place", *place).expect(&[*grey, *grey, *grey, 1.0]);
    }
}

#[test]
fn colours_lie_at_even_distances() {
    let mut probe = Probe::new("ramp.of");
    expect(&probe.now(), &[(0.5, 0.0)]);
    probe.set_many("colors", GREYS);
    expect(
        &probe.now(),
        &[(-1.0, 0.0), (0.25, 0.25), (0.5, 0.5), (2.0, 1.0)],
    );
    let smooth = probe.set("blend", Between::Smooth).now();
    expect(&smooth, &[(0.125, 0.078125), (0.25, 0.25), (0.5, 0.5)]);
    let hold = probe.set("blend", Between::Hold).now();
    expect(
        &hold,
        &[(0.3, 0.0), (0.4, 0.5), (0.6, 0.5), (0.7, 1.0), (1.0, 1.0)],
    );
    probe.set_many("colors", [GREYS[1]]);
    expect(&probe.now(), &[(0.0, 0.5), (1.0, 0.5)]);
}

#[test]
fn colours_lie_where_they_are_told_to() {
    let mut probe = Probe::of("ramp.stops", &[&[0.75, 0.25]]);
    probe.set_many("colors", GREYS);
    expect(
        &probe.now(),
        &[(0.0, 0.5), (0.25, 0.5), (0.5, 0.25), (0.75, 0.0)],
    );
    let mut edge = Probe::of("ramp.stops", &[&[0.0, 0.5, 0.5]]);
    edge.set_many("colors", [GREYS[0], GREYS[0], GREYS[2]]);
    expect(&edge.now(), &[(0.49, 0.0), (0.5, 1.0)]);
}

#[test]
fn a_gradient_turned_round_has_at_each_place_what_the_other_end_had() {
    for blend in [Between::Linear, Between::Smooth, Between::Hold] {
        let mut probe = Probe::of("ramp.stops", &[&[0.25, 0.5, 0.5]]);
        probe.set_many("colors", GREYS).set("blend", blend);
        let gradient = Arc::<Gradient>::from_value(&probe.now()).unwrap_or_default();
        let mut reverse = Probe::new("ramp.reverse");
        reverse.set("gradient", gradient.clone());
        let greys = (0..20).map(|n| {
            let place = (f64::from(n) + 0.5) / 20.0;
            (1.0 - place, f64::from(gradient.sample(place as f32)[0]))
        });
        expect(&reverse.now(), &greys.collect::<Vec<_>>());
    }
    expect(&Probe::new("ramp.reverse").now(), &[(0.5, 0.0)]);
}

#[test]
fn a_curve_goes_through_its_values() {
    let at = |blend, places: &[(f64, f64)]| {
        let mut curve = Probe::of("curve.of", &[&[2.0, 0.0, 4.0], &[10.0, 0.0, 20.0, 99.0]]);
        curve.set("blend", blend);
        let curve = Arc::<Curve>::from_value(&curve.now()).unwrap_or_default();
        let mut at = Probe::new("curve.at");
        at.set("curve", curve);
        for (time, value) in places {
            at.set("time", *time).expect(&[*value]);
        }
    };
    at(
        Between::Linear,
        &[
            (-1.0, 0.0),
            (0.5, 2.5),
            (2.0, 10.0),
            (3.0, 15.0),
            (9.0, 20.0),
        ],
    );
    at(Between::Smooth, &[(0.5, 1.5625), (1.0, 5.0), (2.0, 10.0)]);
    at(
        Between::Hold,
        &[(1.9, 0.0), (2.0, 10.0), (3.9, 10.0), (4.0, 20.0)],
    );
    Probe::new("curve.at").expect(&[0.0]);
}

#[test]
fn a_curve_of_the_largest_and_nearest_numbers_is_finite() {
    for (times, values) in [
        ([-1e308, 1e308], [-1e308, 1e308]),
        ([0.0, 5e-324], [0.0, 1e308]),
        ([1.0, 1.0], [3.0, 4.0]),
    ] {
        let mut curve = Probe::of("curve.of", &[&times, &values]);
        let value = curve.now();
        assert_eq!(curve.error(), None, "{times:?}");
        let curve = Arc::<Curve>::from_value(&value).unwrap_or_default();
        assert!(curve.sample(0.0).is_finite(), "{times:?}");
    }
}
