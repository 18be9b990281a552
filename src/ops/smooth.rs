//! Smoothing over time.

use crate::graph::{Cx, GraphError, Update};
use crate::operator;

operator! {
    /// Follows a number smoothly, at the same pace whatever the frame rate.
    Damp "num.damp" -> f64 {
        /// The number to follow.
        value: f64 = 0.0;
        /// Seconds in which half of the way is covered; 0 follows at once.
        half_life: f64 = 0.1, 0.0..=10.0;
    }
    state { current: Option<f64> }
}

impl Update for Damp {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (value, half_life, dt) = (cx.get(self.value)?, cx.get(self.half_life)?, cx.dt());
        let current = match self.current {
            Some(current) if half_life > 0.0 => {
                value + (current - value) * 0.5_f64.powf(dt / half_life)
            }
            _ => value,
        };
        self.current = Some(current);
        Ok(current)
    }
}
