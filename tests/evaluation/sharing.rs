//! The cases of evaluation in which one node is asked in several contexts, or by several readers.

use gobo::graph::{Key, NodeId};
use gobo::value::Value;

use super::bench::{Bench, NOTHING, flag, many, number, on, text};

/// A draw at (sin(time), y, 0), and the position, whose y is a constant.
fn drawn(b: &mut Bench) -> (NodeId, NodeId) {
    let time = b.node("time", &[]);
    let sin = b.node("num.sin", &[("value", on(time))]);
    let position = b.node("vec3.of", &[("x", on(sin))]);
    (b.node("test.draw", &[("position", on(position))]), position)
}

fn at_offset(b: &mut Bench, source: NodeId, offset: f64) -> NodeId {
    b.node(
        "with_time",
        &[("source", on(source)), ("offset", number(offset))],
    )
}

#[test]
fn a_draw_shared_by_two_times_is_at_two_places_whether_keyed_or_connected() {
    let mut b = Bench::new();
    let (draw, position) = drawn(&mut b);
    let (early, late) = (
        at_offset(&mut b, draw, 100.0),
        at_offset(&mut b, draw, 200.0),
    );
    let place = |time: f64, y: f32| Value::Vec3([time.sin() as f32, y, 0.0]);
    for (time, y) in [(1.0, 0.0), (2.0, 5.0), (2.0, 6.0), (3.0, 6.0)] {
        b.at(time);
        // Keyed: a constant that is edited in each frame.
        b.set(position, "y", number(y));
        b.ran();
        assert_eq!(b.eval(early), place(time + 100.0, y as f32));
        assert_eq!(b.eval(late), place(time + 200.0, y as f32));
        assert_eq!(b.runs("test.draw"), 2);
    }
    b.eval(late);
    assert_eq!(b.ran(), NOTHING);
}

#[test]
fn a_constant_position_is_drawn_once_for_two_times_and_again_after_an_edit() {
    let mut b = Bench::new();
    let draw = b.node("test.draw", &[]);
    let (early, late) = (
        at_offset(&mut b, draw, 100.0),
        at_offset(&mut b, draw, 200.0),
    );
    for n in 1..4 {
        b.at(n.into());
        b.set(draw, "position", number(n.into()));
        assert_eq!(b.eval(early), Value::Vec3([n as f32; 3]));
        assert_eq!(b.eval(late), Value::Vec3([n as f32; 3]));
        assert_eq!(b.runs("test.draw"), 1);
    }
}

#[test]
fn what_a_loop_and_an_outside_reader_share_is_unlooped_outside_in_either_order() {
    for outside_first in [false, true] {
        let mut b = Bench::new();
        let index = b.node(
            "variable",
            &[("name", text("index")), ("default", number(-5.0))],
        );
        let body = b.node("num.add", &[("a", on(index)), ("b", number(10.0))]);
        let list = b.node("num.loop", &[("source", on(body)), ("count", number(3.0))]);
        let sum = b.node("list.sum", &[("list", on(list))]);
        let both = match outside_first {
            true => many(&[body, sum]),
            false => many(&[sum, body]),
        };
        let top = b.node("test.digits", &[("values", both)]);
        // 10 + 11 + 12 in the loop, -5 + 10 outside, as digits of weight 10.
        let expected = if outside_first { 83.0 } else { 335.0 };
        assert_eq!(b.number(top), expected);
        assert_eq!(b.runs("num.add"), 4);
        b.at(1.0);
        assert_eq!(b.number(top), expected);
        assert_eq!(b.ran(), NOTHING);
    }
}

#[test]
fn an_accumulator_with_two_readers_advances_once() {
    let mut b = Bench::new();
    let total = b.node("test.total", &[("value", number(3.0))]);
    let left = b.node("num.add", &[("a", on(total))]);
    let right = b.node("num.mul", &[("a", on(total)), ("b", number(1.0))]);
    for frame in 1..4 {
        b.at(frame.into());
        b.ran();
        let expected = f64::from(frame) * 3.0;
        assert_eq!((b.number(left), b.number(right)), (expected, expected));
        assert_eq!(b.runs("test.total"), 1);
    }
}

#[test]
fn damp_under_two_times_is_two_states() {
    let mut b = Bench::new();
    let time = b.node("time", &[]);
    let damp = b.node(
        "num.damp",
        &[("value", on(time)), ("half_life", number(0.1))],
    );
    let now = b.node("with_time", &[("source", on(damp))]);
    let late = at_offset(&mut b, damp, 10.0);
    assert_eq!((b.number(now), b.number(late)), (0.0, 10.0));
    b.at(0.1);
    b.ran();
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
    close(b.number(now), 0.05);
    close(b.number(late), 10.05);
    assert_eq!(b.runs("num.damp"), 2);
}

#[test]
fn a_variable_under_three_scopes_reads_as_each_sets_it() {
    let mut b = Bench::new();
    let x = b.node("variable", &[("default", number(-1.0))]);
    let scopes: Vec<NodeId> = (0..3)
        .map(|n| {
            let value = number(n.into());
            b.node("with_variable", &[("source", on(x)), ("value", value)])
        })
        .collect();
    for _ in 0..2 {
        let got: Vec<f64> = scopes.iter().map(|scope| b.number(*scope)).collect();
        assert_eq!(got, [0.0, 1.0, 2.0]);
    }
    assert_eq!(b.number(x), -1.0);
    assert_eq!(b.runs("variable"), 4);
    assert_eq!(b.graph.root(&Key::Variable("x".into())), None);
}

#[test]
fn two_windows_of_different_size_each_get_their_own_from_one_target() {
    let mut b = Bench::new();
    let width = b.node("width", &[]);
    let target = b.node("num.mul", &[("a", on(width)), ("b", number(2.0))]);
    assert_eq!(
        (b.sized(target, 640.0), b.sized(target, 1920.0)),
        (1280.0, 3840.0)
    );
    assert_eq!(b.ran(), ["num.mul", "width", "width", "num.mul"]);
    b.at(1.0);
    assert_eq!(
        (b.sized(target, 640.0), b.sized(target, 1920.0)),
        (1280.0, 3840.0)
    );
    assert_eq!(b.ran(), NOTHING);
}

#[test]
fn a_switch_gives_the_other_branch_in_the_frame_in_which_it_changes() {
    let mut b = Bench::new();
    let yes = b.node("num.add", &[("a", number(1.0))]);
    let no = b.node("num.mul", &[("a", number(2.0)), ("b", number(1.0))]);
    let pick = b.node(
        "bool.pick",
        &[("condition", flag(true)), ("yes", on(yes)), ("no", on(no))],
    );
    assert_eq!(b.number(pick), 1.0);
    b.at(1.0);
    b.set(yes, "a", number(10.0));
    b.set(no, "a", number(20.0));
    assert_eq!(b.number(pick), 10.0);
    b.at(2.0);
    b.ran();
    b.set(pick, "condition", flag(false));
    assert_eq!(b.number(pick), 20.0);
    assert_eq!(b.ran(), ["bool.pick", "num.mul"]);
}

#[test]
fn an_edit_between_the_mark_of_a_node_and_its_pull_is_applied() {
    let mut b = Bench::new();
    let sum = b.node("num.add", &[("a", number(1.0))]);
    let top = b.node("num.mul", &[("a", on(sum)), ("b", number(10.0))]);
    assert_eq!(b.number(top), 10.0);
    b.set(sum, "a", number(2.0));
    b.set(sum, "a", number(3.0));
    assert_eq!(b.number(sum), 3.0);
    // Pulled, but its reader not yet.
    b.set(sum, "a", number(4.0));
    b.ran();
    assert_eq!(b.number(top), 40.0);
    assert_eq!(b.ran(), ["num.add", "num.mul"]);
}

#[test]
fn an_output_that_nobody_looks_at_advances_when_it_is_pulled_with_the_rest() {
    let mut b = Bench::new();
    let steps = b.node("test.steps", &[]);
    let recorder = b.node("num.add", &[("a", on(steps))]);
    let window = b.node("time", &[]);
    for frame in 1..5 {
        b.at(frame.into());
        for sink in [window, recorder] {
            b.eval(sink);
        }
    }
    assert_eq!(b.number(steps), 4.0);
    assert_eq!(b.runs("test.steps"), 4);
}

#[test]
fn a_static_part_under_sixteen_times_is_computed_once() {
    let mut b = Bench::new();
    let mesh = b.node("num.sqrt", &[("value", number(9.0))]);
    let time = b.node("time", &[]);
    let body = b.node("num.add", &[("a", on(mesh)), ("b", on(time))]);
    let times: Vec<NodeId> = (0..16)
        .map(|n| at_offset(&mut b, body, f64::from(n) * 10.0))
        .collect();
    for frame in 0..3 {
        b.at(frame.into());
        for (n, at) in times.iter().enumerate() {
            assert_eq!(b.number(*at), 3.0 + f64::from(frame) + n as f64 * 10.0);
        }
        let ran = b.ran();
        let count = |name: &str| ran.iter().filter(|ran| *ran == name).count();
        assert_eq!(count("num.sqrt"), usize::from(frame == 0));
        assert_eq!(count("num.add"), 16);
    }
}
