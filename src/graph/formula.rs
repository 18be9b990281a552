//! Formulas outside every override: they pull every input and read nothing else, so their inputs are made valid one
//! after the other, and the formula is computed from what they hold without anything to record.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use slotmap::SlotMap;
use smallvec::SmallVec;

use super::memo::Seen;
use super::node::{Flags, Node, Slot};
use super::reads::Reads;
use super::{Graph, Input, NodeId, Source};
use crate::value::{Port, Value};

/// The most inputs that a formula may have to be computed this way.
const MOST: usize = 8;

/// The inputs of a node, all of which are valid outside every override.
pub struct Known<'a> {
    nodes: &'a SlotMap<NodeId, Node>,
    node: &'a Node,
}

impl Known<'_> {
    /// What an input holds; `None` where that needs more than a look.
    #[inline(always)]
    pub fn get<T: Port>(&self, input: Input<T>) -> Option<T> {
        match self.node.inputs.get(input.index)? {
            Source::Constant(value) => T::from_value(value),
            Source::Node(id) => T::from_value(&self.nodes.get(*id)?.root.value),
            Source::Many(_) | Source::Unset => None,
        }
    }
}

/// A formula of known inputs; `None` where that needs more than a look at them.
#[derive(Clone, Copy)]
pub enum Formula {
    /// One that gives a number, which travels in a register.
    Number(fn(&Known<'_>) -> Option<f64>),
    /// One that gives anything.
    Value(fn(&Known<'_>) -> Option<Value>),
}

impl Formula {
    /// The better of two ways to compute the same.
    pub fn new<T: Port>(
        plain: fn(&Known<'_>) -> Option<T>,
        wrapped: fn(&Known<'_>) -> Option<Value>,
    ) -> Self {
        let plain: &dyn Any = &plain;
        match plain.downcast_ref() {
            Some(number) => Self::Number(*number),
            None => Self::Value(wrapped),
        }
    }
}

impl Graph {
    /// Makes the result of a formula valid. What isn't as simple as it seems is left to [`Graph::run`].
    #[inline]
    pub(super) fn refresh_formula(&mut self, id: NodeId, formula: Formula) -> Slot {
        let node = &mut self.nodes[id];
        node.flags.set(Flags::RUNNING, true);
        let count = node.inputs.len();
        if count > MOST {
            return self.run_after_all(id);
        }
        let (mut seen, mut pulled) = ([Seen::default(); MOST], 0);
        let mut all = Reads::NONE;
        for at in 0..count {
            let Source::Node(input) = self.nodes[id].inputs[at] else {
                continue;
            };
            let Some(mut given) = self.nodes.get(input) else {
                return self.run_after_all(id);
            };
            if !given.flags.has(Flags::VALID) {
                if self.pull(input) == Slot::NONE {
                    return self.run_after_all(id);
                }
                given = &self.nodes[input];
            }
            seen[pulled] = Seen {
                node: input,
                value: given.root.id,
            };
            pulled += 1;
            if given.root.all != all {
                all = self.context.sets.union(all, given.root.all);
            }
        }
        let (seen, node) = (&seen[..pulled], &self.nodes[id]);
        let memo = &node.root;
        if memo.id != 0 && !memo.must_run && *memo.seen == *seen {
            self.nodes[id].flags.set(Flags::RUNNING, false);
            self.confirm(id, Slot::ROOT, all);
            return Slot::ROOT;
        }
        let known = Known {
            nodes: &self.nodes,
            node,
        };
        if node.flags.has(Flags::FAILED) {
            return self.run_after_all(id);
        }
        let is_new = match formula {
            Formula::Number(formula) => {
                let number = catch_unwind(AssertUnwindSafe(|| formula(&known)));
                let Ok(Some(number)) = number else {
                    return self.run_after_all(id);
                };
                if !number.is_finite() {
                    return self.run_after_all(id);
                }
                match &mut self.nodes[id].root.value {
                    Value::Number(old) => {
                        let is_new = old.to_bits() != number.to_bits();
                        *old = number;
                        is_new
                    }
                    old => {
                        *old = Value::Number(number);
                        true
                    }
                }
            }
            Formula::Value(formula) => {
                let kind = node.kind;
                let value = catch_unwind(AssertUnwindSafe(|| formula(&known)));
                let value = match value {
                    Ok(Some(value)) if value.is_of(kind) => value,
                    _ => return self.run_after_all(id),
                };
                let old = &mut self.nodes[id].root.value;
                let is_new = *old != value;
                if is_new {
                    *old = value;
                }
                is_new
            }
        };
        let stamp = match all == Reads::NONE {
            true => 0,
            false => self.context.stamp(all),
        };
        self.stats.updated += 1;
        let node = &mut self.nodes[id];
        node.ran(self.frame);
        let memo = &mut node.root;
        if memo.id == 0 || is_new {
            self.next_value += 1;
            memo.id = self.next_value;
        }
        if memo.seen.len() == pulled {
            memo.seen.copy_from_slice(seen);
        } else {
            memo.seen = SmallVec::from_slice(seen);
        }
        (memo.own, memo.own_stamp) = (Reads::NONE, 0);
        (memo.all, memo.all_stamp) = (all, stamp);
        (memo.is_scoped, memo.must_run) = (false, false);
        node.flags.set(Flags::RUNNING, false);
        match node.flags.has(Flags::RING) {
            true => self.settle(id, Slot::ROOT),
            false => node.flags.settle(),
        }
        Slot::ROOT
    }

    #[cold]
    fn run_after_all(&mut self, id: NodeId) -> Slot {
        self.nodes[id].flags.set(Flags::RUNNING, false);
        self.run(id)
    }
}
