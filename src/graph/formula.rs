//! Formulas: they pull every input and read nothing else, so their inputs are made valid one after the other, and the
//! formula is computed from what they hold without anything to record.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use std::time::Instant;

use slotmap::SlotMap;
use smallvec::SmallVec;

use super::marks::Flags;
use super::memo::{Memo, Scoped, Seen};
use super::node::{Node, Slot};
use super::reads::Reads;
use super::{Graph, Input, NodeId, Source};
use crate::value::{Port, Value};

/// The most inputs that a formula may have to be computed this way.
const MOST: usize = 4;

/// The inputs of a node, all of which are valid in the present context.
pub struct Known<'a> {
    nodes: &'a SlotMap<NodeId, Node>,
    node: &'a Node,
    /// Which result each input gave.
    slots: &'a [Slot; MOST],
}

impl Known<'_> {
    /// What an input holds; `None` where that needs more than a look.
    #[inline(always)]
    pub fn get<T: Port>(&self, input: Input<T>) -> Option<T> {
        match self.node.inputs.get(input.index)? {
            Source::Constant(value) => T::from_value(value),
            Source::Node(id) => {
                let slot = *self.slots.get(input.index)?;
                T::from_value(&self.nodes.get(*id)?.memo(slot).value)
            }
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
    /// Makes the result of a formula valid, outside every override where `ROOT`, else in the present one. What isn't
    /// as simple as it seems is left to [`Graph::run`].
    #[inline]
    pub(super) fn refresh_formula<const ROOT: bool>(
        &mut self,
        id: NodeId,
        formula: Formula,
    ) -> Slot {
        let count = self.nodes[id].inputs.len();
        if count > MOST {
            return self.run(id);
        }
        let (mut slots, mut seen) = ([Slot::ROOT; MOST], [Seen::default(); MOST]);
        let (mut pulled, mut all) = (0, Reads::NONE);
        for (at, kept) in slots.iter_mut().enumerate().take(count) {
            let Source::Node(input) = self.nodes[id].inputs[at] else {
                continue;
            };
            let slot = match ROOT && self.marks.of(input).has(Flags::VALID) {
                true => {
                    self.stats.reused += 1;
                    Slot::ROOT
                }
                false => self.pull(input),
            };
            if slot == Slot::NONE {
                return self.run(id);
            }
            let given = self.nodes[input].memo(slot);
            if !ROOT {
                *kept = slot;
            }
            seen[pulled] = Seen {
                node: input,
                value: given.id,
            };
            pulled += 1;
            if given.all != all {
                all = self.context.sets.union(all, given.all);
            }
        }
        let seen = &seen[..pulled];
        let node = &self.nodes[id];
        let before = match ROOT || all == Reads::NONE {
            true => Some(Slot::ROOT),
            false => {
                let scopes = self.context.scopes();
                let here = |scoped: &Scoped| scoped.scopes == scopes;
                let at = node.rest.ring.find(scopes, self.frame, here);
                at.map(|at| Slot(at as u32))
            }
        };
        let is_same = |memo: &Memo| memo.id != 0 && !memo.must_run && *memo.seen == *seen;
        if let Some(slot) = before.filter(|slot| is_same(node.memo(*slot))) {
            self.confirm(id, slot, all);
            return slot;
        }
        if self.marks.of(id).has(Flags::FAILED) {
            return self.run(id);
        }
        let known = Known {
            nodes: &self.nodes,
            node,
            slots: &slots,
        };
        let started = self.is_timed(id).then(Instant::now);
        // A number stays in a register on its way to where it is kept.
        let (number, value) = match formula {
            Formula::Number(formula) => match catch_unwind(AssertUnwindSafe(|| formula(&known))) {
                Ok(Some(number)) if number.is_finite() => (number, None),
                _ => return self.run(id),
            },
            Formula::Value(formula) => {
                let kind = node.kind;
                match catch_unwind(AssertUnwindSafe(|| formula(&known))) {
                    Ok(Some(value)) if value.is_of(kind) => (0.0, Some(value)),
                    _ => return self.run(id),
                }
            }
        };
        if let Some(started) = started {
            self.account(id, started.elapsed());
        }
        let stamp = match all == Reads::NONE {
            true => 0,
            false => self.context.stamp(all),
        };
        let slot = match ROOT || all == Reads::NONE {
            true => Slot::ROOT,
            false => self.place(id),
        };
        self.stats.updated += 1;
        let node = &mut self.nodes[id];
        node.ran(self.frame);
        let memo = node.memo_mut(slot);
        let is_same = match (&mut memo.value, value) {
            (Value::Number(old), None) => {
                let is_same = old.to_bits() == number.to_bits();
                *old = number;
                is_same
            }
            (old, value) => {
                let value = value.unwrap_or(Value::Number(number));
                let is_same = *old == value;
                *old = value;
                is_same
            }
        };
        if !is_same || memo.id == 0 {
            self.next_value += 1;
            memo.id = self.next_value;
        }
        if memo.seen.len() == pulled {
            // As a loop, since a call to copy so few is slower.
            let pairs = memo.seen.iter_mut().zip(seen);
            pairs.for_each(|(old, new)| *old = *new);
        } else {
            memo.seen = SmallVec::from_slice(seen);
        }
        (memo.all, memo.all_stamp) = (all, stamp);
        if memo.must_run {
            // It may have done something else before than to compute.
            (memo.own, memo.own_stamp) = (Reads::NONE, 0);
            (memo.is_scoped, memo.must_run) = (false, false);
        }
        let flags = self.marks.of_mut(id);
        match ROOT && !flags.has(Flags::RING) {
            true => flags.settle(),
            false => self.settle(id, slot),
        }
        slot
    }
}
