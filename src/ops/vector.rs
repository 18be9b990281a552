//! Vectors: component by component where numbers would be, and as places, directions and rotations in space. A number
//! given for a vector fills all of its components.

/// The operators that vectors of any count of components have, by their names in scripts.
macro_rules! vectors {
    (
        $n:literal: x $x:literal, y $y:literal, neg $neg:literal, abs $abs:literal, add $add:literal, sub $sub:literal,
        mul $mul:literal, div $div:literal, min $min:literal, max $max:literal, clamp $clamp:literal,
        lerp $lerp:literal, dot $dot:literal, length $length:literal, distance $distance:literal,
        normalize $normalize:literal,
    ) => {
        crate::formula! {
            /// The first component of a vector.
            X $x -> f64 {
                /// The vector.
                value: [f32; $n] = [0.0; $n];
            } = value[0].into()
        }

        crate::formula! {
            /// The second component of a vector.
            Y $y -> f64 {
                /// The vector.
                value: [f32; $n] = [0.0; $n];
            } = value[1].into()
        }

        crate::formula! {
            /// The vector that points the other way.
            Neg $neg -> [f32; $n] {
                /// The vector.
                value: [f32; $n] = [0.0; $n];
            } = value.map(|n| -n)
        }

        crate::formula! {
            /// The vector with each component without its sign.
            Abs $abs -> [f32; $n] {
                /// The vector.
                value: [f32; $n] = [0.0; $n];
            } = value.map(f32::abs)
        }

        crate::formula! {
            /// The sum of two vectors, component by component.
            Add $add -> [f32; $n] {
                /// Left side.
                a: [f32; $n] = [0.0; $n];
                /// Right side.
                b: [f32; $n] = [0.0; $n];
            } = crate::ops::vector::zip(a, b, |a, b| a + b)
        }

        crate::formula! {
            /// The difference of two vectors, component by component.
            Sub $sub -> [f32; $n] {
                /// Left side.
                a: [f32; $n] = [0.0; $n];
                /// Right side.
                b: [f32; $n] = [0.0; $n];
            } = crate::ops::vector::zip(a, b, |a, b| a - b)
        }

        crate::formula! {
            /// The product of two vectors, component by component.
            Mul $mul -> [f32; $n] {
                /// Left side.
                a: [f32; $n] = [1.0; $n];
                /// Right side.
                b: [f32; $n] = [1.0; $n];
            } = crate::ops::vector::zip(a, b, |a, b| a * b)
        }

        crate::formula! {
            /// The quotient of two vectors, component by component; 0 where the divisor is 0.
            Div $div -> [f32; $n] {
                /// Left side.
                a: [f32; $n] = [1.0; $n];
                /// Right side.
                b: [f32; $n] = [1.0; $n];
            } = crate::ops::vector::zip(a, b, |a, b| if b == 0.0 { 0.0 } else { a / b })
        }

        crate::formula! {
            /// The smaller of two vectors, component by component.
            Min $min -> [f32; $n] {
                /// Left side.
                a: [f32; $n] = [0.0; $n];
                /// Right side.
                b: [f32; $n] = [0.0; $n];
            } = crate::ops::vector::zip(a, b, f64::min)
        }

        crate::formula! {
            /// The larger of two vectors, component by component.
            Max $max -> [f32; $n] {
                /// Left side.
                a: [f32; $n] = [0.0; $n];
                /// Right side.
                b: [f32; $n] = [0.0; $n];
            } = crate::ops::vector::zip(a, b, f64::max)
        }

        crate::formula! {
            /// Keeps each component between those of two other vectors.
            Clamp $clamp -> [f32; $n] {
                /// The vector.
                value: [f32; $n] = [0.0; $n];
                /// What it is never below.
                low: [f32; $n] = [0.0; $n];
                /// What it is never above; where it is below `low`, `low` wins.
                high: [f32; $n] = [1.0; $n];
            } = std::array::from_fn(|i| value[i].min(high[i]).max(low[i]))
        }

        crate::formula! {
            /// Between two vectors: 0 gives `a`, 1 gives `b`, and beyond goes on beyond.
            Lerp $lerp -> [f32; $n] {
                /// What 0 gives.
                a: [f32; $n] = [0.0; $n];
                /// What 1 gives.
                b: [f32; $n] = [1.0; $n];
                /// How far from `a` to `b`.
                amount: f64 = 0.5, 0.0..=1.0;
            } = crate::ops::vector::zip(a, b, |a, b| a + (b - a) * amount)
        }

        crate::formula! {
            /// The dot product: how far one vector goes along another, times the length of the other.
            Dot $dot -> f64 {
                /// Left side.
                a: [f32; $n] = [0.0; $n];
                /// Right side.
                b: [f32; $n] = [0.0; $n];
            } = crate::ops::vector::dot(a, b)
        }

        crate::formula! {
            /// How long a vector is.
            Length $length -> f64 {
                /// The vector.
                value: [f32; $n] = [0.0; $n];
            } = crate::ops::vector::dot(value, value).sqrt()
        }

        crate::formula! {
            /// How far two places are apart.
            Distance $distance -> f64 {
                /// One place.
                a: [f32; $n] = [0.0; $n];
                /// The other place.
                b: [f32; $n] = [0.0; $n];
            } = crate::ops::vector::distance(a, b)
        }

        crate::formula! {
            /// The vector of length 1 that points the same way; one without a length stays as it is.
            Normalize $normalize -> [f32; $n] {
                /// The vector.
                value: [f32; $n] = [0.0; $n];
            } = crate::ops::vector::normalize(value)
        }
    };
}

pub mod matrix;
pub mod quaternion;
pub mod vec2;
pub mod vec3;
pub mod vec4;

#[cfg(test)]
mod tests;

/// A number as a component: one that is too large for 32 bits becomes the largest that they hold.
pub(super) fn narrow(n: f64) -> f32 {
    n.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}

/// Two vectors, component by component.
fn zip<const N: usize>(a: [f32; N], b: [f32; N], f: impl Fn(f64, f64) -> f64) -> [f32; N] {
    std::array::from_fn(|i| narrow(f(a[i].into(), b[i].into())))
}

fn dot<const N: usize>(a: [f32; N], b: [f32; N]) -> f64 {
    let products = a.into_iter().zip(b);
    products.map(|(a, b)| f64::from(a) * f64::from(b)).sum()
}

fn distance<const N: usize>(a: [f32; N], b: [f32; N]) -> f64 {
    let gaps = a.into_iter().zip(b);
    let squares = gaps.map(|(a, b)| (f64::from(a) - f64::from(b)).powi(2));
    squares.sum::<f64>().sqrt()
}

fn normalize<const N: usize>(value: [f32; N]) -> [f32; N] {
    match dot(value, value).sqrt() {
        0.0 => value,
        length => value.map(|n| narrow(f64::from(n) / length)),
    }
}
