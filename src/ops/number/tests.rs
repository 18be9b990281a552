use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::ops::probe::Probe;
use crate::value::Value;

fn give(operator: &str, inputs: &[(&str, f64)]) -> Value {
    let mut probe = Probe::new(operator);
    for (name, value) in inputs {
        probe.set(name, *value);
    }
    let value = probe.now();
    assert_eq!(probe.error(), None, "{operator} {inputs:?}");
    value
}

/// An operator, its inputs, and what it gives.
type Row<'a> = (&'a str, &'a [(&'a str, f64)], f64);

/// Checks what formulas of numbers give, to the last few bits.
fn check(table: &[Row<'_>]) {
    for (operator, inputs, expected) in table {
        let Value::Number(got) = give(operator, inputs) else {
            panic!("{operator} gives no number");
        };
        assert!(
            (got - expected).abs() <= 1e-12 * expected.abs().max(1.0),
            "{operator} {inputs:?}: {got}, not {expected}"
        );
    }
}

#[test]
fn angles_and_powers_give_what_they_say() {
    check(&[
        ("num.neg", &[("value", 2.0)], -2.0),
        ("num.abs", &[("value", -2.0)], 2.0),
        ("num.floor", &[("value", -0.5)], -1.0),
        ("num.ceil", &[("value", 0.5)], 1.0),
        ("num.exp", &[("value", 0.0)], 1.0),
        ("num.exp2", &[("value", -1.0)], 0.5),
        ("num.log2", &[("value", 8.0)], 3.0),
        ("num.log2", &[("value", -8.0)], -1022.0),
        ("num.log10", &[("value", 1000.0)], 3.0),
        ("num.add", &[("a", 2.0), ("b", 3.0)], 5.0),
        ("num.mul", &[("a", 2.0), ("b", 3.0)], 6.0),
        ("num.min", &[("a", 2.0), ("b", 3.0)], 2.0),
        ("num.max", &[("a", 2.0), ("b", 3.0)], 3.0),
        ("num.hypot", &[("a", 3.0), ("b", -4.0)], 5.0),
        ("num.sin", &[("value", FRAC_PI_2)], 1.0),
        ("num.cos", &[("value", PI)], -1.0),
        ("num.tan", &[("value", FRAC_PI_4)], 1.0),
        ("num.asin", &[("value", 1.0)], FRAC_PI_2),
        ("num.asin", &[("value", -7.0)], -FRAC_PI_2),
        ("num.acos", &[("value", 0.0)], FRAC_PI_2),
        ("num.acos", &[("value", 7.0)], 0.0),
        ("num.atan", &[("value", 1.0)], FRAC_PI_4),
    ]);
}

#[test]
fn ranges_go_around_turn_back_and_have_an_inverse() {
    let range = |value| [("value", value), ("low", 10.0), ("high", 14.0)];
    check(&[
        ("num.unrange", &range(11.0), 0.25),
        ("num.unrange", &range(18.0), 2.0),
        ("num.unrange", &[("low", 1.0), ("high", 1.0)], 0.0),
        ("num.wrap", &range(10.0), 10.0),
        ("num.wrap", &range(14.0), 10.0),
        ("num.wrap", &range(19.0), 11.0),
        ("num.wrap", &range(9.0), 13.0),
        (
            "num.wrap",
            &[("value", 9.0), ("low", 1.0), ("high", -1.0)],
            -1.0,
        ),
        (
            "num.wrap",
            &[("value", 9.0), ("low", 3.0), ("high", 3.0)],
            3.0,
        ),
        ("num.wrap", &[("value", -1e-30)], 0.0),
        ("num.fold", &range(14.0), 14.0),
        ("num.fold", &range(15.0), 13.0),
        ("num.fold", &range(19.0), 11.0),
        ("num.fold", &range(8.0), 12.0),
        (
            "num.fold",
            &[("value", 9.0), ("low", 3.0), ("high", 3.0)],
            3.0,
        ),
        ("num.quantize", &[("value", 0.4), ("step", 0.25)], 0.5),
        ("num.quantize", &[("value", 0.4), ("step", 0.0)], 0.4),
        (
            "num.quantize",
            &[("value", 7.0), ("step", 5.0), ("offset", 1.0)],
            6.0,
        ),
    ]);
}

#[test]
fn bias_and_gain_bend_the_way_and_keep_its_ends() {
    for operator in ["num.bias", "num.gain"] {
        for amount in [0.0, 0.2, 0.5, 0.9, 1.0] {
            check(&[
                (operator, &[("value", 0.0), ("amount", amount)], 0.0),
                (operator, &[("value", 1.0), ("amount", amount)], 1.0),
                (operator, &[("value", 9.0), ("amount", amount)], 1.0),
            ]);
        }
        check(&[(operator, &[("value", 0.3), ("amount", 0.5)], 0.3)]);
    }
    check(&[
        ("num.bias", &[("value", 0.5), ("amount", 0.2)], 0.2),
        ("num.gain", &[("value", 0.25), ("amount", 0.2)], 0.1),
        ("num.gain", &[("value", 0.75), ("amount", 0.2)], 0.9),
        ("num.gain", &[("value", 0.5), ("amount", 0.9)], 0.5),
    ]);
}

#[test]
fn easing_is_along_the_curve_that_is_chosen() {
    check(&[("num.ease", &[("t", 0.25)], 0.0625)]);
    let mut probe = Probe::new("num.ease");
    probe
        .set("t", 0.5)
        .set("easing", crate::value::Easing::OutQuad);
    assert_eq!(probe.now(), Value::Number(0.75));
}

#[test]
fn comparisons_take_the_edges_that_they_say() {
    for (operator, on_less, on_equal, on_greater) in [
        ("num.gt", false, false, true),
        ("num.ge", false, true, true),
        ("num.lt", true, false, false),
        ("num.le", true, true, false),
        ("num.eq", false, true, false),
        ("num.ne", true, false, true),
    ] {
        for (a, expected) in [(1.0, on_less), (2.0, on_equal), (3.0, on_greater)] {
            let got = give(operator, &[("a", a), ("b", 2.0)]);
            assert_eq!(got, Value::Bool(expected), "{operator} {a}");
        }
    }
    let near = [("a", 1.0), ("b", 1.5), ("tolerance", -0.5)];
    assert_eq!(give("num.ne", &near), Value::Bool(false));
    for (value, expected) in [(0.9, false), (1.0, true), (3.0, true), (3.1, false)] {
        let inputs = [("value", value), ("low", 3.0), ("high", 1.0)];
        assert_eq!(
            give("num.is_between", &inputs),
            Value::Bool(expected),
            "{value}"
        );
    }
}

#[test]
fn a_whole_number_is_the_nearest_and_stops_at_the_largest() {
    for (value, expected) in [(1.5, 2), (-1.5, -2), (0.4, 0), (1e300, i64::MAX)] {
        assert_eq!(
            give("num.to_int", &[("value", value)]),
            Value::Int(expected)
        );
    }
}
