//! Colours from a colour, changed as the eye sees it in Oklch (Björn Ottosson, 2020), and from a formula.

use std::f64::consts::TAU;

use super::{WHITE, colored, rgb, space};
use crate::formula;
use crate::value::Color;

/// Changes of lightness, chroma and hue, each by a number.
macro_rules! shades {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident $lua:literal { $(#[doc = $idoc:literal])* $amount:ident = $default:literal, $range:expr }
            = |$lightness:ident, $chroma:ident, $hue:ident| $body:expr;
    )*) => {$(
        formula! {
            $(#[doc = $doc])*
            ///
            /// Where a screen can't show it, its chroma is made as small as it must be.
            $name $lua -> Color {
                /// The colour.
                color: Color = WHITE;
                $(#[doc = $idoc])*
                $amount: f64 = $default, $range;
            } = {
                let [$lightness, $chroma, $hue] = space::oklch(rgb(color));
                colored(space::shown($body), color.0[3].into())
            }
        }
    )*};
}

shades! {
    /// A lighter colour of the same hue.
    Lighten "color.lighten" {
        /// What is added to the lightness; 1 makes black white.
        amount = 0.1, 0.0..=1.0
    } = |lightness, chroma, hue| [lightness + amount, chroma, hue];
    /// A darker colour of the same hue.
    Darken "color.darken" {
        /// What is taken off the lightness; 1 makes white black.
        amount = 0.1, 0.0..=1.0
    } = |lightness, chroma, hue| [lightness - amount, chroma, hue];
    /// A more or less colourful colour of the same lightness and hue.
    Saturate "color.saturate" {
        /// What the chroma is multiplied by: 0 makes a grey, 1 changes nothing.
        amount = 2.0, 0.0..=4.0
    } = |lightness, chroma, hue| [lightness, chroma * amount, hue];
    /// A colour of another hue and the same lightness.
    ShiftHue "color.shift_hue" {
        /// How far around the colour wheel, in turns.
        turns = 0.1, 0.0..=1.0
    } = |lightness, chroma, hue| [lightness, chroma, hue + turns.fract()];
}

formula! {
    /// A colour of a palette that waves make: `offset + amplitude * cos(2π (frequency * at + phase))`, within 0 to 1.
    ///
    /// From Inigo Quilez, Palettes, iquilezles.org/articles/palettes; the defaults are his rainbow.
    Palette "color.palette" -> Color {
        /// Where in the palette; with whole frequencies it repeats after 1.
        at: f64 = 0.0, 0.0..=1.0;
        /// The middle of the waves of red, green and blue.
        offset: [f32; 3] = [0.5; 3];
        /// How far the waves go to both sides of it.
        amplitude: [f32; 3] = [0.5; 3];
        /// How many waves there are from 0 to 1.
        frequency: [f32; 3] = [1.0; 3];
        /// Where each wave begins, in turns.
        phase: [f32; 3] = [0.0, 0.33, 0.67];
    } = {
        let wave = |i: usize| {
            let [offset, amplitude, frequency, phase] =
                [offset, amplitude, frequency, phase].map(|of| f64::from(of[i]));
            // Far out a place has no fraction left, and farther out no number.
            let turns = (frequency * at).clamp(f64::MIN, f64::MAX) % 1.0 + phase;
            (offset + amplitude * (turns * TAU).cos()).clamp(0.0, 1.0)
        };
        colored(std::array::from_fn(wave), 1.0)
    }
}
