//! Speeds: an input that means one arrives as its integral over a clock, so that a change of it bends a motion and never
//! makes it leap.

use super::Cx;
use crate::graph::memo::Anchor;
use crate::graph::{GraphError, Input, Key, Source};
use crate::value::{Port, Rate, Value};

impl Cx<'_> {
    /// The integral of a speed over local time: `speed * time` while it has never changed.
    pub(super) fn integrate(&mut self, input: usize, speed: f64, is_connected: bool) -> f64 {
        self.integrate_over(&Key::Time, input, speed, is_connected)
    }

    fn integrate_over(&mut self, key: &Key, input: usize, speed: f64, is_connected: bool) -> f64 {
        let at = Anchor {
            time: 0.0,
            phase: 0.0,
            speed,
        };
        let id = (input, self.graph.context.id(key));
        let anchors = &mut self.graph.nodes[self.node].rest.instances[self.instance].anchors;
        let anchor = *anchors.entry(id).or_insert(at);
        if anchor.speed == speed && speed == 0.0 && !is_connected {
            return anchor.phase;
        }
        let time = self.number(key, 0.0);
        let phase = anchor.phase + anchor.speed * (time - anchor.time);
        if anchor.speed != speed && !self.graph.context.is_sample() {
            let moved = Anchor { time, phase, speed };
            let instance = &mut self.graph.nodes[self.node].rest.instances[self.instance];
            instance.anchors.insert(id, moved);
        }
        phase
    }

    /// Local time, beats and the time of effects as they are when run at a speed, which may be stopped: each is its
    /// own integral, so that a change bends it and never makes it leap.
    pub fn clock(&mut self, speed: Input<Rate>, is_stopped: bool) -> Result<[f64; 3], GraphError> {
        let (value, is_connected) = match &self.graph.nodes[self.node].inputs[speed.index] {
            Source::Node(id) => (self.pull_cloned(*id)?, true),
            Source::Constant(value) => (value.clone(), false),
            _ => (Value::Number(1.0), false),
        };
        let running = f64::from_value(&value).unwrap_or(1.0);
        let now = if is_stopped { 0.0 } else { running };
        let clocks = [Key::Time, Key::Beat, Key::EffectTime];
        Ok(clocks
            .map(|key| self.integrate_over(&key, speed.index, now, is_connected && !is_stopped)))
    }
}
