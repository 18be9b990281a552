//! Reading the clock and the size of the context.

use crate::graph::{Cx, GraphError, Update};
use crate::{choice, formula, operator};

pub mod clip;

formula! {
    /// Local time in seconds since the show began.
    Time "time" -> f64 {} = |cx| cx.time()
}

formula! {
    /// Local time in beats.
    Beat "beat" -> f64 {} = |cx| cx.beat()
}

formula! {
    /// The number of this frame of the show.
    Frame "frame" -> f64 {} = |cx| cx.frame()
}

formula! {
    /// Width of the picture that is asked for, in pixels.
    Width "width" -> f64 {} = |cx| f64::from(cx.resolution().width)
}

formula! {
    /// Height of the picture that is asked for, in pixels.
    Height "height" -> f64 {} = |cx| f64::from(cx.resolution().height)
}

formula! {
    /// Width and height of the picture that is asked for, in pixels.
    Resolution "resolution" -> [f32; 2] {} = |cx| {
        let size = cx.resolution();
        [size.width as f32, size.height as f32]
    }
}

formula! {
    /// Width of the picture that is asked for, divided by its height.
    Aspect "aspect" -> f64 {} = |cx| cx.resolution().aspect()
}

formula! {
    /// Local time in bars, from 0.
    Bar "clock.bar" -> f64 {
        /// How many beats make a bar; 0 where that isn't above 0.
        beats_per_bar: f64 = 4.0, 1.0..=16.0;
    } = |cx| ratio(cx.beat(), beats_per_bar)
}

formula! {
    /// How far the beat has got, from 0 up to 1.
    BeatPhase "clock.beat_phase" -> f64 {} = |cx| fraction(cx.beat())
}

formula! {
    /// Seconds that go on while the transport stands still.
    EffectTime "clock.effect_time" -> f64 {} = |cx| cx.effect_time()
}

formula! {
    /// Beats per minute.
    Tempo "clock.tempo" -> f64 {} = |cx| cx.tempo()
}

operator! {
    /// Seconds of local time since the last frame: never negative, at most 0.1, and 0 the first time.
    Dt "clock.dt" -> f64 {}
    state { seconds: f64 }
}

impl Update for Dt {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        self.seconds = cx.dt();
        Ok(self.seconds)
    }
}

operator! {
    /// Whether local time is another than in the last frame; false while it stands still, and the first time.
    HasTimeChanged "clock.has_time_changed" -> bool {}
    state { last: Option<f64> }
}

impl Update for HasTimeChanged {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let time = cx.time();
        let last = self.last.replace(time);
        Ok(last.is_some_and(|last| last != time))
    }
}

choice! {
    /// What local time is counted in.
    Unit {
        /// Seconds.
        Seconds "seconds",
        /// Beats.
        Beats "beats",
    }
}

impl Unit {
    /// Local time.
    pub(super) fn now(self, cx: &mut Cx<'_>) -> f64 {
        match self {
            Self::Seconds => cx.time(),
            Self::Beats => cx.beat(),
        }
    }

    /// From one frame to the next.
    pub(super) fn frame(self, cx: &mut Cx<'_>) -> f64 {
        match self {
            Self::Seconds => cx.frame_seconds(),
            Self::Beats => cx.frame_seconds() * cx.tempo() / 60.0,
        }
    }
}

/// How often `unit` goes into a number; 0 where it isn't above 0 or too small to tell.
pub(super) fn ratio(number: f64, unit: f64) -> f64 {
    let ratio = number / unit;
    if unit > 0.0 && ratio.is_finite() {
        ratio
    } else {
        0.0
    }
}

/// A number as a whole number and what is left above it, from 0 up to but not 1.
pub(super) fn split(number: f64) -> (f64, f64) {
    let whole = number.floor();
    let rest = number - whole;
    // What is hardly below a whole number leaves so much that it rounds to 1.
    if rest < 1.0 {
        (whole, rest)
    } else {
        (whole + 1.0, 0.0)
    }
}

/// What is left of a number above the whole number below it, from 0 up to but not 1.
pub(super) fn fraction(number: f64) -> f64 {
    split(number).1
}

#[cfg(test)]
#[path = "time/tests.rs"]
mod tests;
