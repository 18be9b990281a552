//! Sums and means over time.

use crate::graph::{Cx, GraphError, Update};
use crate::operator;
use crate::ops::number::within;
use crate::ops::past::{Past, SECONDS};

operator! {
    /// The mean of a number over the last seconds, each moment counting as long as it lasted.
    ///
    /// The last ten seconds are kept, and no more than 4096 frames of them.
    Average "num.average" -> f64 {
        /// The number.
        value: f64 = 0.0;
        /// Over how many seconds, at most 10; 0 is the number itself.
        seconds: f64 = 1.0, 0.0..=10.0;
    }
    state { past: Past<f64> }
}

impl Update for Average {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (value, seconds, dt) = (cx.get(self.value)?, cx.get(self.seconds)?, cx.dt());
        self.past.push(dt, value);
        Ok(self.past.mean(seconds.clamp(0.0, SECONDS)).unwrap_or(value))
    }
}

operator! {
    /// Sums up a number over time: so many units per second.
    Accumulate "num.accumulate" -> f64 {
        /// How much is added per second.
        value: f64 = 1.0;
        /// Puts the sum back to 0; nothing is added while this is true.
        reset: bool = false;
        /// Where the sum goes back to 0; at 0 it goes on without end.
        wrap: f64 = 0.0, 0.0..=16.0;
    }
    state { sum: f64, last: Option<f64> }
}

impl Update for Accumulate {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (value, reset, wrap) = (cx.get(self.value)?, cx.get(self.reset)?, cx.get(self.wrap)?);
        let dt = cx.dt();
        let last = self.last.replace(value).unwrap_or(value);
        // Along a straight line from the last number to this one.
        let sum = (self.sum + (last / 2.0 + value / 2.0) * dt).clamp(f64::MIN, f64::MAX);
        self.sum = match (reset, wrap > 0.0) {
            (true, _) => 0.0,
            (false, true) => within(sum, wrap),
            (false, false) => sum,
        };
        Ok(self.sum)
    }
}
