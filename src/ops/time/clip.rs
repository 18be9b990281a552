//! Pieces of local time: ramps, and clips that play a piece of their source.

use super::{Unit, fraction, ratio};
use crate::{choice, formula};

formula! {
    /// Goes from 0 to 1 over a piece of local time, and stays there.
    Ramp "clock.ramp" -> f64 {
        /// When it leaves 0.
        start: f64 = 0.0;
        /// How long it takes; at 0 it leaps.
        duration: f64 = 1.0, 0.0..=60.0;
        /// What both are counted in.
        unit: Unit = Unit::Seconds;
    } = |cx| progress(unit.now(cx), start, start + duration.max(0.0)).clamp(0.0, 1.0)
}

formula! {
    /// Goes from 0 to 1 and back, again and again.
    PingPong "clock.ping_pong" -> f64 {
        /// How long the way there and back takes; at 0 it stays at 0.
        period: f64 = 2.0, 0.0..=60.0;
        /// What that is counted in.
        unit: Unit = Unit::Seconds;
    } = |cx| there_and_back(ratio(unit.now(cx), period))
}

/// From 0 to 1 in the first half of a turn and back in the second.
fn there_and_back(turns: f64) -> f64 {
    1.0 - (2.0 * fraction(turns) - 1.0).abs()
}

/// How far a time is from a start to an end: 0 to 1, and beyond. Where the end isn't after the start, it leaps.
fn progress(now: f64, start: f64, end: f64) -> f64 {
    let progress = (now - start) / (end - start);
    if end > start && progress.is_finite() {
        progress
    } else {
        f64::from(u8::from(now >= start))
    }
}

formula! {
    /// Whether a clip plays now: from its start up to its stop.
    IsActive "clock.is_active" -> bool {
        /// When it starts.
        start: f64 = 0.0;
        /// When it stops.
        stop: f64 = 1.0;
        /// What both are counted in.
        unit: Unit = Unit::Seconds;
    } = |cx| {
        let now = unit.now(cx);
        start <= now && now < stop
    }
}

choice! {
    /// What a clip shows before and after its source.
    Outside {
        /// The nearest end.
        Hold "hold",
        /// The source again.
        Loop "loop",
        /// The source back and forth.
        PingPong "ping_pong",
        /// The source as if it went on.
        Continue "continue",
    }
}

formula! {
    /// The time of its source that a clip shows: from the start of the source at its own start to the end
    /// of the source where it stops.
    ///
    /// Give it to `with_time` as `at`.
    ClipTime "clock.clip_time" -> f64 {
        /// When the clip starts.
        start: f64 = 0.0;
        /// When the clip stops; where that isn't after the start, the source is passed in no time.
        stop: f64 = 1.0;
        /// What of its source it shows first.
        source_start: f64 = 0.0;
        /// What of its source it shows last; left out, the source is as long as the clip. It may be before the start.
        source_stop: Option<f64> = None;
        /// How often it passes its source.
        speed: f64 = 1.0, 0.0..=4.0;
        /// What it shows before its start, after its stop, and where it has passed its source sooner.
        outside: Outside = Outside::Hold;
        /// What all times are counted in.
        unit: Unit = Unit::Seconds;
    } = |cx| {
        let at = progress(unit.now(cx), start, stop) * speed;
        let at = match outside {
            Outside::Hold => at.clamp(0.0, 1.0),
            Outside::Loop => fraction(at),
            Outside::PingPong => there_and_back(at / 2.0),
            Outside::Continue => at,
        };
        let length = source_stop.map_or(stop - start, |stop| stop - source_start);
        source_start + length * at
    }
}
