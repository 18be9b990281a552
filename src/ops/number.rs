//! Numbers: arithmetic on signals. A result that isn't finite is refused by the graph, so the last good value holds.

use crate::formula;
use crate::graph::{Cx, GraphError, Update};
use crate::operator;
use crate::value::Value;

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
    /// The tangent of an angle in radians.
    Tan "num.tan" = |value| value.tan();
    /// -1 for a negative number, 1 for a positive one, 0 for 0.
    Sign "num.sign" = |value| if value == 0.0 { 0.0 } else { value.signum() };
    /// e to the power of the number.
    Exp "num.exp" = |value| value.exp();
    /// The natural logarithm; what isn't above 0 counts as the smallest positive number.
    Log "num.log" = |value| value.max(f64::MIN_POSITIVE).ln();
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
    /// The angle in radians, from -π to π, of the direction that goes `b` across and `a` up.
    Atan2 "num.atan2" 0.0 = |a, b| a.atan2(b);
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
    /// Between two numbers: 0 gives `a`, 1 gives `b`, and beyond goes on beyond.
    Lerp "num.lerp" -> f64 {
        /// What 0 gives.
        a: f64 = 0.0;
        /// What 1 gives.
        b: f64 = 1.0;
        /// How far from `a` to `b`.
        amount: f64 = 0.5, 0.0..=1.0;
    } = a + (b - a) * amount
}

formula! {
    /// Moves a number from one range to another, so that `in_low` gives `out_low` and `in_high` gives `out_high`.
    ///
    /// Where the first range has no width, everything gives `out_low`.
    Remap "num.remap" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// Where the first range begins.
        in_low: f64 = 0.0;
        /// Where the first range ends.
        in_high: f64 = 1.0;
        /// Where the second range begins.
        out_low: f64 = 0.0;
        /// Where the second range ends.
        out_high: f64 = 1.0;
    } = if in_high == in_low {
        out_low
    } else {
        out_low + (value - in_low) / (in_high - in_low) * (out_high - out_low)
    }
}

formula! {
    /// 0 below an edge, 1 from it on.
    Step "num.step" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// The edge.
        edge: f64 = 0.5;
    } = if value < edge { 0.0 } else { 1.0 }
}

formula! {
    /// From 0 to 1 between two edges along 3t² - 2t³; a step where the edges are one.
    Smoothstep "num.smoothstep" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// Up to here it is 0.
        low: f64 = 0.0;
        /// From here on it is 1.
        high: f64 = 1.0;
    } = if high == low {
        if value < low { 0.0 } else { 1.0 }
    } else {
        let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
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

formula! {
    /// Whether two numbers are equal.
    Eq "num.eq" -> bool {
        /// Left side.
        a: f64 = 0.0;
        /// Right side.
        b: f64 = 0.0;
        /// How far apart they may be.
        tolerance: f64 = 0.0;
    } = (a - b).abs() <= tolerance.abs()
}

formula! {
    /// Whether both conditions are true.
    And "bool.and_" -> bool {
        /// Left side.
        a: bool = true;
        /// Right side.
        b: bool = true;
    } = a && b
}

formula! {
    /// Whether one of the conditions is true, or both are.
    Or "bool.or_" -> bool {
        /// Left side.
        a: bool = false;
        /// Right side.
        b: bool = false;
    } = a || b
}

formula! {
    /// Whether a condition is false.
    Not "bool.not_" -> bool {
        /// The condition.
        a: bool = false;
    } = !a
}

operator! {
    /// One of two values, by a condition; only the chosen one is evaluated.
    Pick "bool.pick" -> Value {
        /// Which one.
        condition: bool = false;
        /// The value while the condition is true.
        yes: Value = Value::Number(0.0);
        /// The value while it is false.
        no: Value = Value::Number(0.0);
    }
}

impl Update for Pick {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        if cx.get(self.condition)? {
            cx.get(self.yes)
        } else {
            cx.get(self.no)
        }
    }
}
