//! Numbers: arithmetic on signals. A result that isn't finite is refused by the graph, so the last good value holds.

use crate::formula;

/// Formulas of one number.
macro_rules! unary {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = |$value:ident| $body:expr;)*) => {$(
        formula! {
            $(#[doc = $doc])*
            $name $lua -> f64 {
                /// The number.
                $value: f64 = 0.0;
            } = $body
        }
    )*};
}

/// Formulas of two numbers.
macro_rules! binary {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal $default:literal = |$a:ident, $b:ident| $body:expr;)*) => {$(
        formula! {
            $(#[doc = $doc])*
            $name $lua -> f64 {
                /// Left side.
                $a: f64 = $default;
                /// Right side.
                $b: f64 = $default;
            } = $body
        }
    )*};
}

pub mod angle;
pub mod compare;
pub mod range;
pub mod shape;

pub(super) use range::{between, fold, within};
pub(super) use shape::fade;

unary! {
    /// The number with its sign turned.
    Neg "num.neg" = |value| -value;
    /// The number without its sign.
    Abs "num.abs" = |value| value.abs();
    /// The largest whole number that is not above it.
    Floor "num.floor" = |value| value.floor();
    /// The smallest whole number that is not below it.
    Ceil "num.ceil" = |value| value.ceil();
    /// The nearest whole number; halves go away from 0.
    Round "num.round" = |value| value.round();
    /// What is left above the whole number below it, from 0 up to 1.
    Fract "num.fract" = |value| value - value.floor();
    /// -1 for a negative number, 1 for a positive one, 0 for 0.
    Sign "num.sign" = |value| if value == 0.0 { 0.0 } else { value.signum() };
    /// e to the power of the number.
    Exp "num.exp" = |value| value.exp();
    /// The natural logarithm; what isn't above 0 counts as the smallest positive number.
    Log "num.log" = |value| value.max(f64::MIN_POSITIVE).ln();
    /// The square root; 0 for a negative number.
    Sqrt "num.sqrt" = |value| value.max(0.0).sqrt();
    /// 2 to the power of the number.
    Exp2 "num.exp2" = |value| value.exp2();
    /// The logarithm to base 2; what isn't above 0 counts as the smallest positive number.
    Log2 "num.log2" = |value| value.max(f64::MIN_POSITIVE).log2();
    /// The logarithm to base 10; what isn't above 0 counts as the smallest positive number.
    Log10 "num.log10" = |value| value.max(f64::MIN_POSITIVE).log10();
}

binary! {
    /// The sum of two numbers.
    Add "num.add" 0.0 = |a, b| a + b;
    /// The difference of two numbers.
    Sub "num.sub" 0.0 = |a, b| a - b;
    /// The product of two numbers.
    Mul "num.mul" 1.0 = |a, b| a * b;
    /// The quotient of two numbers; 0 when the divisor is 0.
    Div "num.div" 1.0 = |a, b| if b == 0.0 { 0.0 } else { a / b };
    /// The remainder of a division with the sign of the divisor; 0 when the divisor is 0.
    Mod "num.mod" 1.0 = |a, b| if b == 0.0 { 0.0 } else { a - b * (a / b).floor() };
    /// The left number raised to the power of the right one.
    Pow "num.pow" 1.0 = |a, b| a.powf(b);
    /// The smaller of two numbers.
    Min "num.min" 0.0 = |a, b| a.min(b);
    /// The larger of two numbers.
    Max "num.max" 0.0 = |a, b| a.max(b);
    /// How long the way is that goes `a` across and `b` up.
    Hypot "num.hypot" 0.0 = |a, b| a.hypot(b);
}

formula! {
    /// The nearest whole number, as one; halves go away from 0, and what is too large stops at the largest.
    ToInt "num.to_int" -> i64 {
        /// The number.
        value: f64 = 0.0;
    } = value.round() as i64
}

#[cfg(test)]
#[path = "number/tests.rs"]
mod tests;
