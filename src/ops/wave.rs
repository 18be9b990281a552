//! Low-frequency oscillators: numbers that come back in every cycle.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::number::{between, fade};
use super::time::{fraction, ratio, split};
use crate::graph::{Cx, GraphError, Input};
use crate::value::Rate;
use crate::{choice, formula};

choice! {
    /// The shape of one cycle.
    Shape {
        /// Begins in the middle and goes up first, as a sine does.
        Sine "sine",
        /// Goes up evenly for half of the cycle, then down.
        Triangle "triangle",
        /// Goes up evenly and falls back.
        Saw "saw",
        /// Is high for the first part of the cycle, then low.
        Square "square",
        /// Jumps up and falls off, fast at first.
        Pulse "pulse",
    }
}

impl Shape {
    /// The shape at a part of the cycle, from 0 up to 1; `bend` is the width of a square and the sharpness of a
    /// pulse.
    fn at(self, t: f64, bend: f64) -> f64 {
        match self {
            Self::Sine => 0.5 + 0.5 * (t * TAU).sin(),
            Self::Triangle => 1.0 - (2.0 * t - 1.0).abs(),
            Self::Saw => t,
            Self::Square => f64::from(u8::from(t < bend)),
            Self::Pulse => (1.0 - t).powf(bend.max(0.0)),
        }
    }
}

/// Turns since the beginning: by a rate, or by beats where a cycle is given some.
pub(super) fn turns(cx: &mut Cx<'_>, rate: Input<Rate>, beats: f64) -> Result<f64, GraphError> {
    if beats > 0.0 {
        Ok(ratio(cx.beat(), beats))
    } else {
        Ok(cx.get(rate)?.0)
    }
}

/// Oscillators, by the shape of their cycle and what bends it.
macro_rules! oscillators {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = $shape:ident, $bend:expr
        $(, { $(#[doc = $idoc:literal])* $input:ident : f64 = $default:expr, $range:expr; })?;)*) => {$(
        $crate::operator! {
            $(#[doc = $doc])*
            $name $lua -> f64 {
                /// Cycles per second; a change bends the motion and never makes it leap.
                rate: Rate = Rate(1.0), -4.0..=4.0;
                /// Above 0, one cycle takes so many beats, and `rate` doesn't count.
                beats: f64 = 0.0, 0.0..=16.0;
                /// How much of a cycle it is ahead.
                phase: f64 = 0.0, 0.0..=1.0;
                /// The lowest number.
                low: f64 = 0.0;
                /// The highest number.
                high: f64 = 1.0;
                $($(#[doc = $idoc])* $input: f64 = $default, $range;)?
            }
        }

        impl $crate::graph::Update for $name {
            type Output = f64;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
                let beats = cx.get(self.beats)?;
                let turns = turns(cx, self.rate, beats)? + cx.get(self.phase)?;
                let (low, high) = (cx.get(self.low)?, cx.get(self.high)?);
                $(let $input = cx.get(self.$input)?;)?
                Ok(between(low, high, Shape::$shape.at(fraction(turns), $bend)))
            }
        }
    )*};
}

oscillators! {
    /// A sine: begins in the middle and goes up first.
    Sine "lfo.sine" = Sine, 0.0;
    /// Goes up evenly for half of the cycle, then down.
    Triangle "lfo.triangle" = Triangle, 0.0;
    /// Goes up evenly and falls back; with `low` above `high` it goes down.
    Saw "lfo.saw" = Saw, 0.0;
    /// High for the first part of the cycle, then low.
    Square "lfo.square" = Square, width, {
        /// How much of the cycle is high.
        width: f64 = 0.5, 0.0..=1.0;
    };
    /// Jumps up when the cycle begins and falls off, fast at first.
    Pulse "lfo.pulse" = Pulse, sharpness, {
        /// How fast it falls: 1 evenly, more faster.
        sharpness: f64 = 4.0, 0.0..=16.0;
    };
}

formula! {
    /// One of the shapes of a cycle, at any part of it.
    Cycle "lfo.shape" -> f64 {
        /// How many cycles have passed; only what is left above a whole number counts.
        t: f64 = 0.0;
        /// The shape.
        shape: Shape = Shape::Sine;
        /// The lowest number.
        low: f64 = 0.0;
        /// The highest number.
        high: f64 = 1.0;
        /// How much of the cycle of a square is high.
        width: f64 = 0.5, 0.0..=1.0;
        /// How fast a pulse falls: 1 evenly, more faster.
        sharpness: f64 = 4.0, 0.0..=16.0;
    } = {
        let bend = if shape == Shape::Pulse { sharpness } else { width };
        between(low, high, shape.at(fraction(t), bend))
    }
}

formula! {
    /// Goes through the numbers of a list in step with the beat, again and again.
    Steps "lfo.steps" -> f64 {
        /// The numbers in order; 0 where there are none.
        steps: Arc<[f64]> = [0.0, 1.0];
        /// How many beats each one takes; at 0 the first one stays.
        beats: f64 = 1.0, 0.0..=16.0;
        /// How much of its time a step takes to come from the one before: 0 leaps, 1 is always on the way.
        smooth: f64 = 0.0, 0.0..=1.0;
        /// How many steps it is ahead.
        phase: f64 = 0.0;
    } = |cx| {
        let (at, part) = split(ratio(cx.beat(), beats) + phase);
        let count = steps.len();
        // The place of a whole number in the list, which goes around.
        let step = |n: f64| steps.get(n.rem_euclid(count as f64) as usize).copied().unwrap_or(0.0);
        let amount = match smooth > 0.0 {
            true => fade((part / smooth).min(1.0)),
            false => 1.0,
        };
        between(step(at - 1.0), step(at), amount)
    }
}

#[cfg(test)]
#[path = "wave/tests.rs"]
mod tests;
