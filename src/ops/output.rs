//! Outputs as pictures.

use crate::formula;
use crate::value::{Draw, Image};

/// How many outputs a show has.
pub const OUTPUTS: usize = 4;

/// What the window shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// One output, from 0.
    One(usize),
    /// All four outputs, two by two: o0 and o1 above o2 and o3.
    Grid,
}

formula! {
    /// What an output showed in the last frame; `o0` to `o3` are nodes of it.
    Output "output" -> Image {
        /// Which output, from 0.
        index: f64 = 0.0, 0.0..=3.0;
    } = Image::new(Draw::Output(index.round().clamp(0.0, (OUTPUTS - 1) as f64) as usize))
}
