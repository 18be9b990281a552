//! Values that stay, wait or give way while a condition says so.

use crate::graph::{Cx, GraphError, Input, Update};
use crate::operator;
use crate::ops::past::Past;
use crate::value::Value;

/// Follows a value, or keeps what it was: `kept` stays where it is of the kind that the node gives, as it is not when
/// an edit has connected something else.
fn follow(
    cx: &mut Cx<'_>,
    value: Input<Value>,
    kept: &mut Option<Value>,
    is_kept: bool,
) -> Result<Value, GraphError> {
    let kind = cx.kind();
    if let Some(kept) = kept.as_ref().filter(|_| is_kept)
        && let Some(value) = kept.convert(kind)
    {
        return Ok(value);
    }
    let value = cx.get(value)?;
    *kept = Some(value.clone());
    Ok(value)
}

operator! {
    /// Follows a value while open and keeps the last one while closed. With an event, it samples at each one.
    ///
    /// What was never open gives the value of its first frame. While closed, the value isn't evaluated.
    Hold "any.hold" -> Value {
        /// The value to follow.
        value: Value = Value::Number(0.0);
        /// Whether it follows.
        open: bool = true;
    }
    state { kept: Option<Value> }
}

impl Update for Hold {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let open = cx.get(self.open)?;
        follow(cx, self.value, &mut self.kept, !open)
    }
}

operator! {
    /// Keeps a value as it is while a condition is true. Meanwhile the value isn't evaluated.
    Freeze "any.freeze" -> Value {
        /// The value to follow otherwise.
        value: Value = Value::Number(0.0);
        /// Whether it is kept.
        freeze: bool = false;
    }
    state { kept: Option<Value> }
}

impl Update for Freeze {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let freeze = cx.get(self.freeze)?;
        follow(cx, self.value, &mut self.kept, freeze)
    }
}

operator! {
    /// A value while a condition is true, and another one, or nothing of its kind, while it isn't.
    ///
    /// Only the one that is given is evaluated.
    Gate "any.gate" -> Value {
        /// The value.
        value: Value = Value::Number(0.0);
        /// Whether it passes.
        open: bool = true;
        /// What is given instead; left out, that is 0, false, empty, black, no rotation.
        otherwise: Value = Value::Number(0.0);
    }
}

impl Update for Gate {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        match cx.get(self.open)? {
            true => cx.get(self.value),
            false => cx.get(self.otherwise),
        }
    }
}

operator! {
    /// A value as it was some seconds ago; as it was at first while it is younger than that.
    ///
    /// The last ten seconds are kept, and no more than 4096 frames of them.
    Delay "any.delay" -> Value {
        /// The value.
        value: Value = Value::Number(0.0);
        /// How many seconds ago, at most 10.
        seconds: f64 = 0.5, 0.0..=10.0;
    }
    state { past: Past<Value> }
}

impl Update for Delay {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let (value, seconds) = (cx.get(self.value)?, cx.get(self.seconds)?);
        let (dt, kind) = (cx.dt(), cx.kind());
        let last = self.past.last();
        if last.is_some_and(|last| last.convert(kind).is_none()) {
            self.past = Past::default();
        }
        self.past.push(dt, value.clone());
        let was = self.past.ago(seconds.max(0.0));
        Ok(was.cloned().unwrap_or(value))
    }
}
