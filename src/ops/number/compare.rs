//! Conditions on numbers.

use crate::formula;

/// Whether two numbers are so to each other.
macro_rules! comparison {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = |$a:ident, $b:ident| $body:expr;)*) => {$(
        formula! {
            $(#[doc = $doc])*
            $name $lua -> bool {
                /// Left side.
                $a: f64 = 0.0;
                /// Right side.
                $b: f64 = 0.0;
            } = $body
        }
    )*};
}

comparison! {
    /// Whether the left number is greater than the right one.
    Gt "num.gt" = |a, b| a > b;
    /// Whether the left number is less than the right one.
    Lt "num.lt" = |a, b| a < b;
    /// Whether the left number is the right one or greater.
    Ge "num.ge" = |a, b| a >= b;
    /// Whether the left number is the right one or less.
    Le "num.le" = |a, b| a <= b;
}

/// Whether two numbers are equal, give or take something.
macro_rules! equality {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = |$is_near:ident| $body:expr;)*) => {$(
        formula! {
            $(#[doc = $doc])*
            $name $lua -> bool {
                /// Left side.
                a: f64 = 0.0;
                /// Right side.
                b: f64 = 0.0;
                /// How far apart they may be to count as equal.
                tolerance: f64 = 0.0;
            } = {
                let $is_near = (a - b).abs() <= tolerance.abs();
                $body
            }
        }
    )*};
}

equality! {
    /// Whether two numbers are equal.
    Eq "num.eq" = |is_near| is_near;
    /// Whether two numbers differ.
    Ne "num.ne" = |is_near| !is_near;
}

formula! {
    /// Whether a number lies between two others, or is one of them.
    IsBetween "num.is_between" -> bool {
        /// The number.
        value: f64 = 0.0;
        /// One end.
        low: f64 = 0.0;
        /// The other end; which of them is the lower one doesn't matter.
        high: f64 = 1.0;
    } = low.min(high) <= value && value <= low.max(high)
}
