use std::f64::consts::{FRAC_PI_2, PI};

use super::super::probe::{Case, Probe, expect};
use crate::value::{Quaternion, Value};

#[test]
fn vectors_are_made_of_numbers_and_taken_apart() {
    expect(&[
        ("vec2.of", &[&[1.0], &[2.0]], &[1.0, 2.0]),
        ("vec3.of", &[&[1.0], &[2.0], &[3.0]], &[1.0, 2.0, 3.0]),
        (
            "vec4.of",
            &[&[1.0], &[2.0], &[3.0], &[4.0]],
            &[1.0, 2.0, 3.0, 4.0],
        ),
        ("vec2.x", &[&[1.0, 2.0]], &[1.0]),
        ("vec2.y", &[&[1.0, 2.0]], &[2.0]),
        ("vec3.x", &[&[1.0, 2.0, 3.0]], &[1.0]),
        ("vec3.y", &[&[1.0, 2.0, 3.0]], &[2.0]),
        ("vec3.z", &[&[1.0, 2.0, 3.0]], &[3.0]),
        ("vec4.x", &[&[1.0, 2.0, 3.0, 4.0]], &[1.0]),
        ("vec4.y", &[&[1.0, 2.0, 3.0, 4.0]], &[2.0]),
        ("vec4.z", &[&[1.0, 2.0, 3.0, 4.0]], &[3.0]),
        ("vec4.w", &[&[1.0, 2.0, 3.0, 4.0]], &[4.0]),
    ]);
}

#[test]
fn formulas_hold_for_vectors_of_any_count_of_components() {
    // What two components give; the third and fourth are zeros on both sides, or repeat the ones before.
    let table: &[Case<'_>] = &[
        ("neg", &[&[1.0, -2.0]], &[-1.0, 2.0]),
        ("abs", &[&[1.0, -2.0]], &[1.0, 2.0]),
        ("add", &[&[1.0, 2.0], &[3.0, 5.0]], &[4.0, 7.0]),
        ("add", &[&[1.0, 2.0], &[3.0, 3.0]], &[4.0, 5.0]),
        ("sub", &[&[1.0, 2.0], &[3.0, 5.0]], &[-2.0, -3.0]),
        ("mul", &[&[1.0, 2.0], &[3.0, 5.0]], &[3.0, 10.0]),
        ("div", &[&[1.0, 5.0], &[0.0, 2.0]], &[0.0, 2.5]),
        ("min", &[&[1.0, 5.0], &[3.0, 2.0]], &[1.0, 2.0]),
        ("max", &[&[1.0, 5.0], &[3.0, 2.0]], &[3.0, 5.0]),
        (
            "clamp",
            &[&[-1.0, 9.0], &[0.0, 5.0], &[1.0, 4.0]],
            &[0.0, 5.0],
        ),
        ("normalize", &[&[0.0, 0.0]], &[0.0, 0.0]),
    ];
    for n in 2..=4 {
        let longer = |numbers: &[f64]| -> Vec<f64> { (0..n).map(|i| numbers[i % 2]).collect() };
        for (name, inputs, expected) in table {
            let inputs: Vec<Vec<f64>> = inputs.iter().map(|numbers| longer(numbers)).collect();
            let inputs: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
            Probe::of(&format!("vec{n}.{name}"), &inputs).expect(&longer(expected));
        }
        let side = |at: usize, size: f64| -> Vec<f64> {
            (0..n).map(|i| if i == at { size } else { 0.0 }).collect()
        };
        let (first, last) = (side(0, 3.0), side(n - 1, 4.0));
        let both: Vec<f64> = first.iter().zip(&last).map(|(a, b)| a + b).collect();
        let operator = |name: &str| format!("vec{n}.{name}");
        let half = both.iter().map(|n| n / 2.0).collect::<Vec<_>>();
        let unit = both.iter().map(|n| n / 5.0).collect::<Vec<_>>();
        let twice = both.iter().map(|n| n * 2.0).collect::<Vec<_>>();
        Probe::of(&operator("dot"), &[&both, &first]).expect(&[9.0]);
        Probe::of(&operator("length"), &[&both]).expect(&[5.0]);
        Probe::of(&operator("distance"), &[&first, &last]).expect(&[5.0]);
        Probe::of(&operator("normalize"), &[&both]).expect(&unit);
        Probe::of(&operator("lerp"), &[&[0.0], &both, &[0.5]]).expect(&half);
        Probe::of(&operator("lerp"), &[&[0.0], &both, &[2.0]]).expect(&twice);
    }
}

#[test]
fn a_number_fills_a_vector() {
    expect(&[
        ("vec2.mul", &[&[1.0, 2.0], &[3.0]], &[3.0, 6.0]),
        ("vec3.add", &[&[1.0], &[1.0, 2.0, 3.0]], &[2.0, 3.0, 4.0]),
    ]);
}

#[test]
fn what_is_too_large_becomes_the_largest() {
    let most = f64::from(f32::MAX);
    for (operator, inputs) in [
        ("vec2.of", [&[1e300], &[1e300]]),
        ("vec2.add", [&[most], &[most]]),
        ("vec2.mul", [&[most], &[most]]),
        ("vec2.div", [&[most], &[0.1]]),
    ] {
        let got = Probe::of(operator, &[inputs[0], inputs[1]]).now();
        assert_eq!(got, Value::Vec2([f32::MAX; 2]), "{operator}");
    }
}

#[test]
fn flat_vectors_turn_and_have_an_angle() {
    expect(&[
        ("vec2.rotate", &[&[2.0, 1.0], &[FRAC_PI_2]], &[-1.0, 2.0]),
        ("vec2.angle", &[&[0.0, 2.0]], &[FRAC_PI_2]),
        ("vec2.angle", &[&[-1.0, -0.0]], &[PI]),
        ("vec2.angle", &[&[-0.0, -0.0]], &[0.0]),
        ("vec2.polar", &[&[FRAC_PI_2], &[3.0]], &[0.0, 3.0]),
        ("vec2.polar", &[&[PI]], &[-1.0, 0.0]),
    ]);
}

const UP: &[f64] = &[0.0, 1.0, 0.0];
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// A quarter turn about each axis.
const QUARTER_X: &[f64] = &[HALF, 0.0, 0.0, HALF];
const QUARTER_Y: &[f64] = &[0.0, HALF, 0.0, HALF];
const QUARTER_Z: &[f64] = &[0.0, 0.0, HALF, HALF];

#[test]
fn rotations_turn_counterclockwise_and_follow_one_another() {
    let none: &[f64] = &[0.0, 0.0, 0.0, 1.0];
    let zero: &[f64] = &[0.0; 4];
    expect(&[
        (
            "vec3.cross",
            &[&[1.0, 0.0, 0.0], &[0.0, 2.0, 0.0]],
            &[0.0, 0.0, 2.0],
        ),
        ("quat.of_axis", &[&[0.0, 5.0, 0.0], &[FRAC_PI_2]], QUARTER_Y),
        ("quat.of_axis", &[&[0.0], &[1.0]], none),
        (
            "vec3.rotate",
            &[&[1.0, 2.0, 3.0], QUARTER_Y],
            &[3.0, 2.0, -1.0],
        ),
        (
            "vec3.rotate",
            &[&[1.0, 2.0, 3.0], &[0.0, 7.0, 0.0, 7.0]],
            &[3.0, 2.0, -1.0],
        ),
        ("vec3.rotate", &[UP, zero], UP),
        ("quat.mul", &[QUARTER_Y, QUARTER_X], &[0.5, 0.5, -0.5, 0.5]),
        ("quat.of_euler", &[&[FRAC_PI_2], &[0.0]], QUARTER_X),
        ("quat.of_euler", &[&[0.0], &[FRAC_PI_2]], QUARTER_Y),
        ("quat.of_euler", &[&[0.0], &[0.0], &[FRAC_PI_2]], QUARTER_Z),
        // z doesn't matter to what lies on it, then x tips it down, which y leaves as it is.
        (
            "quat.of_euler",
            &[&[FRAC_PI_2], &[FRAC_PI_2]],
            &[0.5, 0.5, -0.5, 0.5],
        ),
        ("quat.inverse", &[QUARTER_Y], &[0.0, -HALF, 0.0, HALF]),
        ("quat.inverse", &[zero], none),
    ]);
    // About z first, then x, then y: the x axis goes up, then towards the viewer, then to the right again.
    let angles: [&[f64]; 3] = [&[FRAC_PI_2]; 3];
    let Value::Quaternion(turned) = Probe::of("quat.of_euler", &angles).now() else {
        panic!("no rotation");
    };
    let mut probe = Probe::of("vec3.rotate", &[&[1.0, 0.0, 0.0]]);
    probe.set("rotation", Quaternion(turned));
    probe.expect(&[1.0, 0.0, 0.0]);
}

#[test]
fn slerp_goes_the_shorter_way_at_an_even_pace() {
    let none: &[f64] = &[0.0, 0.0, 0.0, 1.0];
    let about_y = |turns: f64| [0.0, (turns * PI).sin(), 0.0, (turns * PI).cos()];
    expect(&[
        ("quat.slerp", &[none, QUARTER_Y, &[0.0]], none),
        ("quat.slerp", &[none, QUARTER_Y, &[1.0]], QUARTER_Y),
        ("quat.slerp", &[none, QUARTER_Y], &about_y(0.125)),
        ("quat.slerp", &[none, QUARTER_Y, &[0.25]], &about_y(0.0625)),
        ("quat.slerp", &[none, QUARTER_Y, &[2.0]], &about_y(0.5)),
        // The same rotation written with the other sign.
        (
            "quat.slerp",
            &[none, &[0.0, -HALF, 0.0, -HALF]],
            &about_y(0.125),
        ),
        ("quat.slerp", &[QUARTER_Y, QUARTER_Y], QUARTER_Y),
    ]);
}

#[test]
fn a_transform_scales_then_turns_then_moves() {
    let moved: &[f64] = &[
        0.0, 0.0, -2.0, 0.0, 0.0, 3.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 5.0, 6.0, 7.0, 1.0,
    ];
    let perspective: &[f64] = &[
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0,
    ];
    let doubled: &[f64] = &[
        2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    expect(&[
        (
            "mat4.of",
            &[&[5.0, 6.0, 7.0], QUARTER_Y, &[2.0, 3.0, 4.0]],
            moved,
        ),
        (
            "mat4.transform",
            &[moved, &[1.0, 1.0, 1.0]],
            &[9.0, 9.0, 5.0],
        ),
        (
            "mat4.transform",
            &[perspective, &[4.0, 2.0, 2.0]],
            &[2.0, 1.0, 1.0],
        ),
        (
            "mat4.transform",
            &[perspective, &[4.0, 2.0, 0.0]],
            &[4.0, 2.0, 0.0],
        ),
        // Doubled first, then moved, and the other way round.
        (
            "mat4.mul",
            &[moved, doubled],
            &[
                0.0, 0.0, -4.0, 0.0, 0.0, 6.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 5.0, 6.0, 7.0, 1.0,
            ],
        ),
        (
            "mat4.mul",
            &[doubled, moved],
            &[
                0.0, 0.0, -4.0, 0.0, 0.0, 6.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 10.0, 12.0, 14.0, 1.0,
            ],
        ),
    ]);
}
