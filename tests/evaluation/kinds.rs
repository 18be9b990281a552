//! Kinds: operators that take any, inputs that take several, and inputs that may be left out.

use gobo::graph::{NodeId, Source};
use gobo::value::{Kind, Value};

use super::bench::{Bench, NOTHING, flag, many, number, on};

const RED: Value = Value::Color([1.0, 0.0, 0.0, 1.0]);

#[test]
fn a_choice_between_pictures_is_a_picture_and_pulls_only_one() {
    let mut b = Bench::new();
    let (osc, noise) = (b.node("osc", &[]), b.node("noise", &[]));
    let pick = b.node("bool.pick", &[("yes", on(osc)), ("no", on(noise))]);
    assert_eq!(b.graph.kind(pick), Some(Kind::Image));
    b.ran();
    let got = b.eval(pick);
    assert_eq!(b.ran(), ["bool.pick", "noise"]);
    assert_eq!(got, b.eval(noise));
}

#[test]
fn a_number_and_a_colour_make_a_colour() {
    let mut b = Bench::new();
    let pick = b.node(
        "bool.pick",
        &[("yes", number(0.5)), ("no", Source::Constant(RED))],
    );
    assert_eq!(b.graph.kind(pick), Some(Kind::Color));
    assert_eq!(b.eval(pick), RED);
    b.set(pick, "condition", flag(true));
    assert_eq!(b.eval(pick), Value::Color([0.5, 0.5, 0.5, 1.0]));
    assert_eq!(b.runs("bool.pick"), 2);
}

#[test]
fn kinds_that_have_nothing_in_common_are_both_named_and_nothing_changes() {
    let mut b = Bench::new();
    let osc = b.node("osc", &[]);
    let pick = b.node("bool.pick", &[("yes", on(osc))]);
    let before = b.eval(pick);
    b.ran();
    let error = b.try_set(pick, "no", Source::Constant(RED)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bool.pick.no: expected picture, got colour"
    );
    assert_eq!(b.graph.kind(pick), Some(Kind::Image));
    assert_eq!(b.eval(pick), before);
    assert_eq!(b.ran(), NOTHING);
}

#[test]
fn several_values_keep_their_order_and_the_same_node_may_come_twice() {
    let mut b = Bench::new();
    let nodes: Vec<NodeId> = (1..4)
        .map(|n| b.node("num.add", &[("a", number(n.into()))]))
        .collect();
    let digits = b.node("test.digits", &[]);
    assert_eq!(b.number(digits), 0.0);
    for (order, expected) in [
        (&[0, 1, 2][..], 123.0),
        (&[2, 0, 2, 1], 3132.0),
        (&[1], 2.0),
        (&[], 0.0),
    ] {
        let order: Vec<NodeId> = order.iter().map(|at| nodes[*at]).collect();
        b.set(digits, "values", many(&order));
        assert_eq!(b.number(digits), expected);
    }
    b.set(digits, "values", many(&nodes));
    b.number(digits);
    b.ran();
    b.set(nodes[1], "a", number(7.0));
    assert_eq!(b.number(digits), 173.0);
    assert_eq!(b.ran(), ["num.add", "test.digits"]);
}

#[test]
fn an_input_left_out_is_another_thing_than_its_default() {
    let mut b = Bench::new();
    let maybe = b.node("test.maybe", &[]);
    assert_eq!(b.number(maybe), -1.0);
    b.set(maybe, "value", number(0.0));
    assert_eq!(b.number(maybe), 0.0);
    b.set(maybe, "value", Source::Unset);
    assert_eq!(b.number(maybe), -1.0);
    assert_eq!(b.runs("test.maybe"), 3);
    // Where it may not be left out, that gives the default.
    let gt = b.node("num.gt", &[("a", number(5.0))]);
    let before = b.eval(gt);
    b.set(gt, "a", Source::Unset);
    assert_ne!(b.eval(gt), before);
}
