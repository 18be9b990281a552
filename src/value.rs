//! The values that flow along connections.

mod image;

pub use image::{Composition, Draw, Image, PixelFunction, Size};
