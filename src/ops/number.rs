//! Numbers: arithmetic on signals. A result that isn't finite is refused by the graph, so the last good value holds.

use crate::graph::{Cx, GraphError, Update};
use crate::operator;

/// An operator of one number.
macro_rules! unary {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = $f:expr;)*) => {$(
        operator! {
            $(#[doc = $doc])*
            $name $lua -> f64 {
                /// The number.
                value: f64 = 0.0;
            }
        }
        impl Update for $name {
            type Output = f64;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
                let f: fn(f64) -> f64 = $f;
                Ok(f(cx.get(self.value)?))
            }
        }
    )*};
}

/// An operator of two numbers.
macro_rules! binary {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal $default:literal = $f:expr;)*) => {$(
        operator! {
            $(#[doc = $doc])*
            $name $lua -> f64 {
                /// Left side.
                a: f64 = $default;
                /// Right side.
                b: f64 = $default;
            }
        }
        impl Update for $name {
            type Output = f64;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
                let f: fn(f64, f64) -> f64 = $f;
                Ok(f(cx.get(self.a)?, cx.get(self.b)?))
            }
        }
    )*};
}

unary! {
    /// The number with its sign turned.
    Neg "num.neg" = |v| -v;
    /// The number without its sign.
    Abs "num.abs" = f64::abs;
    /// The largest whole number that is not above it.
    Floor "num.floor" = f64::floor;
    /// The smallest whole number that is not below it.
    Ceil "num.ceil" = f64::ceil;
    /// The nearest whole number; halves go away from 0.
    Round "num.round" = f64::round;
    /// What is left above the whole number below it, from 0 up to 1.
    Fract "num.fract" = |v| v - v.floor();
    /// The sine of an angle in radians.
    Sin "num.sin" = f64::sin;
    /// The cosine of an angle in radians.
    Cos "num.cos" = f64::cos;
    /// The square root; 0 for a negative number.
    Sqrt "num.sqrt" = |v| v.max(0.0).sqrt();
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
    Pow "num.pow" 1.0 = f64::powf;
    /// The smaller of two numbers.
    Min "num.min" 0.0 = f64::min;
    /// The larger of two numbers.
    Max "num.max" 0.0 = f64::max;
}

operator! {
    /// Keeps a number between two others.
    Clamp "num.clamp" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// What it is never below.
        low: f64 = 0.0;
        /// What it is never above; where it is below `low`, `low` wins.
        high: f64 = 1.0;
    }
}

impl Update for Clamp {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (value, low, high) = (cx.get(self.value)?, cx.get(self.low)?, cx.get(self.high)?);
        Ok(value.min(high).max(low))
    }
}

operator! {
    /// Spreads a number from 0..1 over another range: 0 gives `low`, 1 gives `high`.
    Range "num.range" -> f64 {
        /// The number, usually 0 to 1.
        value: f64 = 0.0;
        /// What 0 gives.
        low: f64 = 0.0;
        /// What 1 gives.
        high: f64 = 1.0;
    }
}

impl Update for Range {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (value, low, high) = (cx.get(self.value)?, cx.get(self.low)?, cx.get(self.high)?);
        Ok(low + (high - low) * value)
    }
}

operator! {
    /// Whether the left number is greater than the right one.
    Gt "num.gt" -> bool {
        /// Left side.
        a: f64 = 0.0;
        /// Right side.
        b: f64 = 0.0;
    }
}

impl Update for Gt {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        Ok(cx.get(self.a)? > cx.get(self.b)?)
    }
}

operator! {
    /// Whether the left number is less than the right one.
    Lt "num.lt" -> bool {
        /// Left side.
        a: f64 = 0.0;
        /// Right side.
        b: f64 = 0.0;
    }
}

impl Update for Lt {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        Ok(cx.get(self.a)? < cx.get(self.b)?)
    }
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
