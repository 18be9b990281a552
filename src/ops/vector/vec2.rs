//! Vectors of two numbers.

use super::narrow;
use crate::formula;

vectors! {
    2: x "vec2.x", y "vec2.y", neg "vec2.neg", abs "vec2.abs", add "vec2.add", sub "vec2.sub",
    mul "vec2.mul", div "vec2.div", min "vec2.min", max "vec2.max", clamp "vec2.clamp",
    lerp "vec2.lerp", dot "vec2.dot", length "vec2.length", distance "vec2.distance",
    normalize "vec2.normalize",
}

formula! {
    /// A vector from two numbers.
    Of "vec2.of" -> [f32; 2] {
        /// The first component.
        x: f64 = 0.0;
        /// The second component.
        y: f64 = 0.0;
    } = [x, y].map(narrow)
}

formula! {
    /// A vector turned about the origin, counterclockwise where y points up.
    Rotate "vec2.rotate" -> [f32; 2] {
        /// The vector.
        value: [f32; 2] = [0.0, 0.0];
        /// How far, in radians.
        angle: f64 = 0.0, -std::f64::consts::PI..=std::f64::consts::PI;
    } = {
        let ([x, y], (sin, cos)) = (value.map(f64::from), angle.sin_cos());
        [x * cos - y * sin, x * sin + y * cos].map(narrow)
    }
}

formula! {
    /// The angle of a vector in radians, from -π to π: 0 to the right, growing towards y; 0 for one without a length.
    Angle "vec2.angle" -> f64 {
        /// The vector.
        value: [f32; 2] = [1.0, 0.0];
    } = {
        // Adding 0 makes 0 of -0, which has another angle.
        let [x, y] = value.map(|n| f64::from(n) + 0.0);
        y.atan2(x)
    }
}

formula! {
    /// The vector of an angle and a length.
    Polar "vec2.polar" -> [f32; 2] {
        /// Its angle in radians: 0 to the right, growing towards y.
        angle: f64 = 0.0, -std::f64::consts::PI..=std::f64::consts::PI;
        /// Its length; a negative one points the other way.
        radius: f64 = 1.0;
    } = [radius * angle.cos(), radius * angle.sin()].map(narrow)
}
