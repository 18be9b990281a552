//! The operators declared in Rust, a file for each category. Per-pixel functions are WGSL files instead, see
//! [`shader`](crate::shader).

pub mod color;
pub mod context;
pub mod gradient;
pub mod input;
pub mod list;
pub mod number;
pub mod output;
pub mod smooth;
pub mod text;
pub mod time;
pub mod vector;

#[cfg(test)]
mod probe;

#[cfg(test)]
#[path = "ops/tests.rs"]
mod tests;
