//! Ten layers of a thousand nodes, each reading two neighbours of the layer before.

/// Nodes in a layer.
pub(crate) const WIDTH: usize = 1000;
/// Layers, the sources included.
pub(crate) const LAYERS: usize = 10;
/// Sources that are set in a tick.
pub(crate) const SET: usize = 10;

/// About 20 ns of arithmetic.
#[inline(never)]
pub(crate) fn work(a: f64, b: f64) -> f64 {
    let mut x = a * 0.75 + b * 0.25;
    for _ in 0..3 {
        x = (x * x + 1.0).sqrt() * 0.5;
    }
    x
}

/// The sources that a tick sets, spread over the layer, with their new values.
pub(crate) fn set(tick: u64) -> impl Iterator<Item = (usize, f64)> {
    (0..SET as u64).map(move |n| {
        let mixed = (tick * SET as u64 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        (mixed as usize % WIDTH, (tick % 1000) as f64 + n as f64)
    })
}

/// One way to keep the outputs of the grid up to date.
pub(crate) trait Evaluator {
    fn new() -> Self;
    /// Sets the sources of a tick and gives the sum of all outputs.
    fn tick(&mut self, tick: u64) -> f64;
}
