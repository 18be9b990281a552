//! Numbers: arithmetic on signals. A result that isn't finite is refused by the graph, so the last good value holds.

use crate::formula;
use crate::graph::{Cx, GraphError, Update};
use crate::operator;

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
    /// The sine of an angle in radians.
    Sin "num.sin" = |value| value.sin();
    /// The cosine of an angle in radians.
    Cos "num.cos" = |value| value.cos();
    /// The square root; 0 for a negative number.
    Sqrt "num.sqrt" = |value| value.max(0.0).sqrt();
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
}

formula! {
    /// Keeps a number between two others.
    Clamp "num.clamp" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// What it is never below.
        low: f64 = 0.0;
        /// What it is never above; where it is below `low`, `low` wins.
        high: f64 = 1.0;
    } = value.min(high).max(low)
}

formula! {
    /// Spreads a number from 0..1 over another range: 0 gives `low`, 1 gives `high`.
    Range "num.range" -> f64 {
        /// The number, usually 0 to 1.
        value: f64 = 0.0;
        /// What 0 gives.
        low: f64 = 0.0;
        /// What 1 gives.
        high: f64 = 1.0;
    } = low + (high - low) * value
}

formula! {
    /// Whether the left number is greater than the right one.
    Gt "num.gt" -> bool {
        /// Left side.
        a: f64 = 0.0;
        /// Right side.
        b: f64 = 0.0;
    } = a > b
}

formula! {
    /// Whether the left number is less than the right one.
    Lt "num.lt" -> bool {
        /// Left side.
        a: f64 = 0.0;
        /// Right side.
        b: f64 = 0.0;
    } = a < b
}

operator! {
    /// One of two numbers, by a condition; only the chosen one is evaluated.
    Pick "bool.pick" -> f64 {
        /// Which one.
        condition: bool = false;
        /// The number while the condition is true.
        yes: f64 = 1.0;
        /// The number while it is false.
        no: f64 = 0.0;
    }
}

impl Update for Pick {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        if cx.get(self.condition)? {
            cx.get(self.yes)
        } else {
            cx.get(self.no)
        }
    }
}
