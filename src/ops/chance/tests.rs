use std::collections::BTreeSet;
use std::sync::Arc;

use super::noise;
use crate::ops::probe::Probe;
use crate::value::Value;

/// What a node gives in each of `count` frames, with an event in every other one.
fn draws(probe: &mut Probe, count: usize) -> Vec<Value> {
    let frames = 0..count;
    let drawn = frames.map(|n| probe.set("trigger", n % 2 == 1).at(n as f64 / 60.0));
    drawn.collect()
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Number(n) => *n,
        other => panic!("{other} is no number"),
    }
}

/// How many different values there are.
fn different(values: &[Value]) -> usize {
    let shown: BTreeSet<String> = values.iter().map(Value::to_string).collect();
    shown.len()
}

#[test]
fn a_number_stays_until_the_next_event_and_comes_again_in_another_play() {
    let mut probe = Probe::new("chance.random");
    probe.set("low", 10.0).set("high", 20.0);
    let drawn = draws(&mut probe, 200);
    for (n, pair) in drawn.windows(2).enumerate() {
        assert_eq!(pair[0] == pair[1], n % 2 == 1, "{n}");
        assert!((10.0..20.0).contains(&number(&pair[0])));
    }
    let mean = drawn.iter().map(number).sum::<f64>() / 200.0;
    assert!((mean - 15.0).abs() < 1.0, "{mean}");
    let again = |seed: i64| {
        let mut probe = Probe::new("chance.random");
        probe.set("low", 10.0).set("high", 20.0).set("seed", seed);
        draws(&mut probe, 200)
    };
    assert_eq!(again(0), drawn);
    assert_ne!(again(1), drawn);
}

#[test]
fn a_number_drawn_by_beats_is_that_of_the_beat_whatever_was_played_before() {
    let at = |times: &[f64]| {
        let mut probe = Probe::new("chance.random");
        probe.set("beats", 2.0);
        let drawn: Vec<f64> = times.iter().map(|time| probe.number_at(*time)).collect();
        drawn
    };
    let drawn = at(&[0.0, 0.9, 1.0, 1.9, 2.0]);
    assert_eq!((drawn[0], drawn[2]), (drawn[1], drawn[3]));
    assert!(drawn[0] != drawn[2] && drawn[2] != drawn[4]);
    assert_eq!(at(&[2.5, 0.5]), [drawn[4], drawn[0]]);
}

#[test]
fn each_whole_number_has_a_random_number_of_its_own() {
    let at = |index: f64, seed: i64| {
        let mut probe = Probe::new("chance.hash");
        probe.set("index", index).set("seed", seed).number_at(0.0)
    };
    assert_eq!((at(3.0, 0), at(-7.4, 5)), (at(3.4, 0), at(-7.0, 5)));
    let numbers: Vec<f64> = (0..400).map(|n| at(f64::from(n), 0)).collect();
    let below = numbers.iter().filter(|n| **n < 0.25).count();
    assert!(
        (70..=130).contains(&below),
        "{below} of 400 below a quarter"
    );
    assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]));
    assert_ne!(at(3.0, 0), at(3.0, 1));
    // Pinned, so that a show stays what it was.
    assert_eq!(at(1.0, 0), 0.03401170130434639);
}

#[test]
fn noise_is_smooth_and_fills_about_its_range() {
    for octaves in [1_i64, 4] {
        let mut probe = Probe::new("chance.noise");
        probe.set("octaves", octaves).set("y", 0.3);
        let numbers: Vec<f64> = (0..4000)
            .map(|n| probe.set("x", f64::from(n) / 50.0).number_at(0.0))
            .collect();
        let (low, high) = numbers.iter().fold((0.0_f64, 0.0_f64), |(low, high), n| {
            (low.min(*n), high.max(*n))
        });
        assert!(
            (-1.05..-0.45).contains(&low) && (0.45..1.05).contains(&high),
            "{low} {high}"
        );
        let leap = numbers
            .windows(2)
            .map(|p| (p[1] - p[0]).abs())
            .fold(0.0, f64::max);
        assert!(leap < 0.15, "{leap}");
    }
    let at = |x: f64, seed: i64| {
        let mut probe = Probe::new("chance.noise");
        probe.set("x", x).set("seed", seed).number_at(0.0)
    };
    assert_eq!(at(2.0, 3), at(2.0, 3));
    assert_ne!(at(2.0, 3), at(2.0, 4));
    // A whole number is no place of rest, and a far one no failure.
    assert!(at(2.0, 0) != 0.0 && at(1e300, 0).is_finite());
}

#[test]
fn at_the_corner_of_a_cell_noise_is_0_from_every_side() {
    for seed in 0..50 {
        assert_eq!(noise::gradient([3.0, -2.0, 5.0], seed), 0.0);
        let near = noise::gradient([3.0 - 1e-9, -2.0 + 1e-9, 5.0 - 1e-9], seed);
        assert!(near.abs() < 1e-8, "{near}");
    }
}

#[test]
fn a_drift_stays_in_its_range_and_is_where_its_time_is() {
    let mut probe = Probe::new("chance.drift");
    probe.set("rate", 2.0).set("low", -1.0).set("high", 3.0);
    let mut last = probe.number_at(0.0);
    let (mut low, mut high) = (last, last);
    for n in 1..4000 {
        let now = probe.number_at(f64::from(n) / 100.0);
        assert!((now - last).abs() < 0.2, "{n}: from {last} to {now}");
        (last, low, high) = (now, low.min(now), high.max(now));
    }
    assert!(
        (-1.0..-0.7).contains(&low) && (2.7..=3.0).contains(&high),
        "{low} {high}"
    );
    let mut other = Probe::new("chance.drift");
    other.set("rate", 2.0).set("low", -1.0).set("high", 3.0);
    assert_eq!(other.number_at(7.77), probe.number_at(7.77));
    // Two beats are a second, so that four beats take as long as one number in two seconds.
    let [mut by_seconds, mut by_beats] = [0; 2].map(|_| Probe::new("chance.drift"));
    by_beats.set("beats", 4.0);
    for time in [0.0, 0.5, 3.25] {
        assert_eq!(
            by_beats.number_at(time),
            by_seconds.number_at(time),
            "{time}"
        );
    }
}

#[test]
fn an_event_passes_as_often_as_it_should_and_only_while_it_lasts() {
    for (probability, range) in [(0.0, 0..=0), (0.25, 70..=130), (1.0, 400..=400)] {
        let mut probe = Probe::new("chance.is_true");
        probe.set("probability", probability);
        let passed = draws(&mut probe, 800);
        assert!(
            passed
                .iter()
                .step_by(2)
                .all(|even| *even == Value::Bool(false))
        );
        let count = passed
            .iter()
            .filter(|one| **one == Value::Bool(true))
            .count();
        assert!(range.contains(&count), "{probability}: {count}");
    }
}

#[test]
fn each_value_is_picked_at_times_and_none_is_an_error() {
    let mut probe = Probe::new("chance.pick");
    probe.set_many(
        "values",
        [
            Value::Vec2([1.0; 2]),
            Value::Vec2([2.0; 2]),
            Value::Number(3.0),
        ],
    );
    let picked = draws(&mut probe, 100);
    assert_eq!(different(&picked), 3);
    assert!(
        picked
            .iter()
            .skip(1)
            .step_by(2)
            .eq(picked.iter().skip(2).step_by(2).chain(picked.last()))
    );
    let mut probe = Probe::new("chance.pick");
    probe.now();
    let error = "chance.pick.values: expected at least one value, got none";
    assert_eq!(probe.error().as_deref(), Some(error));
}

#[test]
fn a_shuffled_list_has_the_same_numbers_in_every_order() {
    let mut probe = Probe::new("chance.shuffle");
    probe.set("list", Arc::<[f64]>::from([1.0, 2.0, 3.0]));
    let orders = draws(&mut probe, 200);
    assert_eq!(different(&orders), 6);
    for order in &orders {
        let Value::List(list) = order else {
            panic!("{order} is no list");
        };
        let mut sorted = list.to_vec();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(sorted, [1.0, 2.0, 3.0]);
    }
    assert!(orders[1] == orders[2] && orders[3] == orders[4]);
}

#[test]
fn a_walk_takes_short_steps_in_its_range_at_events() {
    let mut probe = Probe::new("chance.walk");
    probe.set("step", 0.5).set("low", 10.0).set("high", 12.0);
    let walked = draws(&mut probe, 400);
    assert_eq!(walked[0], Value::Number(11.0));
    let walked: Vec<f64> = walked.iter().map(number).collect();
    for (n, pair) in walked.windows(2).enumerate() {
        let step = (pair[1] - pair[0]).abs();
        assert!(step <= 0.5 && (step > 0.0) == (n % 2 == 0), "{n}: {step}");
        assert!((10.0..=12.0).contains(&pair[1]));
    }
    assert!(walked.iter().any(|n| *n < 10.4) && walked.iter().any(|n| *n > 11.6));
}
