//! Two colours become one: side by side in a mixture, or one on top of the other.

use super::space::{decoded, encoded, light_from_oklab, oklab_from_light};
use super::{BLACK, WHITE, colored, rgb};
use crate::choice;
use crate::formula;
use crate::value::Color;

choice! {
    /// Where a mixture of colours is computed.
    Space {
        /// As the eye sees colours.
        Oklab "oklab",
        /// As light adds up.
        Linear "linear",
        /// As the numbers are.
        Srgb "srgb",
    }
}

formula! {
    /// Between two colours: 0 gives `a`, 1 gives `b`.
    ///
    /// In `oklab` the steps look even (Björn Ottosson, 2020), in `linear` the mixture is that of lights, in `srgb` it
    /// is that of the numbers, as in a gradient. A colour counts by its alpha, so that a transparent one doesn't show.
    Mix "color.mix" -> Color {
        /// What 0 gives.
        a: Color = BLACK;
        /// What 1 gives.
        b: Color = WHITE;
        /// How far from `a` to `b`, 0 to 1.
        amount: f64 = 0.5, 0.0..=1.0;
        /// Where the mixture is computed.
        space: Space = Space::Oklab;
    } = mix(a, b, amount, space)
}

fn mix(a: Color, b: Color, amount: f64, space: Space) -> Color {
    if amount <= 0.0 {
        return a;
    }
    if amount >= 1.0 {
        return b;
    }
    let enter = |color| match space {
        Space::Srgb => rgb(color),
        Space::Linear => rgb(color).map(decoded),
        Space::Oklab => oklab_from_light(rgb(color).map(decoded)),
    };
    let (from, to) = (enter(a), enter(b));
    let [from_alpha, to_alpha] = [a, b].map(|color| f64::from(color.0[3].clamp(0.0, 1.0)));
    let alpha = from_alpha + (to_alpha - from_alpha) * amount;
    let share = match alpha {
        0.0 => amount,
        alpha => to_alpha * amount / alpha,
    };
    let mixed = std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share);
    let mixed = match space {
        Space::Srgb => mixed,
        Space::Linear => mixed.map(encoded),
        Space::Oklab => light_from_oklab(mixed).map(encoded),
    };
    colored(mixed, alpha)
}

choice! {
    /// How a colour on top changes the one below.
    Mode {
        /// It covers it.
        Normal "normal",
        /// Their sum, at most white.
        Add "add",
        /// What is left of the one below, at least black.
        Subtract "subtract",
        /// Their product, darker than both.
        Multiply "multiply",
        /// The product of what they lack of white, lighter than both.
        Screen "screen",
        /// `multiply` where the one below is dark, `screen` where it is light.
        Overlay "overlay",
        /// The smaller of each component.
        Darken "darken",
        /// The larger of each component.
        Lighten "lighten",
        /// The one below, brighter towards the one on top.
        Dodge "dodge",
        /// The one below, darker towards the one on top.
        Burn "burn",
        /// `multiply` where the one on top is dark, `screen` where it is light.
        HardLight "hard_light",
        /// As `hard_light`, gently.
        SoftLight "soft_light",
        /// How far they are apart.
        Difference "difference",
        /// As `difference`, with less contrast.
        Exclusion "exclusion",
    }
}

formula! {
    /// A colour on top of another.
    ///
    /// The formulas are those of Compositing and Blending Level 1 (W3C, 2015), with `add` and `subtract` besides;
    /// components count as within 0 to 1. The alphas are composed as of one layer over another.
    Blend "color.blend" -> Color {
        /// The colour below.
        a: Color = BLACK;
        /// The colour on top.
        b: Color = WHITE;
        /// How it changes the one below.
        mode: Mode = Mode::Normal;
        /// What the alpha of the one on top is multiplied by, 0 to 1.
        amount: f64 = 1.0, 0.0..=1.0;
    } = blend(a, b, mode, amount)
}

fn blend(Color(below): Color, Color(top): Color, mode: Mode, amount: f64) -> Color {
    let [below, top] = [below, top].map(|color| color.map(|n| f64::from(n).clamp(0.0, 1.0)));
    let (under, over) = (below[3], top[3] * amount.clamp(0.0, 1.0));
    let alpha = over + under * (1.0 - over);
    if alpha == 0.0 {
        return Color([0.0; 4]);
    }
    let blended = std::array::from_fn(|i| {
        let (below, top) = (below[i], top[i]);
        let source = (1.0 - under) * top + under * blended(below, top, mode);
        (over * source + (1.0 - over) * under * below) / alpha
    });
    colored(blended, alpha)
}

/// One component of opaque colours.
fn blended(below: f64, top: f64, mode: Mode) -> f64 {
    let screen = |a: f64, b: f64| a + b - a * b;
    let hard = |a: f64, b: f64| match b <= 0.5 {
        true => a * 2.0 * b,
        false => screen(a, 2.0 * b - 1.0),
    };
    match mode {
        Mode::Normal => top,
        Mode::Add => (below + top).min(1.0),
        Mode::Subtract => (below - top).max(0.0),
        Mode::Multiply => below * top,
        Mode::Screen => screen(below, top),
        Mode::Overlay => hard(top, below),
        Mode::Darken => below.min(top),
        Mode::Lighten => below.max(top),
        Mode::Dodge if below == 0.0 => 0.0,
        Mode::Dodge if top == 1.0 => 1.0,
        Mode::Dodge => (below / (1.0 - top)).min(1.0),
        Mode::Burn if below == 1.0 => 1.0,
        Mode::Burn if top == 0.0 => 0.0,
        Mode::Burn => 1.0 - ((1.0 - below) / top).min(1.0),
        Mode::HardLight => hard(below, top),
        Mode::SoftLight if top <= 0.5 => below - (1.0 - 2.0 * top) * below * (1.0 - below),
        Mode::SoftLight => {
            let lit = match below <= 0.25 {
                true => ((16.0 * below - 12.0) * below + 4.0) * below,
                false => below.sqrt(),
            };
            below + (2.0 * top - 1.0) * (lit - below)
        }
        Mode::Difference => (below - top).abs(),
        Mode::Exclusion => below + top - 2.0 * below * top,
    }
}
