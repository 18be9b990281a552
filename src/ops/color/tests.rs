use super::super::probe::{Probe, expect};
use super::blend::{Mode, Space};
use crate::value::{Color, Port, Value};

const RED: &[f64] = &[1.0, 0.0, 0.0];
const ORANGE: &[f64] = &[1.0, 0.5, 0.0, 0.5];

#[test]
fn colours_are_made_in_each_space() {
    expect(&[
        ("color.of", &[&[0.1, 0.2, 0.3, 0.4]], &[0.1, 0.2, 0.3, 0.4]),
        (
            "color.rgb",
            &[&[0.1], &[0.2], &[0.3], &[2.0]],
            &[0.1, 0.2, 0.3, 1.0],
        ),
        ("color.hsv", &[&[0.0]], &[1.0, 0.0, 0.0, 1.0]),
        (
            "color.hsv",
            &[&[-2.0 / 3.0], &[1.0], &[0.5], &[0.5]],
            &[0.0, 0.5, 0.0, 0.5],
        ),
        (
            "color.hsv",
            &[&[1.0 / 12.0], &[0.5], &[1.0]],
            &[1.0, 0.75, 0.5, 1.0],
        ),
        // The Oklch of red as CSS Color 4 gives it.
        (
            "color.oklch",
            &[&[0.627955], &[0.257683], &[29.2339 / 360.0]],
            &[1.0, 0.0, 0.0, 1.0],
        ),
        ("color.oklch", &[&[1.0], &[0.4]], &[1.0, 1.0, 1.0, 1.0]),
        ("color.oklch", &[&[-1.0], &[0.4]], &[0.0, 0.0, 0.0, 1.0]),
    ]);
}

#[test]
fn a_colour_gives_its_parts() {
    expect(&[
        ("color.to_hsv", &[ORANGE], &[1.0 / 12.0, 1.0, 1.0]),
        (
            "color.to_hsv",
            &[&[0.0, 0.25, 0.5]],
            &[7.0 / 12.0, 1.0, 0.5],
        ),
        (
            "color.to_hsv",
            &[&[0.5, 0.0, 0.25]],
            &[11.0 / 12.0, 1.0, 0.5],
        ),
        (
            "color.to_hsv",
            &[&[0.25, 0.5, 0.25]],
            &[1.0 / 3.0, 0.5, 0.5],
        ),
        ("color.to_hsv", &[&[0.5]], &[0.0, 0.0, 0.5]),
        (
            "color.to_oklch",
            &[RED],
            &[0.627955, 0.257683, 29.2339 / 360.0],
        ),
        (
            "color.to_oklch",
            &[&[0.0, 0.0, 1.0]],
            &[0.452014, 0.313214, 264.052 / 360.0],
        ),
        ("color.to_oklch", &[&[1.0]], &[1.0, 0.0, 0.0]),
        ("color.r", &[&[0.1, 0.2, 0.3, 0.4]], &[0.1]),
        ("color.g", &[&[0.1, 0.2, 0.3, 0.4]], &[0.2]),
        ("color.b", &[&[0.1, 0.2, 0.3, 0.4]], &[0.3]),
        ("color.a", &[&[0.1, 0.2, 0.3, 0.4]], &[0.4]),
        ("color.luminance", &[&[0.0, 1.0, 0.0]], &[0.7152]),
        ("color.luminance", &[&[0.5]], &[0.214041]),
        ("color.luminance", &[&[0.04]], &[0.04 / 12.92]),
    ]);
}

#[test]
fn colours_are_reckoned_with_and_alpha_goes_its_own_way() {
    let pale: &[f64] = &[0.25, 0.5, 1.0, 0.5];
    expect(&[
        ("color.with_alpha", &[RED, &[0.25]], &[1.0, 0.0, 0.0, 0.25]),
        ("color.with_alpha", &[RED, &[-1.0]], &[1.0, 0.0, 0.0, 0.0]),
        ("color.add", &[ORANGE, pale], &[1.25, 1.0, 1.0, 0.5]),
        ("color.add", &[ORANGE, &[0.5]], &[1.5, 1.0, 0.5, 0.5]),
        ("color.sub", &[ORANGE, pale], &[0.75, 0.0, -1.0, 0.5]),
        ("color.mul", &[ORANGE, pale], &[0.25, 0.25, 0.0, 0.25]),
        ("color.mul", &[ORANGE, &[0.5]], &[0.5, 0.25, 0.0, 0.5]),
        ("color.invert", &[ORANGE], &[0.0, 0.5, 1.0, 0.5]),
    ]);
}

#[test]
fn a_mixture_is_that_of_its_space_and_of_what_is_opaque() {
    let mixed = |space: Space, a: &[f64], b: &[f64], amount: f64, expected: &[f64]| {
        let mut probe = Probe::of("color.mix", &[a, b, &[amount]]);
        probe.set("space", space).expect(expected);
    };
    let (black, white): (&[f64], &[f64]) = (&[0.0], &[1.0]);
    mixed(Space::Srgb, black, white, 0.25, &[0.25, 0.25, 0.25, 1.0]);
    let light = 1.055 * 0.5_f64.powf(1.0 / 2.4) - 0.055;
    mixed(
        Space::Linear,
        black,
        white,
        0.5,
        &[light, light, light, 1.0],
    );
    // Half the lightness is an eighth of the light.
    let eighth = 1.055 * 0.125_f64.powf(1.0 / 2.4) - 0.055;
    mixed(
        Space::Oklab,
        black,
        white,
        0.5,
        &[eighth, eighth, eighth, 1.0],
    );
    for space in [Space::Srgb, Space::Linear, Space::Oklab] {
        mixed(space, RED, &[0.0, 1.0, 0.0], -1.0, &[1.0, 0.0, 0.0, 1.0]);
        mixed(space, RED, &[0.0, 1.0, 0.0], 2.0, &[0.0, 1.0, 0.0, 1.0]);
        let green_glass: &[f64] = &[0.0, 1.0, 0.0, 0.0];
        mixed(space, RED, green_glass, 0.5, &[1.0, 0.0, 0.0, 0.5]);
    }
    let (clear, glass): (&[f64], &[f64]) = (&[0.0; 4], &[1.0, 1.0, 1.0, 0.0]);
    mixed(Space::Srgb, clear, glass, 0.5, &[0.5, 0.5, 0.5, 0.0]);
}

#[test]
fn each_mode_blends_as_its_formula_says() {
    let (below, top): (&[f64], &[f64]) = (&[0.25, 0.5, 1.0], &[0.5, 0.75, 0.0]);
    for (mode, [r, g, b]) in [
        (Mode::Normal, [0.5, 0.75, 0.0]),
        (Mode::Add, [0.75, 1.0, 1.0]),
        (Mode::Subtract, [0.0, 0.0, 1.0]),
        (Mode::Multiply, [0.125, 0.375, 0.0]),
        (Mode::Screen, [0.625, 0.875, 1.0]),
        (Mode::Overlay, [0.25, 0.75, 1.0]),
        (Mode::Darken, [0.25, 0.5, 0.0]),
        (Mode::Lighten, [0.5, 0.75, 1.0]),
        (Mode::Dodge, [0.5, 1.0, 1.0]),
        (Mode::Burn, [0.0, 1.0 / 3.0, 1.0]),
        (Mode::HardLight, [0.25, 0.75, 0.0]),
        (
            Mode::SoftLight,
            [0.25, 0.5 + 0.5 * (0.5_f64.sqrt() - 0.5), 1.0],
        ),
        (Mode::Difference, [0.25, 0.25, 1.0]),
        (Mode::Exclusion, [0.5, 0.5, 1.0]),
    ] {
        let mut probe = Probe::of("color.blend", &[below, top]);
        probe.set("mode", mode).expect(&[r, g, b, 1.0]);
    }
    // Where the formulas have poles, and the dark end of the gentle one.
    for (mode, below, top, expected) in [
        (Mode::Dodge, 0.0, 1.0, 0.0),
        (Mode::Dodge, 0.5, 1.0, 1.0),
        (Mode::Burn, 1.0, 0.0, 1.0),
        (Mode::Burn, 0.5, 0.0, 0.0),
        (Mode::SoftLight, 0.25, 1.0, 0.5),
        (Mode::SoftLight, 0.125, 1.0, 0.34375),
        (Mode::SoftLight, 0.5, 0.0, 0.25),
    ] {
        let mut probe = Probe::of("color.blend", &[&[below], &[top]]);
        let probe = probe.set("mode", mode);
        probe.expect(&[expected, expected, expected, 1.0]);
    }
}

#[test]
fn layers_compose_their_alphas() {
    let blue: &[f64] = &[0.0, 0.0, 1.0, 0.5];
    let (red, clear): (&[f64], &[f64]) = (&[1.0, 0.0, 0.0, 0.5], &[1.0, 0.0, 0.0, 0.0]);
    let third = 1.0 / 3.0;
    Probe::of("color.blend", &[blue, red]).expect(&[2.0 * third, 0.0, third, 0.75]);
    // Where nothing lies below, the mode has nothing to change.
    let mut probe = Probe::of("color.blend", &[&[0.0; 4], red]);
    probe.set("mode", Mode::Multiply);
    probe.expect(&[1.0, 0.0, 0.0, 0.5]);
    probe.set("mode", Mode::Normal).set("a", Color([0.0; 4]));
    probe.set("amount", 0.5).expect(&[1.0, 0.0, 0.0, 0.25]);
    Probe::of("color.blend", &[&[0.0; 4], clear]).expect(&[0.0; 4]);
}

/// The Oklch of what an operator gives.
fn oklch(probe: &mut Probe) -> [f32; 3] {
    let color = Color::from_value(&probe.now());
    let mut back = Probe::new("color.to_oklch");
    back.set("color", color.unwrap_or(Color([0.0; 4])));
    match back.now() {
        Value::Vec3(lch) => lch,
        other => panic!("{other} is no vector"),
    }
}

#[test]
fn shades_change_one_thing_that_the_eye_sees() {
    let rose: &[f64] = &[0.7, 0.4, 0.5, 0.5];
    let [lightness, chroma, hue] = oklch(&mut Probe::of("color.of", &[rose]));
    for (operator, amount, expected) in [
        ("color.lighten", 0.1, [lightness + 0.1, chroma, hue]),
        ("color.darken", 0.1, [lightness - 0.1, chroma, hue]),
        ("color.saturate", 0.5, [lightness, chroma * 0.5, hue]),
        ("color.saturate", 1.2, [lightness, chroma * 1.2, hue]),
        ("color.saturate", 0.0, [lightness, 0.0, 0.0]),
        (
            "color.shift_hue",
            0.25,
            [lightness, chroma, (hue + 0.25) % 1.0],
        ),
        ("color.shift_hue", -3.0, [lightness, chroma, hue]),
    ] {
        let mut probe = Probe::of(operator, &[rose, &[amount]]);
        let got = oklch(&mut probe);
        let is_near = got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4);
        assert!(
            is_near,
            "{operator} {amount}: expected {expected:?}, got {got:?}"
        );
    }
    expect(&[
        ("color.lighten", &[rose, &[1.0]], &[1.0, 1.0, 1.0, 0.5]),
        ("color.darken", &[rose, &[1.0]], &[0.0, 0.0, 0.0, 0.5]),
    ]);
}

#[test]
fn what_a_screen_cannot_show_keeps_its_lightness_and_hue() {
    for step in 0..16 {
        let (lightness, hue) = (0.15 + 0.045 * f64::from(step), f64::from(step) / 16.0);
        let mut probe = Probe::of("color.oklch", &[&[lightness], &[0.4], &[hue]]);
        let Value::Color(color) = probe.now() else {
            panic!("no colour");
        };
        assert!(color.iter().all(|n| (0.0..=1.0).contains(n)), "{color:?}");
        let [got, chroma, found] = oklch(&mut probe);
        let off = (f64::from(found) - hue + 0.5).rem_euclid(1.0) - 0.5;
        let is_kept = (f64::from(got) - lightness).abs() < 1e-3 && off.abs() < 2e-3;
        assert!(
            is_kept && chroma > 0.05,
            "{lightness} {hue}: {got} {chroma} {found}"
        );
    }
}

#[test]
fn a_palette_is_waves_of_red_green_and_blue() {
    let third = |turns: f64| 0.5 + 0.5 * (turns * std::f64::consts::TAU).cos();
    expect(&[
        ("color.palette", &[], &[1.0, third(0.33), third(0.67), 1.0]),
        (
            "color.palette",
            &[&[0.25]],
            &[0.5, third(0.58), third(0.92), 1.0],
        ),
        (
            "color.palette",
            &[&[0.5], &[0.2, 0.9, 0.5], &[0.5], &[1.0, 2.0, 0.0], &[0.0]],
            &[0.0, 1.0, 1.0, 1.0],
        ),
    ]);
}

#[test]
fn a_colour_is_picked_by_a_place_that_wraps() {
    let mut probe = Probe::new("color.pick");
    probe.expect(&[0.0, 0.0, 0.0, 1.0]);
    let colors = [0.1, 0.2, 0.3].map(|n| Color([n, n, n, 1.0]));
    probe.set_many("colors", colors);
    for (index, n) in [
        (1.0, 0.1),
        (2.9, 0.2),
        (3.0, 0.3),
        (4.0, 0.1),
        (0.0, 0.3),
        (-1.5, 0.1),
    ] {
        probe.set("index", index).expect(&[n, n, n, 1.0]);
    }
}
