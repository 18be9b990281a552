//! Numbers in ranges: into them, out of them, and from one to another.

use crate::formula;

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
    /// Where in a range a number lies: `low` gives 0, `high` gives 1, and beyond goes on beyond.
    ///
    /// Where the range has no width, everything gives 0.
    Unrange "num.unrange" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// What gives 0.
        low: f64 = 0.0;
        /// What gives 1.
        high: f64 = 1.0;
    } = if high == low { 0.0 } else { (value - low) / (high - low) }
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

/// Between two numbers: exactly `low` at 0 and `high` at 1, and finite in between whatever they are.
pub(in crate::ops) fn between(low: f64, high: f64, amount: f64) -> f64 {
    low * (1.0 - amount) + high * amount
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
    /// Goes around in a range: what leaves it above comes in again below. `high` itself gives `low`.
    ///
    /// Where the range has no width, everything gives `low`.
    Wrap "num.wrap" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// One end.
        low: f64 = 0.0;
        /// The other end; which of them is the lower one doesn't matter.
        high: f64 = 1.0;
    } = {
        let (low, high) = (low.min(high), low.max(high));
        let wrapped = low + within(value - low, high - low);
        if wrapped < high { wrapped } else { low }
    }
}

formula! {
    /// Goes there and back in a range: what leaves it at one end comes back from there.
    Fold "num.fold" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// One end.
        low: f64 = 0.0;
        /// The other end; which of them is the lower one doesn't matter.
        high: f64 = 1.0;
    } = fold(value, low, high)
}

/// A number that turns back at both ends of a range.
pub(in crate::ops) fn fold(value: f64, low: f64, high: f64) -> f64 {
    let (low, high) = (low.min(high), low.max(high));
    let width = high - low;
    let folded = low + width - (within(value - low, 2.0 * width) - width).abs();
    if folded.is_finite() {
        folded.clamp(low, high)
    } else {
        low
    }
}

/// What is left of a number from 0 up to but not at a width; 0 where there is none.
pub(in crate::ops) fn within(value: f64, width: f64) -> f64 {
    let rest = value.rem_euclid(width);
    if rest < width { rest } else { 0.0 }
}

formula! {
    /// The nearest multiple of a step; a step of 0 leaves the number as it is.
    Quantize "num.quantize" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// How far the steps are from each other.
        step: f64 = 0.25;
        /// A number that is a step itself.
        offset: f64 = 0.0;
    } = {
        let steps = ((value - offset) / step).round();
        let quantized = offset + steps * step;
        if quantized.is_finite() { quantized } else { value }
    }
}
