//! Colours: display-referred sRGB with straight alpha, nominally 0 to 1.

use super::list::nth;
use super::vector::narrow;
use crate::graph::{Cx, GraphError, Update};
use crate::value::{Color, Many};
use crate::{formula, operator};

pub mod blend;
pub mod shade;
mod space;

#[cfg(test)]
mod tests;

pub(super) const BLACK: Color = Color([0.0, 0.0, 0.0, 1.0]);
const WHITE: Color = Color([1.0; 4]);

formula! {
    /// A colour.
    Of "color.of" -> Color {
        /// The colour.
        color: Color = WHITE;
    } = color
}

formula! {
    /// A colour from red, green and blue.
    Rgb "color.rgb" -> Color {
        /// Red.
        r: f64 = 1.0, 0.0..=1.0;
        /// Green.
        g: f64 = 1.0, 0.0..=1.0;
        /// Blue.
        b: f64 = 1.0, 0.0..=1.0;
        /// Alpha: 0 is transparent.
        a: f64 = 1.0, 0.0..=1.0;
    } = colored([r, g, b], a)
}

formula! {
    /// A colour from hue, saturation and value.
    Hsv "color.hsv" -> Color {
        /// Where on the colour wheel, in turns: 0 is red, a third green, two thirds blue.
        hue: f64 = 0.0, 0.0..=1.0;
        /// From grey to full colour, 0 to 1.
        saturation: f64 = 1.0, 0.0..=1.0;
        /// From black to full colour, 0 to 1.
        value: f64 = 1.0, 0.0..=1.0;
        /// Alpha: 0 is transparent.
        a: f64 = 1.0, 0.0..=1.0;
    } = {
        let hsv = [hue, saturation.clamp(0.0, 1.0), value.max(0.0)];
        colored(space::srgb_from_hsv(hsv), a)
    }
}

formula! {
    /// A colour from lightness, chroma and hue as the eye sees them: one that differs in hue only is as light.
    ///
    /// Where a screen can't show it, its chroma is made as small as it must be. Oklch is Oklab by Björn Ottosson
    /// (2020) in polar form.
    Oklch "color.oklch" -> Color {
        /// How light, 0 to 1.
        lightness: f64 = 0.7, 0.0..=1.0;
        /// How far from grey, 0 to 0.4; what a screen can show ends earlier, and differs with the hue.
        chroma: f64 = 0.15, 0.0..=0.4;
        /// Where on the colour wheel, in turns: 0 is pink, a quarter yellow, a half teal, three quarters blue.
        hue: f64 = 0.0, 0.0..=1.0;
        /// Alpha: 0 is transparent.
        a: f64 = 1.0, 0.0..=1.0;
    } = colored(space::shown([lightness, chroma, hue]), a)
}

formula! {
    /// The hue in turns, the saturation and the value of a colour. A grey has the hue 0; what is below 0 counts as 0.
    ToHsv "color.to_hsv" -> [f32; 3] {
        /// The colour.
        color: Color = WHITE;
    } = space::hsv(rgb(color)).map(narrow)
}

formula! {
    /// The lightness, the chroma and the hue in turns of a colour, as `color.oklch` takes them. A grey has the hue 0.
    ToOklch "color.to_oklch" -> [f32; 3] {
        /// The colour.
        color: Color = WHITE;
    } = space::oklch(rgb(color)).map(narrow)
}

/// Numbers of one colour.
macro_rules! components {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = |$color:ident| $body:expr;)*) => {$(
        formula! {
            $(#[doc = $doc])*
            $name $lua -> f64 {
                /// The colour.
                $color: Color = WHITE;
            } = $body
        }
    )*};
}

components! {
    /// How red a colour is.
    R "color.r" = |color| color.0[0].into();
    /// How green a colour is.
    G "color.g" = |color| color.0[1].into();
    /// How blue a colour is.
    B "color.b" = |color| color.0[2].into();
    /// How opaque a colour is.
    A "color.a" = |color| color.0[3].into();
    /// How much light a colour gives, 0 for black to 1 for white: Rec. 709 weights of its linear components.
    Luminance "color.luminance" = |color| {
        let [r, g, b] = rgb(color).map(space::decoded);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
}

formula! {
    /// A colour with another alpha.
    WithAlpha "color.with_alpha" -> Color {
        /// The colour.
        color: Color = WHITE;
        /// Its alpha: 0 is transparent.
        alpha: f64 = 1.0, 0.0..=1.0;
    } = colored(rgb(color), alpha)
}

formula! {
    /// The sum of two colours; the alpha is that of the left one.
    Add "color.add" -> Color {
        /// Left side.
        a: Color = BLACK;
        /// Right side.
        b: Color = BLACK;
    } = zip(a, b, |a, b| a + b)
}

formula! {
    /// The difference of two colours; the alpha is that of the left one.
    Sub "color.sub" -> Color {
        /// Left side.
        a: Color = BLACK;
        /// Right side.
        b: Color = BLACK;
    } = zip(a, b, |a, b| a - b)
}

formula! {
    /// The product of two colours, that of their alphas included; a number leaves the alpha as it is.
    Mul "color.mul" -> Color {
        /// Left side.
        a: Color = WHITE;
        /// Right side.
        b: Color = WHITE;
    } = {
        let Color(mut product) = zip(a, b, |a, b| a * b);
        product[3] = narrow(f64::from(a.0[3]) * f64::from(b.0[3]));
        Color(product)
    }
}

formula! {
    /// The opposite of a colour: white for black, with the same alpha.
    Invert "color.invert" -> Color {
        /// The colour.
        color: Color = WHITE;
    } = zip(color, WHITE, |a, white| white - a)
}

operator! {
    /// One of several colours, by its place; black without any.
    Pick "color.pick" -> Color {
        /// Which one, counted from 1; a fraction is dropped, and after the last one comes the first again.
        index: f64 = 1.0;
        /// The colours.
        colors: Many<Color> = Many::none();
    }
}

impl Update for Pick {
    type Output = Color;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Color, GraphError> {
        let index = cx.get(self.index)?;
        match nth(index, cx.count(self.colors)) {
            Some(at) => cx.nth(self.colors, at),
            None => Ok(BLACK),
        }
    }
}

/// Red, green and blue of a colour.
fn rgb(Color([r, g, b, _]): Color) -> [f64; 3] {
    [r, g, b].map(f64::from)
}

/// The colour of red, green, blue and an alpha, which stays within 0 to 1.
fn colored([r, g, b]: [f64; 3], alpha: f64) -> Color {
    Color([r, g, b, alpha.clamp(0.0, 1.0)].map(narrow))
}

/// Two colours component by component, with the alpha of the first one.
fn zip(a: Color, b: Color, f: impl Fn(f64, f64) -> f64) -> Color {
    let (from, to) = (rgb(a), rgb(b));
    let [r, g, b] = std::array::from_fn(|i| narrow(f(from[i], to[i])));
    Color([r, g, b, a.0[3]])
}
