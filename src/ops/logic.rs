//! Conditions: joining them, and choosing by them.

use crate::graph::{Cx, GraphError, Update};
use crate::value::{Many, Value};
use crate::{choice, formula, operator};

formula! {
    /// Whether both conditions are true.
    And "bool.and_" -> bool {
        /// Left side.
        a: bool = true;
        /// Right side.
        b: bool = true;
    } = a && b
}

formula! {
    /// Whether one of the conditions is true, or both are.
    Or "bool.or_" -> bool {
        /// Left side.
        a: bool = false;
        /// Right side.
        b: bool = false;
    } = a || b
}

formula! {
    /// Whether one of the conditions is true and the other isn't.
    Xor "bool.xor" -> bool {
        /// Left side.
        a: bool = false;
        /// Right side.
        b: bool = false;
    } = a != b
}

formula! {
    /// Whether a condition is false.
    Not "bool.not_" -> bool {
        /// The condition.
        a: bool = false;
    } = !a
}

formula! {
    /// 1 while a condition is true, else 0.
    ToNumber "bool.to_number" -> f64 {
        /// The condition.
        condition: bool = false;
    } = f64::from(u8::from(condition))
}

operator! {
    /// One of two values, by a condition; only the chosen one is evaluated.
    Pick "bool.pick" -> Value {
        /// Which one.
        condition: bool = false;
        /// The value while the condition is true.
        yes: Value = Value::Number(0.0);
        /// The value while it is false.
        no: Value = Value::Number(0.0);
    }
}

impl Update for Pick {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        if cx.get(self.condition)? {
            cx.get(self.yes)
        } else {
            cx.get(self.no)
        }
    }
}

choice! {
    /// What a number beyond the first or last of several things stands for.
    Beyond {
        /// It goes around: after the last comes the first.
        Wrap "wrap",
        /// The nearest one.
        Clamp "clamp",
    }
}

impl Beyond {
    /// A place among `count` things from 0, for a number that counts them from 1; `None` where there are none.
    fn place(self, number: f64, count: usize) -> Option<usize> {
        let last = count.checked_sub(1)?;
        let at = number.round() - 1.0;
        let at = match self {
            Self::Wrap => at.rem_euclid(count as f64),
            Self::Clamp => at.clamp(0.0, last as f64),
        };
        Some((at as usize).min(last))
    }
}

operator! {
    /// One of several values, by its number; only the chosen one is evaluated.
    Switch "num.switch" -> Value {
        /// Which one, counted from 1; the nearest whole number counts.
        index: f64 = 1.0;
        /// The values to choose from, at least one.
        values: Many<Value> = Many::none();
        /// What a number below 1 or above the last means.
        beyond: Beyond = Beyond::Wrap;
    }
}

impl Update for Switch {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let (index, beyond) = (cx.get(self.index)?, cx.get(self.beyond)?);
        let place = beyond.place(index, cx.count(self.values));
        cx.nth(
            self.values,
            place.ok_or_else(|| nothing_to_choose("num.switch"))?,
        )
    }
}

/// Why an operator that chooses among values fails when it has none.
pub(super) fn nothing_to_choose(operator: &str) -> GraphError {
    GraphError::Failed(format!(
        "{operator}.values: expected at least one value, got none"
    ))
}

#[cfg(test)]
#[path = "logic/tests.rs"]
mod tests;
