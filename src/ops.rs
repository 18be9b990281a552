//! The operators declared in Rust, a file for each category. Per-pixel functions are WGSL files instead, see
//! [`shader`](crate::shader).

pub mod context;
pub mod input;
pub mod number;
pub mod output;
pub mod smooth;
pub mod time;

#[cfg(test)]
mod probe;

#[cfg(test)]
#[path = "ops/tests.rs"]
mod tests;
