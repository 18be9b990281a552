//! Vectors of four numbers.

use super::narrow;
use crate::formula;

vectors! {
    4: x "vec4.x", y "vec4.y", neg "vec4.neg", abs "vec4.abs", add "vec4.add", sub "vec4.sub",
    mul "vec4.mul", div "vec4.div", min "vec4.min", max "vec4.max", clamp "vec4.clamp",
    lerp "vec4.lerp", dot "vec4.dot", length "vec4.length", distance "vec4.distance",
    normalize "vec4.normalize",
}

formula! {
    /// A vector from four numbers.
    Of "vec4.of" -> [f32; 4] {
        /// The first component.
        x: f64 = 0.0;
        /// The second component.
        y: f64 = 0.0;
        /// The third component.
        z: f64 = 0.0;
        /// The fourth component.
        w: f64 = 0.0;
    } = [x, y, z, w].map(narrow)
}

formula! {
    /// The third component of a vector.
    Z "vec4.z" -> f64 {
        /// The vector.
        value: [f32; 4] = [0.0; 4];
    } = value[2].into()
}

formula! {
    /// The fourth component of a vector.
    W "vec4.w" -> f64 {
        /// The vector.
        value: [f32; 4] = [0.0; 4];
    } = value[3].into()
}
