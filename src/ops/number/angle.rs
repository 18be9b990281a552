//! Angles: from them to numbers and back. All are in radians.

use crate::formula;

unary! {
    /// The sine of an angle in radians.
    Sin "num.sin" = |value| value.sin();
    /// The cosine of an angle in radians.
    Cos "num.cos" = |value| value.cos();
    /// The tangent of an angle in radians.
    Tan "num.tan" = |value| value.tan();
    /// The angle from -π/2 to π/2 whose sine the number is; what is beyond -1 and 1 counts as them.
    Asin "num.asin" = |value| value.clamp(-1.0, 1.0).asin();
    /// The angle from 0 to π whose cosine the number is; what is beyond -1 and 1 counts as them.
    Acos "num.acos" = |value| value.clamp(-1.0, 1.0).acos();
    /// The angle from -π/2 to π/2 whose tangent the number is.
    Atan "num.atan" = |value| value.atan();
}

binary! {
    /// The angle in radians, from -π to π, of the direction that goes `b` across and `a` up.
    Atan2 "num.atan2" 0.0 = |a, b| a.atan2(b);
}
