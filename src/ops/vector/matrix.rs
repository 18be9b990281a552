//! Transforms as matrices of 4 by 4, column after column, for columns on their right.

use std::sync::Arc;

use super::narrow;
use super::quaternion::{NO_ROTATION, rotated};
use crate::formula;
use crate::value::{Mat4, Quaternion};

const IDENTITY: Mat4 = [
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
];

formula! {
    /// A transform that scales, then turns, then moves.
    Of "mat4.of" -> Arc<Mat4> {
        /// How far it moves.
        translation: [f32; 3] = [0.0; 3];
        /// How it turns.
        rotation: Quaternion = NO_ROTATION;
        /// What it multiplies each axis by.
        scale: [f32; 3] = [1.0; 3];
    } = {
        let mut matrix = IDENTITY;
        for axis in 0..3 {
            let mut along = [0.0; 3];
            along[axis] = scale[axis];
            let column = rotated(along, rotation).map(narrow);
            matrix[axis * 4..axis * 4 + 3].copy_from_slice(&column);
        }
        matrix[12..15].copy_from_slice(&translation);
        Arc::new(matrix)
    }
}

formula! {
    /// Two transforms after one another: `b` first, then `a`.
    Mul "mat4.mul" -> Arc<Mat4> {
        /// The second transform.
        a: Arc<Mat4> = IDENTITY;
        /// The first transform.
        b: Arc<Mat4> = IDENTITY;
    } = {
        let column = |at: usize| [b[at], b[at + 1], b[at + 2], b[at + 3]].map(f64::from);
        let cell = |at: usize| narrow(times(&a, column(at / 4 * 4))[at % 4]);
        Arc::new(std::array::from_fn(cell))
    }
}

formula! {
    /// Where a transform moves a point. One with a perspective divides by the depth, unless that is 0.
    Transform "mat4.transform" -> [f32; 3] {
        /// The transform.
        matrix: Arc<Mat4> = IDENTITY;
        /// The point.
        point: [f32; 3] = [0.0; 3];
    } = {
        let [x, y, z] = point.map(f64::from);
        let [x, y, z, w] = times(&matrix, [x, y, z, 1.0]);
        let depth = if w == 0.0 { 1.0 } else { w };
        [x / depth, y / depth, z / depth].map(narrow)
    }
}

fn times(matrix: &Mat4, column: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|row| {
        let products = (0..4).map(|i| f64::from(matrix[i * 4 + row]) * column[i]);
        products.sum()
    })
}
