use std::sync::Arc;

use super::super::probe::{Probe, expect};
use super::Place;
use crate::graph::{Key, Library, Source};
use crate::value::{Port, Value};

#[test]
fn lists_are_made_of_numbers() {
    let mut probe = Probe::new("list.of");
    probe.expect(&[]);
    probe.set_many("items", [3.0, 1.0]).expect(&[3.0, 1.0]);
    expect(&[
        (
            "list.range",
            &[&[3.0], &[10.0], &[20.0]],
            &[10.0, 15.0, 20.0],
        ),
        ("list.range", &[&[1.0], &[10.0], &[20.0]], &[10.0]),
        ("list.range", &[&[-1.0]], &[]),
    ]);
    let most = Probe::of("list.range", &[&[1e15]]).now();
    Probe::of(
        "list.count",
        &[&Arc::<[f64]>::from_value(&most).unwrap_or_default()],
    )
    .expect(&[10_000.0]);
}

#[test]
fn a_number_is_picked_by_a_place_that_wraps() {
    let list: &[f64] = &[10.0, 20.0, 40.0];
    for (blend, places) in [
        (
            Place::Hold,
            [
                (1.0, 10.0),
                (2.6, 20.0),
                (4.0, 10.0),
                (0.0, 40.0),
                (-2.5, 40.0),
            ],
        ),
        (
            Place::Nearest,
            [
                (1.0, 10.0),
                (2.6, 40.0),
                (3.5, 10.0),
                (0.4, 40.0),
                (-2.5, 10.0),
            ],
        ),
        (
            Place::Linear,
            [
                (1.0, 10.0),
                (2.5, 30.0),
                (3.5, 25.0),
                (0.5, 25.0),
                (-1.75, 12.5),
            ],
        ),
    ] {
        for (index, expected) in places {
            let mut probe = Probe::of("list.pick", &[list, &[index]]);
            probe.set("blend", blend).expect(&[expected]);
        }
    }
    expect(&[("list.pick", &[&[], &[2.0]], &[0.0])]);
}

#[test]
fn a_list_is_measured() {
    let list: &[f64] = &[3.0, -1.0, 4.0];
    expect(&[
        ("list.sum", &[list], &[6.0]),
        ("list.mean", &[list], &[2.0]),
        ("list.smallest", &[list], &[-1.0]),
        ("list.largest", &[list], &[4.0]),
        ("list.count", &[list], &[3.0]),
        ("list.sum", &[&[]], &[0.0]),
        ("list.mean", &[&[]], &[0.0]),
        ("list.smallest", &[&[]], &[0.0]),
        ("list.largest", &[&[]], &[0.0]),
        ("list.count", &[&[]], &[0.0]),
    ]);
    let most = Probe::of("list.sum", &[&[f64::MAX, f64::MAX]]).now();
    assert_eq!(most, Value::Number(f64::MAX));
}

#[test]
fn lists_meet_item_by_item_and_the_shorter_one_starts_over() {
    let (long, short): (&[f64], &[f64]) = (&[1.0, 2.0, 3.0], &[10.0, 0.0]);
    expect(&[
        ("list.add", &[long, short], &[11.0, 2.0, 13.0]),
        ("list.add", &[short, long], &[11.0, 2.0, 13.0]),
        ("list.sub", &[long, short], &[-9.0, 2.0, -7.0]),
        ("list.mul", &[long, &[2.0]], &[2.0, 4.0, 6.0]),
        ("list.div", &[long, short], &[0.1, 0.0, 0.3]),
        ("list.add", &[long, &[]], &[]),
        ("list.lerp", &[long, short, &[0.5]], &[5.5, 1.0, 6.5]),
        ("list.lerp", &[long, short, &[2.0]], &[19.0, -2.0, 17.0]),
    ]);
    let far = Probe::of("list.lerp", &[&[-1e308], &[1e308], &[0.0]]).now();
    assert_eq!(far, Value::List([-1e308].into()));
}

#[test]
fn lists_are_put_in_another_order_or_length() {
    let list: &[f64] = &[3.0, 1.0, 2.0];
    expect(&[
        ("list.resample", &[list, &[5.0]], &[3.0, 2.0, 1.0, 1.5, 2.0]),
        ("list.resample", &[list, &[2.0]], &[3.0, 2.0]),
        ("list.resample", &[list, &[1.0]], &[3.0]),
        ("list.resample", &[list, &[0.0]], &[]),
        ("list.resample", &[&[7.0], &[2.0]], &[7.0, 7.0]),
        ("list.resample", &[&[], &[2.0]], &[]),
        ("list.reverse", &[list], &[2.0, 1.0, 3.0]),
        ("list.rotate", &[list], &[2.0, 3.0, 1.0]),
        ("list.rotate", &[list, &[-1.5]], &[1.0, 2.0, 3.0]),
        ("list.rotate", &[list, &[3.0]], list),
        ("list.rotate", &[&[], &[1.0]], &[]),
        ("list.sort", &[list], &[1.0, 2.0, 3.0]),
        ("list.slice", &[list], list),
        ("list.slice", &[list, &[2.0]], &[1.0, 2.0]),
        ("list.slice", &[list, &[-2.9], &[-2.0]], &[1.0]),
        ("list.slice", &[list, &[-9.0], &[1.5]], &[3.0]),
        ("list.slice", &[list, &[3.0], &[2.0]], &[]),
        ("list.slice", &[list, &[4.0], &[9.0]], &[]),
        ("list.slice", &[list, &[1.0], &[0.0]], &[]),
    ]);
    let mut join = Probe::new("list.join");
    let lists = [vec![1.0, 2.0], vec![], vec![3.0]].map(Arc::<[f64]>::from);
    join.set_many("lists", lists).expect(&[1.0, 2.0, 3.0]);
    let long = Arc::<[f64]>::from([0.5; 9_999]);
    join.set_many("lists", [long.clone(), long]);
    let joined = Arc::<[f64]>::from_value(&join.now()).unwrap_or_default();
    assert_eq!(joined.len(), 10_000);
}

#[test]
fn a_signal_is_computed_for_each_number() {
    let list: &[f64] = &[10.0, 20.0, 30.0];
    for (name, expected) in [
        ("item", [10.0, 20.0, 30.0]),
        ("index", [0.0, 1.0, 2.0]),
        ("u", [0.0, 0.5, 1.0]),
    ] {
        let mut map = Probe::of("list.map", &[list]);
        map.feed("source", "variable");
        map.set_below("source", "name", Arc::<str>::from(name));
        map.expect(&expected);
    }
    // What doesn't read any of them is the same for each.
    Probe::of("list.map", &[list, &[7.0]]).expect(&[7.0; 3]);
}

#[test]
fn state_is_kept_apart_for_each_place() {
    let library = Library::built_in();
    let mut map = Probe::of("list.map", &[&[0.0, 1.0]]);
    let add = |name: &str, map: &mut Probe| library.get(name).map(|spec| map.graph.add(spec));
    let (Some(damp), Some(item)) = (add("num.damp", &mut map), add("variable", &mut map)) else {
        panic!("an operator is missing");
    };
    let name = Source::Constant(Value::Text("item".into()));
    assert_eq!(map.graph.set(item, 0, name), Ok(()));
    assert_eq!(map.graph.set(damp, 0, Source::Node(item)), Ok(()));
    assert_eq!(map.graph.set(map.node, 1, Source::Node(damp)), Ok(()));
    map.expect(&[0.0, 1.0]);
    map.set("list", Arc::<[f64]>::from([1.0, 3.0]));
    // One half-life of 0.1 seconds: each goes half of its own way.
    map.begin(0.1);
    map.graph.set_root(&Key::Frame, Some(Value::Number(2.0)));
    map.expect(&[0.5, 2.0]);
}
