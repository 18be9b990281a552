//! The operators declared in Rust, a file for each category. Per-pixel functions are WGSL files instead, see
//! [`shader`](crate::shader).

pub mod chance;
pub mod color;
pub mod context;
pub mod envelope;
pub mod event;
pub mod gradient;
pub mod input;
pub mod list;
pub mod logic;
pub mod number;
pub mod output;
pub mod smooth;
pub mod text;
pub mod time;
pub mod vector;
pub mod wave;

mod past;

#[cfg(test)]
mod probe;

#[cfg(test)]
#[path = "ops/tests.rs"]
mod tests;
