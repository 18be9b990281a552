use crate::ops::probe::{Probe, RATES, near};
use crate::value::{Color, Easing, Value};

#[test]
fn a_follower_covers_half_of_the_way_in_each_half_life_at_any_frame_rate() {
    for rate in RATES {
        let mut probe = Probe::new("num.damp");
        probe.set("value", 8.0).set("half_life", 0.5);
        near(probe.number_at(0.0), 8.0, "first");
        near(probe.set("value", 0.0).play(0.0, 0.5, rate), 4.0, "one");
        near(probe.play(0.5, 1.5, rate), 1.0, "three");
        assert_eq!(probe.set("half_life", 0.0).number_at(1.5), 0.0);
    }
}

#[test]
fn values_of_several_numbers_follow_in_each_of_them() {
    let table = [
        (
            "vec2.damp",
            Value::Vec2([0.0; 2]),
            Value::Vec2([1.0, 2.0]),
            Value::Vec2([0.5, 1.0]),
        ),
        (
            "vec3.damp",
            Value::Vec3([0.0; 3]),
            Value::Vec3([1.0, 2.0, 3.0]),
            Value::Vec3([0.5, 1.0, 1.5]),
        ),
        (
            "vec4.damp",
            Value::Vec4([0.0; 4]),
            Value::Vec4([1.0, 2.0, 3.0, 4.0]),
            Value::Vec4([0.5, 1.0, 1.5, 2.0]),
        ),
        (
            "color.damp",
            Value::Color([0.0; 4]),
            Value::Color([1.0, 0.0, 0.0, 1.0]),
            Value::Color([0.5, 0.0, 0.0, 0.5]),
        ),
    ];
    for (operator, from, to, half) in table {
        let mut probe = Probe::new(operator);
        probe.set("half_life", 0.0625).set("value", from).at(0.0);
        assert_eq!(probe.set("value", to).at(0.0625), half, "{operator}");
    }
    for (operator, from, to) in [
        (
            "vec2.spring",
            Value::Vec2([0.0; 2]),
            Value::Vec2([2.0, 4.0]),
        ),
        (
            "vec3.spring",
            Value::Vec3([0.0; 3]),
            Value::Vec3([2.0, 4.0, 6.0]),
        ),
    ] {
        let mut probe = Probe::new(operator);
        probe.set("half_life", 0.0625).set("value", from).at(0.0);
        let got = probe.set("value", to).at(0.0625);
        match got {
            Value::Vec2(got) => assert_eq!(got, [1.0, 2.0]),
            Value::Vec3(got) => assert_eq!(got, [1.0, 2.0, 3.0]),
            other => panic!("{operator} gave {other}"),
        }
    }
}

#[test]
fn a_follower_of_the_largest_numbers_stays_finite_and_comes_back() {
    for operator in [
        "num.damp",
        "num.spring",
        "num.slew",
        "num.average",
        "num.ease_to",
    ] {
        let mut probe = Probe::new(operator);
        for (frame, value) in [f64::MAX, f64::MIN, f64::MAX, 0.0].into_iter().enumerate() {
            probe.set("value", value).at(frame as f64 / 20.0);
            assert_eq!(probe.error(), None, "{operator} {frame}");
        }
        if operator != "num.slew" {
            near(probe.play(0.2, 200.0, 20.0), 0.0, operator);
        }
    }
    let mut probe = Probe::new("vec2.damp");
    probe.set("value", [f32::MAX, f32::MIN]).at(0.0);
    probe.set("value", [f32::MIN, f32::MAX]).at(0.1);
    assert_eq!(probe.error(), None);
    // A value that stands still stays exactly what it is.
    let mut probe = Probe::new("color.damp");
    let color = Color([0.1, 0.2, 0.3, 1.0]);
    assert_eq!(probe.set("value", color).at(0.0), Value::Color(color.0));
}

#[test]
fn a_spring_without_bounce_covers_half_in_its_half_life_and_never_passes() {
    for rate in RATES {
        let mut probe = Probe::new("num.spring");
        probe.set("half_life", 0.5).number_at(0.0);
        near(probe.set("value", 1.0).play(0.0, 0.5, rate), 0.5, "half");
        for frame in 0..200 {
            let at = probe.number_at(0.5 + f64::from(frame) / 20.0);
            assert!(at <= 1.0 + 1e-12, "{frame}: {at}");
        }
        near(probe.number_at(10.5), 1.0, "there");
    }
}

#[test]
fn a_spring_is_the_exact_solution_at_any_frame_rate() {
    for bounce in [0.3, 0.9, 1.0] {
        let at = |rate| {
            let mut probe = Probe::new("num.spring");
            probe
                .set("half_life", 0.2)
                .set("bounce", bounce)
                .number_at(0.0);
            probe.set("value", 1.0).play(0.0, 1.0, rate)
        };
        let reference = at(20.0);
        for rate in RATES {
            near(at(rate), reference, "rate");
        }
    }
    // Without any damping it swings about its target with its own period.
    let mut probe = Probe::new("num.spring");
    probe
        .set("half_life", 1.678_346_990_016_66)
        .set("bounce", 1.0)
        .number_at(0.0);
    probe.set("value", 1.0);
    let steps = 1000.0 / std::f64::consts::TAU;
    near(
        probe.play(0.0, std::f64::consts::PI, steps),
        2.0,
        "half a period",
    );
    near(
        probe.play(std::f64::consts::PI, std::f64::consts::TAU, steps),
        0.0,
        "a period",
    );
    assert_eq!(
        probe.set("half_life", 0.0).number_at(std::f64::consts::TAU),
        1.0
    );
}

#[test]
fn a_peak_jumps_up_and_falls_by_halves() {
    for rate in RATES {
        let mut probe = Probe::new("num.smooth_peak");
        probe.set("half_life", 0.5).number_at(0.0);
        assert_eq!(probe.set("value", 1.0).number_at(0.0), 1.0);
        near(
            probe.set("value", 0.0).play(0.0, 1.0, rate),
            0.25,
            "two half-lives",
        );
        assert_eq!(probe.set("value", 0.75).number_at(1.0), 0.75);
    }
}

#[test]
fn a_slew_is_as_fast_as_it_may_be() {
    for rate in RATES {
        let mut probe = Probe::new("num.slew");
        probe.set("up", 2.0).set("down", 0.5).number_at(0.0);
        near(probe.set("value", 1.0).play(0.0, 0.25, rate), 0.5, "up");
        near(probe.play(0.25, 1.0, rate), 1.0, "there");
        near(probe.set("value", 0.0).play(1.0, 2.0, rate), 0.5, "down");
        near(probe.set("down", -1.0).play(2.0, 3.0, rate), 0.5, "never");
    }
}

#[test]
fn each_new_number_is_reached_along_the_curve_from_where_it_is() {
    for rate in RATES {
        let mut probe = Probe::new("num.ease_to");
        probe.set("seconds", 1.0).set("easing", Easing::InQuad);
        assert_eq!(probe.set("value", 4.0).number_at(0.0), 4.0);
        near(probe.set("value", 8.0).play(0.0, 0.5, rate), 5.0, "half");
        near(probe.set("value", 1.0).number_at(0.5), 5.0, "turned");
        near(probe.play(0.5, 1.0, rate), 4.0, "half of the other way");
        near(probe.play(1.0, 1.5, rate), 1.0, "there");
        near(
            probe.set("seconds", 0.0).set("value", 7.0).number_at(1.5),
            7.0,
            "at once",
        );
    }
}

#[test]
fn a_mean_weighs_each_moment_by_how_long_it_lasted() {
    for rate in RATES {
        let mut probe = Probe::new("num.average");
        probe.feed("value", "time").set("seconds", 1.0);
        near(probe.play(0.0, 0.5, rate), 0.25, "of what there is");
        near(probe.play(0.5, 3.0, rate), 2.5, "of a second");
        near(probe.set("seconds", 0.0).number_at(3.0), 3.0, "of no time");
        near(
            probe.set("seconds", 99.0).play(3.0, 20.0, rate),
            15.0,
            "of ten seconds",
        );
    }
}

#[test]
fn a_sum_over_time_is_an_integral() {
    for rate in RATES {
        let mut probe = Probe::new("num.accumulate");
        near(
            probe.set("value", 2.0).play(0.0, 1.5, rate),
            3.0,
            "constant",
        );
        assert_eq!(probe.set("reset", true).number_at(2.0), 0.0);
        near(probe.set("reset", false).play(2.0, 3.0, rate), 2.0, "again");
        let mut probe = Probe::new("num.accumulate");
        probe.feed("value", "time");
        near(probe.play(0.0, 2.0, rate), 2.0, "a line");
        let mut probe = Probe::new("num.accumulate");
        probe.set("value", -0.5).set("wrap", 1.0);
        near(
            probe.play(0.0, 3.0 + 1.0 / rate, rate),
            0.5 - 0.5 / rate,
            "wrapped",
        );
    }
    let mut probe = Probe::new("num.accumulate");
    probe.set("value", f64::MAX).play(0.0, 60.0, 20.0);
    assert_eq!(probe.error(), None);
}
