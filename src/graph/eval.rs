//! Pulling a node: take a result that is valid, verify one through its inputs, or run the operator.
//!
//! Outside every override a result is valid until a mark arrives: an edit, or a moved key of the context, is pushed
//! to what depends on it, so that what is clean is never visited. Under an override nothing can be pushed; there a
//! result is valid when the keys it read have the values they had, which one fingerprint tells.

use super::marks::Flags;
use super::memo::{Memo, Scoped};
use super::node::{Node, Slot};
use super::reads::Reads;
use super::{Context, Formula, Graph, Key, Make, NodeId};
use crate::value::Value;

/// Stack that must be free for [`CHECKED`] operators to run, and how much is added when it isn't, in bytes.
const STACK: (usize, usize) = (512 * 1024, 8 * 1024 * 1024);
/// How many nodes deep the free stack is looked at again.
const CHECKED: usize = 16;
impl Graph {
    /// The value of a node under the root context. A failing node gives its last good value, or that of nothing of
    /// its kind, and carries the error; only a node that is gone gives `None`.
    pub fn eval(&mut self, id: NodeId) -> Option<Value> {
        self.value(id).cloned()
    }

    /// As [`Graph::eval`], without a copy.
    #[inline]
    pub fn value(&mut self, id: NodeId) -> Option<&Value> {
        if self.context.is_root() && self.marks.is_valid(id) {
            self.stats.reused += 1;
            return self.nodes.get(id).map(|node| &node.root.value);
        }
        match self.pull(id) {
            Slot::NONE => None,
            slot => Some(&self.nodes[id].memo(slot).value),
        }
    }

    /// The value of a node for one of several sinks of a frame, with keys overridden for it alone, as the size is for
    /// a second window. Stepped state is shared among sinks.
    pub fn eval_with(&mut self, id: NodeId, overrides: &[(Key, Value)]) -> Option<Value> {
        let depth = self.context.depth();
        for (key, value) in overrides {
            let key = self.context.id(key);
            self.context.enter(key, value.clone());
        }
        let value = self.value(id).cloned();
        self.context.leave(depth);
        value
    }

    /// Makes some result of the node valid in the present context, and says which.
    #[inline]
    pub(super) fn pull(&mut self, id: NodeId) -> Slot {
        if !self.context.is_root() {
            return self.pull_scoped(id);
        }
        if !self.nodes.contains_key(id) {
            return Slot::NONE;
        }
        match self.marks.of(id).has(Flags::VALID) {
            true => {
                self.stats.reused += 1;
                Slot::ROOT
            }
            false => self.refresh(id),
        }
    }

    /// Makes a result valid that wasn't found to be, on more stack where it is short.
    pub(super) fn refresh(&mut self, id: NodeId) -> Slot {
        self.depth += 1;
        let slot = match self.depth % CHECKED {
            0 => stacker::maybe_grow(STACK.0, STACK.1, || self.refresh_here(id)),
            _ => self.refresh_here(id),
        };
        self.depth -= 1;
        slot
    }

    #[inline]
    fn refresh_here(&mut self, id: NodeId) -> Slot {
        let is_root = self.context.is_root();
        if let Some(formula) = self.formula(id) {
            return match is_root {
                true => self.refresh_formula::<true>(id, formula),
                false => self.refresh_formula::<false>(id, formula),
            };
        }
        let verified = match is_root {
            true => self.verify_root(id).then_some(Slot::ROOT),
            false => self.verify_scoped(id),
        };
        verified.unwrap_or_else(|| self.run(id))
    }

    fn pull_scoped(&mut self, id: NodeId) -> Slot {
        let Some(node) = self.nodes.get_mut(id) else {
            return Slot::NONE;
        };
        let flags = self.marks.of(id);
        if let Some(slot) = find(node, flags, &mut self.context, self.frame) {
            self.stats.reused += 1;
            return slot;
        }
        self.refresh(id)
    }

    /// The formula of a node that only has to be computed.
    #[inline]
    fn formula(&self, id: NodeId) -> Option<Formula> {
        match self.nodes[id].spec.make {
            Make::Formula(_, formula)
                if self.log.is_none() && !self.marks.of(id).has(Flags::SPECIAL) =>
            {
                Some(formula)
            }
            _ => None,
        }
    }

    /// Whether the result at top level still holds: its own reads do, and its inputs give what they gave. Nothing
    /// runs but inputs.
    #[inline]
    fn verify_root(&mut self, id: NodeId) -> bool {
        let memo = &self.nodes[id].root;
        let own = memo.own;
        if memo.id == 0
            || memo.must_run
            || (own != Reads::NONE && self.context.stamp(own) != memo.own_stamp)
        {
            return false;
        }
        let (mut all, count) = (own, memo.seen.len());
        for at in 0..count {
            let seen = self.nodes[id].root.seen[at];
            let Some(mut given) = self.nodes.get(seen.node) else {
                return false;
            };
            if !self.marks.of(seen.node).has(Flags::VALID) {
                if self.refresh(seen.node) == Slot::NONE {
                    return false;
                }
                given = &self.nodes[seen.node];
            }
            if given.root.id != seen.value {
                return false;
            }
            if given.root.all != all {
                all = self.context.sets.union(all, given.root.all);
            }
        }
        self.confirm(id, Slot::ROOT, all);
        true
    }

    /// As [`Graph::verify_root`] under an override, for the result that was given last in these scopes.
    fn verify_scoped(&mut self, id: NodeId) -> Option<Slot> {
        let scopes = self.context.scopes();
        let context = &mut self.context;
        let node = &mut self.nodes[id];
        let mut may_hold = |memo: &Memo| {
            memo.id != 0 && !memo.must_run && context.stamp(memo.own) == memo.own_stamp
        };
        let here = |scoped: &Scoped| scoped.scopes == scopes && may_hold(&scoped.memo);
        let slot = match node.rest.ring.find(scopes, self.frame, here) {
            Some(at) => Slot(at as u32),
            None => may_hold(&node.root).then_some(Slot::ROOT)?,
        };
        let memo = node.memo(slot);
        let (mut all, count) = (memo.own, memo.seen.len());
        for at in 0..count {
            let seen = self.nodes[id].memo(slot).seen[at];
            let found = match self.pull(seen.node) {
                Slot::NONE => return None,
                found => self.nodes[seen.node].memo(found),
            };
            if found.id != seen.value {
                return None;
            }
            all = self.context.sets.union(all, found.all);
        }
        // The result at top level is still wanted there: elsewhere it is copied.
        let slot = match slot {
            Slot::ROOT if all != Reads::NONE => {
                let at = self.place(id);
                let node = &mut self.nodes[id];
                let copy = Memo {
                    value: node.root.value.clone(),
                    seen: node.root.seen.clone(),
                    ..node.root
                };
                *node.memo_mut(at) = copy;
                at
            }
            slot => slot,
        };
        self.confirm(id, slot, all);
        Some(slot)
    }

    /// Notes that a result holds, with what is now read below it.
    pub(super) fn confirm(&mut self, id: NodeId, slot: Slot, all: Reads) {
        let stamp = self.context.stamp(all);
        let memo = self.nodes[id].memo_mut(slot);
        (memo.all, memo.all_stamp) = (all, stamp);
        self.settle(id, slot);
        self.stats.reused += 1;
    }

    /// Notes that a result is valid.
    #[inline]
    pub(super) fn settle(&mut self, id: NodeId, slot: Slot) {
        let node = &mut self.nodes[id];
        let flags = self.marks.of_mut(id);
        if flags.has(Flags::RING) {
            // What was not found valid since the edit must be verified.
            if flags.has(Flags::EDITED) {
                node.rest.edited = self.clock;
            }
            if slot != Slot::ROOT {
                let scoped = &mut node.rest.ring.memos[slot.0 as usize];
                (scoped.verified, scoped.frame) = (self.clock, self.frame);
                node.rest.ring.gave(slot.0 as usize);
            }
        }
        flags.set(Flags::EDITED, false);
        if slot == Slot::ROOT {
            flags.settle();
            let watched = node.watched();
            if watched != node.registered && watched != Reads::NONE && self.context.is_root() {
                self.register(id, watched);
            }
        }
    }

    /// Has a node told when one of these keys moves.
    fn register(&mut self, id: NodeId, watched: Reads) {
        let node = &mut self.nodes[id];
        let new = self.context.sets.difference(watched, node.registered);
        node.registered = self.context.sets.union(node.registered, watched);
        for at in 0..self.context.sets.keys(new).len() {
            let key = self.context.sets.keys(new)[at];
            self.context.readers(key).push(id);
        }
    }

    /// Room for a result under the present override.
    pub(super) fn place(&mut self, id: NodeId) -> Slot {
        let scopes = self.context.scopes();
        let node = &mut self.nodes[id];
        self.marks.set(id, Flags::RING, true);
        Slot(node.rest.ring.place(scopes, self.frame) as u32)
    }
}

/// A result that is valid under the present overrides.
#[inline]
fn find(node: &mut Node, flags: Flags, context: &mut Context, frame: u64) -> Option<Slot> {
    if flags.has(Flags::EDITED) {
        return None;
    }
    let scopes = context.scopes();
    let mut fits = |memo: &Memo| memo.id != 0 && context.stamp(memo.all) == memo.all_stamp;
    if !flags.has(Flags::ROOT_EDITED) && fits(&node.root) {
        return Some(Slot::ROOT);
    }
    let edited = node.rest.edited;
    let ring = &mut node.rest.ring;
    let is_valid = |scoped: &Scoped| scoped.verified >= edited && fits(&scoped.memo);
    let at = ring.find(scopes, frame, is_valid)?;
    ring.memos[at].frame = frame;
    ring.gave(at);
    Some(Slot(at as u32))
}
