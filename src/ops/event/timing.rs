//! Conditions that time makes true.

use super::Stopwatch;
use crate::graph::{Cx, GraphError, Update};
use crate::operator;
use crate::ops::time::Unit;

operator! {
    /// True for some seconds from each event on.
    HoldFor "bool.hold_for" -> bool {
        /// The event; one that comes in between starts the seconds anew.
        trigger: bool = false;
        /// How long, in seconds; at 0 it is never true.
        seconds: f64 = 0.5, 0.0..=10.0;
    }
    state { stopwatch: Stopwatch }
}

impl Update for HoldFor {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let (trigger, seconds, dt) = (cx.get(self.trigger)?, cx.get(self.seconds)?, cx.dt());
        let elapsed = self.stopwatch.since(trigger, dt);
        Ok(elapsed.is_some_and(|elapsed| elapsed < seconds))
    }
}

operator! {
    /// An event every so many beats or seconds of local time, beginning at 0.
    ///
    /// It comes in the first frame at or after its moment, whatever the frame rate; where several moments lie between
    /// two frames, they are one event. A leap of time into another period is one, too.
    Every "bool.every" -> bool {
        /// How many beats or seconds lie between events; at 0 there are none.
        period: f64 = 1.0, 0.0..=16.0;
        /// What the period is counted in.
        unit: Unit = Unit::Beats;
        /// How many beats or seconds later than at the multiples of the period.
        offset: f64 = 0.0;
    }
    state { last: Option<f64> }
}

impl Update for Every {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let (period, unit, offset) = (
            cx.get(self.period)?,
            cx.get(self.unit)?,
            cx.get(self.offset)?,
        );
        let now = unit.now(cx);
        // The first time, what happened since the frame before counts.
        let before = match self.last {
            Some(last) => last,
            None => now - unit.frame(cx),
        };
        self.last = Some(now);
        let count = |at: f64| ((at - offset) / period).floor();
        Ok(period > 0.0 && count(now) != count(before))
    }
}
