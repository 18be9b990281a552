use super::Beyond;
use crate::ops::probe::Probe;
use crate::value::Value;

#[test]
fn one_or_the_other_but_not_both() {
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut probe = Probe::new("bool.xor");
        assert_eq!(probe.set("a", a).set("b", b).now(), Value::Bool(a != b));
    }
}

#[test]
fn a_condition_is_1_or_0() {
    let mut probe = Probe::new("bool.to_number");
    assert_eq!(probe.now(), Value::Number(0.0));
    assert_eq!(probe.set("condition", true).now(), Value::Number(1.0));
}

#[test]
fn a_condition_picks_one_of_two_values_of_any_kind() {
    let mut probe = Probe::new("bool.pick");
    probe.set("yes", [1.0_f32, 2.0]).set("no", 3.0);
    assert_eq!(probe.now(), Value::Vec2([3.0; 2]));
    assert_eq!(probe.set("condition", true).now(), Value::Vec2([1.0, 2.0]));
}

#[test]
fn a_switch_counts_from_1_and_goes_around_or_stops() {
    let mut probe = Probe::new("num.switch");
    probe.set_many("values", [10.0, 20.0, 30.0]);
    for (index, wrapped, clamped) in [
        (1.0, 10.0, 10.0),
        (2.4, 20.0, 20.0),
        (3.0, 30.0, 30.0),
        (4.0, 10.0, 30.0),
        (0.0, 30.0, 10.0),
        (-1.0, 20.0, 10.0),
    ] {
        probe.set("index", index);
        for (beyond, expected) in [(Beyond::Wrap, wrapped), (Beyond::Clamp, clamped)] {
            let got = probe.set("beyond", beyond).now();
            assert_eq!(got, Value::Number(expected), "{index} {beyond:?}");
        }
    }
}

#[test]
fn a_switch_takes_values_of_one_kind_and_fails_without_any() {
    let mut probe = Probe::new("num.switch");
    probe.set_many("values", [Value::Bool(true), Value::Bool(false)]);
    assert_eq!(probe.now(), Value::Bool(true));
    let mut probe = Probe::new("num.switch");
    probe.now();
    let error = "num.switch.values: expected at least one value, got none";
    assert_eq!(probe.error().as_deref(), Some(error));
}

#[test]
fn only_the_chosen_value_is_evaluated() {
    let mut probe = Probe::new("num.switch");
    let [spare, chosen] = ["beat", "time"].map(|name| probe.add(name));
    probe.feed_many("values", [spare, chosen]);
    probe.set("index", 2.0);
    assert_eq!(probe.at(3.0), Value::Number(3.0));
    let has_run = |id| probe.graph.status(id).and_then(|status| status.last_run);
    assert_eq!((has_run(spare), has_run(chosen)), (None, Some(2)));
}
