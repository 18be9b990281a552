//! Rotations as quaternions. Each is taken as the nearest of length 1, and one without a length as no rotation.

use super::narrow;
use super::vec3::cross;
use crate::formula;
use crate::value::Quaternion;

const NONE: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

formula! {
    /// A rotation about an axis.
    OfAxis "quat.of_axis" -> Quaternion {
        /// The axis, of any length; one without a length turns nothing.
        axis: [f32; 3] = [0.0, 1.0, 0.0];
        /// How far, in radians; counterclockwise for who looks against the axis.
        angle: f64 = 0.0, -std::f64::consts::PI..=std::f64::consts::PI;
    } = narrowed(about(axis, angle))
}

formula! {
    /// A rotation from three angles: about z first, then about x, then about y, all of the space outside.
    ///
    /// So `y` is where something faces, `x` how far it looks up, and `z` how far it leans.
    OfEuler "quat.of_euler" -> Quaternion {
        /// How far about x, in radians.
        x: f64 = 0.0, -std::f64::consts::PI..=std::f64::consts::PI;
        /// How far about y, in radians.
        y: f64 = 0.0, -std::f64::consts::PI..=std::f64::consts::PI;
        /// How far about z, in radians.
        z: f64 = 0.0, -std::f64::consts::PI..=std::f64::consts::PI;
    } = {
        let yaw = about([0.0, 1.0, 0.0], y);
        let pitch = about([1.0, 0.0, 0.0], x);
        let roll = about([0.0, 0.0, 1.0], z);
        narrowed(product(product(yaw, pitch), roll))
    }
}

formula! {
    /// Two rotations after one another: `b` first, then `a`.
    Mul "quat.mul" -> Quaternion {
        /// The second rotation.
        a: Quaternion = NO_ROTATION;
        /// The first rotation.
        b: Quaternion = NO_ROTATION;
    } = narrowed(product(unit(a), unit(b)))
}

formula! {
    /// Between two rotations, at an even pace along the shorter way: 0 gives `a`, 1 gives `b`, and beyond turns on.
    // Ken Shoemake, Animating Rotation with Quaternion Curves, 1985.
    Slerp "quat.slerp" -> Quaternion {
        /// What 0 gives.
        a: Quaternion = NO_ROTATION;
        /// What 1 gives.
        b: Quaternion = NO_ROTATION;
        /// How far from `a` to `b`.
        amount: f64 = 0.5, 0.0..=1.0;
    } = narrowed(slerp(unit(a), unit(b), amount))
}

formula! {
    /// The rotation that undoes another.
    Inverse "quat.inverse" -> Quaternion {
        /// The rotation.
        value: Quaternion = NO_ROTATION;
    } = {
        let [x, y, z, w] = unit(value);
        narrowed([-x, -y, -z, w])
    }
}

formula! {
    /// A vector turned by a rotation.
    Rotate "vec3.rotate" -> [f32; 3] {
        /// The vector.
        value: [f32; 3] = [0.0; 3];
        /// The rotation.
        rotation: Quaternion = NO_ROTATION;
    } = rotated(value, rotation).map(narrow)
}

pub(super) const NO_ROTATION: Quaternion = Quaternion([0.0, 0.0, 0.0, 1.0]);

fn unit(Quaternion(q): Quaternion) -> [f64; 4] {
    let q = q.map(f64::from);
    match length(q) {
        0.0 => NONE,
        length => q.map(|n| n / length),
    }
}

fn length(q: [f64; 4]) -> f64 {
    q.iter().map(|n| n * n).sum::<f64>().sqrt()
}

fn narrowed(q: [f64; 4]) -> Quaternion {
    Quaternion(q.map(narrow))
}

fn about(axis: [f32; 3], angle: f64) -> [f64; 4] {
    let [x, y, z] = axis.map(f64::from);
    let length = length([x, y, z, 0.0]);
    if length == 0.0 {
        return NONE;
    }
    let (sin, cos) = (angle / 2.0).sin_cos();
    let [x, y, z] = [x, y, z].map(|n| n / length * sin);
    [x, y, z, cos]
}

fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    let [x, y, z] = cross([ax, ay, az], [bx, by, bz]);
    [
        x + aw * bx + ax * bw,
        y + aw * by + ay * bw,
        z + aw * bz + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn slerp(a: [f64; 4], b: [f64; 4], amount: f64) -> [f64; 4] {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    // A quaternion and its negative are one rotation; the nearer one is the shorter way.
    let b = if dot < 0.0 { b.map(|n| -n) } else { b };
    let apart = length(std::array::from_fn(|i| a[i] - b[i]));
    let together = length(std::array::from_fn(|i| a[i] + b[i]));
    let angle = 2.0 * apart.atan2(together);
    let sin = angle.sin();
    if sin == 0.0 {
        return a;
    }
    let (from, to) = (
        ((1.0 - amount) * angle).sin() / sin,
        (amount * angle).sin() / sin,
    );
    let between: [f64; 4] = std::array::from_fn(|i| a[i] * from + b[i] * to);
    match length(between) {
        0.0 => a,
        length => between.map(|n| n / length),
    }
}

pub(super) fn rotated(value: [f32; 3], rotation: Quaternion) -> [f64; 3] {
    let ([x, y, z, w], value) = (unit(rotation), value.map(f64::from));
    let once = cross([x, y, z], value);
    let twice = cross([x, y, z], once);
    std::array::from_fn(|i| value[i] + 2.0 * (w * once[i] + twice[i]))
}
