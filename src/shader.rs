//! Shaders: WGSL files become operators, and picture descriptions become passes.
//!
//! A [`Program`] is what must compile; a [`Pass`] is a program with this frame's numbers; a [`Plan`] is the list
//! of passes that draws one picture. The structure of a picture decides the programs, its numbers never do, so
//! that changing a number compiles nothing.

mod fuse;
pub mod picture;
mod pixel;
mod reflect;

use std::sync::Arc;

pub use fuse::{Fuser, LARGEST_PASS};
pub use pixel::{add_built_in, pixel_spec};
pub use reflect::validate;

use crate::value::Size;

/// Why a shader file can't be used, and where.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ShaderError {
    /// The file, as the sketch names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What was expected and what came.
    pub message: String,
    /// The text of that line.
    pub source_line: String,
}

/// A fused shader: one full-screen pass without its numbers.
///
/// The module has the entry points `vertex` (3 vertices, one triangle over the whole target) and `fragment`
/// (one `vec4f` at location 0, straight alpha, display-referred). Group 0 holds: binding 0, a uniform block of
/// `numbers` consecutive `f32` (absent when 0); binding 1, a linear sampler that repeats, and from binding 2 on
/// one 2D texture each (both absent when `textures` is 0). Coordinates run from (0, 0) bottom left to (1, 1).
#[derive(Debug)]
pub struct Program {
    /// Identifies the structure; equal keys have equal text.
    pub key: u128,
    /// The module.
    pub wgsl: String,
    /// How many `f32` its uniform block has.
    pub numbers: usize,
    /// How many textures it samples.
    pub textures: usize,
}

/// Where a pass finds one of its textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texture {
    /// What an output showed in the last frame.
    Output(usize),
    /// The result of an earlier pass of the same plan, by position.
    Pass(usize),
}

/// One full-screen draw.
#[derive(Clone, Debug)]
pub struct Pass {
    /// What runs.
    pub program: Arc<Program>,
    /// The uniform block, in the order of the program's struct; every number is finite.
    pub numbers: Vec<f32>,
    /// One for each texture of the program.
    pub textures: Vec<Texture>,
    /// Size of the target; `None` is the size of the output that shows the plan.
    pub size: Option<Size>,
}

/// The passes that draw one picture, in order; the last one draws the picture itself.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// In the order in which they run.
    pub passes: Vec<Pass>,
}

#[cfg(test)]
#[path = "shader/tests.rs"]
mod tests;
