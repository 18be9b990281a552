//! Outputs as pictures.

use crate::graph::{Cx, GraphError, Update};
use crate::operator;
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

operator! {
    /// What an output showed in the last frame; `o0` to `o3` are nodes of it.
    Output "output" -> Image {
        /// Which output, from 0.
        index: f64 = 0.0, 0.0..=3.0;
    }
}

impl Update for Output {
    type Output = Image;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Image, GraphError> {
        let index = cx.get(self.index)?.round().clamp(0.0, (OUTPUTS - 1) as f64);
        Ok(Image::new(Draw::Output(index as usize)))
    }
}
