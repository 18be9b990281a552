//! Vectors of three numbers.

use super::narrow;
use crate::formula;

vectors! {
    3: x "vec3.x", y "vec3.y", neg "vec3.neg", abs "vec3.abs", add "vec3.add", sub "vec3.sub",
    mul "vec3.mul", div "vec3.div", min "vec3.min", max "vec3.max", clamp "vec3.clamp",
    lerp "vec3.lerp", dot "vec3.dot", length "vec3.length", distance "vec3.distance",
    normalize "vec3.normalize",
}

formula! {
    /// A vector from three numbers.
    Of "vec3.of" -> [f32; 3] {
        /// The first component.
        x: f64 = 0.0;
        /// The second component.
        y: f64 = 0.0;
        /// The third component.
        z: f64 = 0.0;
    } = [x, y, z].map(narrow)
}

formula! {
    /// The third component of a vector.
    Z "vec3.z" -> f64 {
        /// The vector.
        value: [f32; 3] = [0.0; 3];
    } = value[2].into()
}

formula! {
    /// The cross product: a vector at right angles to two others, as long as the area that they span.
    Cross "vec3.cross" -> [f32; 3] {
        /// Left side.
        a: [f32; 3] = [0.0; 3];
        /// Right side.
        b: [f32; 3] = [0.0; 3];
    } = cross(a.map(f64::from), b.map(f64::from)).map(narrow)
}

pub(super) fn cross([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}
