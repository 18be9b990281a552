//! Events: moments at which a condition changes, and what they switch.
//!
//! A condition is a boolean; an event is one that is true in a single frame. What waits for an event sees it where a
//! condition becomes true, so that a condition that stays true counts once, and one that is true from the start
//! counts then.

use crate::graph::{Cx, GraphError, Update};
use crate::value::Value;
use crate::{choice, operator};

pub mod memory;
pub mod timing;

/// Sees a condition become true.
#[derive(Default)]
pub(super) struct Edge {
    was_true: bool,
}

impl Edge {
    /// Whether the condition is true now and wasn't the last time.
    pub(super) fn rises(&mut self, is_true: bool) -> bool {
        let was_true = std::mem::replace(&mut self.was_true, is_true);
        is_true && !was_true
    }
}

/// Seconds since the last event.
#[derive(Default)]
pub(super) struct Stopwatch {
    edge: Edge,
    elapsed: Option<f64>,
}

impl Stopwatch {
    /// How long ago the last event was, 0 when it is now, `dt` seconds after the last time; `None` before the first.
    pub(super) fn since(&mut self, trigger: bool, dt: f64) -> Option<f64> {
        self.elapsed = match self.edge.rises(trigger) {
            true => Some(0.0),
            false => self.elapsed.map(|elapsed| elapsed + dt),
        };
        self.elapsed
    }
}

operator! {
    /// An event whenever a condition becomes true.
    Rising "bool.rising" -> bool {
        /// The condition.
        condition: bool = false;
    }
    state { edge: Edge }
}

impl Update for Rising {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        Ok(self.edge.rises(cx.get(self.condition)?))
    }
}

operator! {
    /// An event whenever a condition stops being true.
    Falling "bool.falling" -> bool {
        /// The condition.
        condition: bool = false;
    }
    state { was_true: bool }
}

impl Update for Falling {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let is_true = cx.get(self.condition)?;
        Ok(std::mem::replace(&mut self.was_true, is_true) && !is_true)
    }
}

operator! {
    /// An event whenever a value is another one than in the frame before; none the first time.
    HasChanged "any.has_changed" -> bool {
        /// The value.
        value: Value = Value::Number(0.0);
    }
    state { last: Option<Value> }
}

impl Update for HasChanged {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let value = cx.get(self.value)?;
        let last = self.last.replace(value.clone());
        Ok(last.is_some_and(|last| last != value))
    }
}

operator! {
    /// On and off in turn: each event turns it over. It begins off.
    Toggle "bool.toggle" -> bool {
        /// The event.
        trigger: bool = false;
    }
    state { edge: Edge, is_on: bool }
}

impl Update for Toggle {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        self.is_on ^= self.edge.rises(cx.get(self.trigger)?);
        Ok(self.is_on)
    }
}

operator! {
    /// On from one event to another. It begins off, and stays off where both come at once.
    Flipflop "bool.flipflop" -> bool {
        /// The event that turns it on.
        set: bool = false;
        /// The event that turns it off.
        reset: bool = false;
    }
    state { sets: Edge, resets: Edge, is_on: bool }
}

impl Update for Flipflop {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let (set, reset) = (cx.get(self.set)?, cx.get(self.reset)?);
        self.is_on |= self.sets.rises(set);
        self.is_on &= !self.resets.rises(reset);
        Ok(self.is_on)
    }
}

operator! {
    /// True from the first moment on at which a condition is true.
    Once "bool.once" -> bool {
        /// The condition.
        condition: bool = false;
        /// Makes it wait anew; nothing counts while this is true.
        reset: bool = false;
    }
    state { is_on: bool }
}

impl Update for Once {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let (condition, reset) = (cx.get(self.condition)?, cx.get(self.reset)?);
        self.is_on = !reset && (self.is_on || condition);
        Ok(self.is_on)
    }
}

operator! {
    /// How many events there were, from 0.
    Counter "bool.counter" -> i64 {
        /// The event.
        trigger: bool = false;
        /// Puts the count back to 0; nothing counts while this is true.
        reset: bool = false;
        /// How many events bring it back to 0; at 0 it goes on without end.
        length: i64 = 0, 0.0..=64.0;
    }
    state { edge: Edge, count: i64 }
}

impl Update for Counter {
    type Output = i64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<i64, GraphError> {
        let (trigger, reset) = (cx.get(self.trigger)?, cx.get(self.reset)?);
        let length = cx.get(self.length)?;
        let rises = self.edge.rises(trigger);
        self.count = match reset {
            true => 0,
            false => self.count.saturating_add(i64::from(rises)),
        };
        if length > 0 {
            self.count %= length;
        }
        Ok(self.count)
    }
}

choice! {
    /// Which way a number goes through a threshold.
    Crossing {
        /// From below it to it or above.
        Up "up",
        /// From it or above to below it.
        Down "down",
        /// Either way.
        Both "both",
    }
}

operator! {
    /// An event whenever a number crosses a threshold; none the first time.
    Crosses "num.crosses" -> bool {
        /// The number.
        value: f64 = 0.0;
        /// The threshold; the number is above once it reaches it.
        threshold: f64 = 0.5;
        /// How far below the threshold it has to fall before it counts as below, so that a number that trembles
        /// crosses once.
        hysteresis: f64 = 0.0, 0.0..=1.0;
        /// Which way counts.
        direction: Crossing = Crossing::Up;
    }
    state { was_above: Option<bool> }
}

impl Update for Crosses {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let (value, threshold) = (cx.get(self.value)?, cx.get(self.threshold)?);
        let (hysteresis, direction) = (cx.get(self.hysteresis)?, cx.get(self.direction)?);
        let edge = match self.was_above {
            Some(true) => threshold - hysteresis.max(0.0),
            _ => threshold,
        };
        let is_above = value >= edge;
        let was_above = self.was_above.replace(is_above).unwrap_or(is_above);
        Ok(is_above != was_above
            && match direction {
                Crossing::Up => is_above,
                Crossing::Down => was_above,
                Crossing::Both => true,
            })
    }
}

#[cfg(test)]
#[path = "event/tests.rs"]
mod tests;
