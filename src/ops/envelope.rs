//! Envelopes: numbers that rise and fall after an event, in seconds of local time.
//!
//! An envelope is a path through targets, computed from how long it has run, so that it is the same at any frame rate.

use super::event::{Edge, Stopwatch};
use super::number::between;
use crate::graph::{Cx, GraphError, Update};
use crate::{choice, operator};

choice! {
    /// The way from one level of an envelope to the next.
    Bend {
        /// Evenly.
        Linear "linear",
        /// Fast at first, slow toward the end.
        Exponential "exponential",
    }
}

impl Bend {
    /// How far the way has come at a part of its time.
    fn at(self, t: f64) -> f64 {
        /// Half-lives in the way of an exponential, which is stretched to arrive.
        const HALF_LIVES: f64 = 6.0;
        match self {
            Self::Linear => t,
            Self::Exponential => (1.0 - (-HALF_LIVES * t).exp2()) / (1.0 - (-HALF_LIVES).exp2()),
        }
    }
}

/// How long an envelope has run, and the level at which it began; nothing before the first event.
#[derive(Default)]
struct Run {
    elapsed: Option<f64>,
    from: f64,
}

impl Run {
    fn begin(&mut self, from: f64) {
        *self = Self {
            elapsed: Some(0.0),
            from,
        };
    }

    fn advance(&mut self, dt: f64) {
        self.elapsed = self.elapsed.map(|elapsed| elapsed + dt);
    }

    /// The level on a path of targets, each with the seconds that the way to it takes; 0 before the first event.
    fn level(&self, path: &[(f64, f64)], bend: Bend) -> f64 {
        let Some(mut left) = self.elapsed else {
            return 0.0;
        };
        let mut from = self.from;
        for &(target, seconds) in path {
            if left < seconds {
                return between(from, target, bend.at(left / seconds));
            }
            left -= seconds.max(0.0);
            from = target;
        }
        from
    }
}

operator! {
    /// Rises while a gate opens, stays while it is open, and falls once it closes.
    ///
    /// It goes from 0 to 1 in `attack`, to `sustain` in `decay`, and from where it is to 0 in `release`. Opened
    /// again on the way, it rises from where it is.
    Adsr "env.adsr" -> f64 {
        /// Whether it is open, as while a key is held.
        gate: bool = false;
        /// Seconds from where it is to 1.
        attack: f64 = 0.01, 0.0..=4.0;
        /// Seconds from 1 to the level that it stays at.
        decay: f64 = 0.2, 0.0..=4.0;
        /// The level that it stays at.
        sustain: f64 = 0.5, 0.0..=1.0;
        /// Seconds from where it is to 0.
        release: f64 = 0.5, 0.0..=8.0;
        /// The way from level to level.
        curve: Bend = Bend::Linear;
    }
    state { run: Run, is_open: bool }
}

impl Update for Adsr {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let gate = cx.get(self.gate)?;
        let opening = [
            (1.0, cx.get(self.attack)?),
            (cx.get(self.sustain)?, cx.get(self.decay)?),
        ];
        let closing = [(0.0, cx.get(self.release)?)];
        let (bend, dt) = (cx.get(self.curve)?, cx.dt());
        let path = |is_open| if is_open { &opening[..] } else { &closing };
        self.run.advance(dt);
        if gate != self.is_open {
            self.run.begin(self.run.level(path(self.is_open), bend));
            self.is_open = gate;
        }
        Ok(self.run.level(path(gate), bend))
    }
}

operator! {
    /// Rises to 1 and falls to 0 after each event; one that comes on the way starts from where it is.
    Ad "env.ad" -> f64 {
        /// The event.
        trigger: bool = false;
        /// Seconds from where it is to 1.
        attack: f64 = 0.01, 0.0..=4.0;
        /// Seconds from 1 to 0.
        decay: f64 = 0.5, 0.0..=8.0;
        /// The way from level to level.
        curve: Bend = Bend::Linear;
    }
    state { run: Run, edge: Edge }
}

impl Update for Ad {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let trigger = cx.get(self.trigger)?;
        let path = [(1.0, cx.get(self.attack)?), (0.0, cx.get(self.decay)?)];
        let (bend, dt) = (cx.get(self.curve)?, cx.dt());
        self.run.advance(dt);
        if self.edge.rises(trigger) {
            self.run.begin(self.run.level(&path, bend));
        }
        Ok(self.run.level(&path, bend))
    }
}

operator! {
    /// Jumps to 1 at each event and halves again and again.
    Decay "env.decay" -> f64 {
        /// The event.
        trigger: bool = false;
        /// Seconds in which it falls to half; at 0 it is back at 0 in the next frame.
        half_life: f64 = 0.2, 0.0..=10.0;
    }
    state { stopwatch: Stopwatch }
}

impl Update for Decay {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (trigger, half_life, dt) = (cx.get(self.trigger)?, cx.get(self.half_life)?, cx.dt());
        Ok(match self.stopwatch.since(trigger, dt) {
            None => 0.0,
            Some(0.0) => 1.0,
            Some(elapsed) => (-elapsed / half_life.max(f64::MIN_POSITIVE)).exp2(),
        })
    }
}

operator! {
    /// Goes evenly from 0 to 1 after each event, and stays there. It is 0 before the first one.
    Ramp "env.ramp" -> f64 {
        /// The event.
        trigger: bool = false;
        /// How many seconds it takes; at 0 it leaps.
        seconds: f64 = 1.0, 0.0..=60.0;
    }
    state { stopwatch: Stopwatch }
}

impl Update for Ramp {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (trigger, seconds, dt) = (cx.get(self.trigger)?, cx.get(self.seconds)?, cx.dt());
        Ok(match self.stopwatch.since(trigger, dt) {
            None => 0.0,
            Some(elapsed) if elapsed < seconds => elapsed / seconds,
            Some(_) => 1.0,
        })
    }
}

#[cfg(test)]
#[path = "envelope/tests.rs"]
mod tests;
