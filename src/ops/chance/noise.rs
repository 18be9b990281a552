//! Gradient noise: random, but smooth in every direction.

use super::{hash, unit};
use crate::formula;
use crate::ops::number::fade;

formula! {
    /// Smooth noise in up to three directions, about -1 to 1: the same place always gives the same number.
    ///
    /// Perlin's gradient noise as improved in 2002 ("Improving Noise"), with a hash in place of his table, summed
    /// over octaves. Each octave is shifted by a random part of a cell, so that whole numbers are no places of rest.
    Noise "chance.noise" -> f64 {
        /// Where, in the first direction; the noise changes about once from one whole number to the next.
        x: f64 = 0.0;
        /// Where, in the second direction.
        y: f64 = 0.0;
        /// Where, in the third direction.
        z: f64 = 0.0;
        /// How many layers of ever finer noise are added, 1 to 16.
        octaves: i64 = 1, 1.0..=8.0;
        /// How strong each layer is, compared with the one before.
        gain: f64 = 0.5, 0.0..=1.0;
        /// How fine each layer is, compared with the one before.
        lacunarity: f64 = 2.0, 1.0..=4.0;
        /// Another seed gives another noise.
        seed: i64 = 0;
    } = fractal([x, y, z], octaves, gain.clamp(-1.0, 1.0), lacunarity, seed as u64)
}

/// Beyond this a cell is too small to be told from the next.
const FAR: f64 = 1e15;

/// Layers of noise, weighted so that their sum stays about -1 to 1.
fn fractal(at: [f64; 3], octaves: i64, gain: f64, lacunarity: f64, seed: u64) -> f64 {
    let (mut sum, mut total, mut weight, mut fineness) = (0.0, 0.0, 1.0, 1.0);
    for octave in 0..octaves.clamp(1, 16) as u64 {
        let seed = hash(seed, octave);
        let place = [0, 1, 2].map(|axis| {
            let place = at[axis] * fineness + unit(hash(seed, axis as u64));
            place.clamp(-FAR, FAR)
        });
        sum += weight * gradient(place, seed);
        total += f64::abs(weight);
        weight *= gain;
        fineness *= lacunarity.clamp(-16.0, 16.0);
    }
    sum / total
}

/// One layer: each corner of the cell pulls along a direction of its own.
pub(super) fn gradient(at: [f64; 3], seed: u64) -> f64 {
    let cell = at.map(f64::floor);
    let inside: [f64; 3] = std::array::from_fn(|axis| at[axis] - cell[axis]);
    let weights = inside.map(fade);
    (0..8_usize).fold(0.0, |sum, corner| {
        let side = [corner & 1, corner >> 1 & 1, corner >> 2];
        let weight: f64 = (0..3)
            .map(|axis| match side[axis] {
                0 => 1.0 - weights[axis],
                _ => weights[axis],
            })
            .product();
        let corner = (0..3).fold(seed, |hashed, axis| {
            hash(hashed, (cell[axis] as i64 + side[axis] as i64) as u64)
        });
        let away: [f64; 3] = std::array::from_fn(|axis| inside[axis] - side[axis] as f64);
        sum + weight * pull(corner, away)
    })
}

/// The product with one of twelve directions, from the middle of a cube to the middles of its edges.
fn pull(bits: u64, [x, y, z]: [f64; 3]) -> f64 {
    let (a, b) = match bits % 3 {
        0 => (x, y),
        1 => (y, z),
        _ => (z, x),
    };
    let signed = |n: f64, bit: u32| if bits >> bit & 1 == 0 { n } else { -n };
    signed(a, 62) + signed(b, 63)
}
