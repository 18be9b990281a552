//! Curves from 0 to 1.

use crate::formula;
use crate::value::Easing;

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
    /// Bends the way from 0 to 1 so that its middle is at `amount`; 0.5 leaves it straight.
    ///
    /// Ken Perlin's bias in the form of Christophe Schlick ("Fast Alternatives to Perlin's Bias and Gain Functions",
    /// 1994).
    Bias "num.bias" -> f64 {
        /// How far along, kept between 0 and 1.
        value: f64 = 0.0, 0.0..=1.0;
        /// Where the middle goes; at 0 all is 0 but the end, at 1 all is 1 but the start.
        amount: f64 = 0.5, 0.0..=1.0;
    } = bias(value.clamp(0.0, 1.0), amount)
}

formula! {
    /// Bends the way from 0 to 1 in two halves: above 0.5 it lingers in the middle, below at the ends; 0.5 leaves
    /// it straight.
    ///
    /// Ken Perlin's gain in the form of Christophe Schlick ("Fast Alternatives to Perlin's Bias and Gain Functions",
    /// 1994).
    Gain "num.gain" -> f64 {
        /// How far along, kept between 0 and 1.
        value: f64 = 0.0, 0.0..=1.0;
        /// How much it lingers in the middle; at 0 it is a step, at 1 all is 0.5 but the ends.
        amount: f64 = 0.5, 0.0..=1.0;
    } = if value < 0.5 {
        bias(2.0 * value.max(0.0), amount) / 2.0
    } else {
        1.0 - bias(2.0 - 2.0 * value.min(1.0), amount) / 2.0
    }
}

/// A number from 0 to 1 bent so that 0.5 gives `amount`.
fn bias(t: f64, amount: f64) -> f64 {
    // At 0 and 1 themselves the formula is 0 divided by 0 at one end.
    let amount = amount.clamp(1e-9, 1.0 - 1e-9);
    t / ((1.0 / amount - 2.0) * (1.0 - t) + 1.0)
}

/// From 0 to 1 along 6t⁵ - 15t⁴ + 10t³, at rest and without bend at both ends (Perlin, "Improving Noise", 2002).
pub(in crate::ops) fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

formula! {
    /// Goes from 0 to 1 along one of the usual easing curves; some go a little beyond on the way.
    Ease "num.ease" -> f64 {
        /// How far along, kept between 0 and 1.
        t: f64 = 0.0, 0.0..=1.0;
        /// The curve.
        easing: Easing = Easing::InOutCubic;
    } = easing.ease(t)
}
