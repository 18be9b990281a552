//! Pulling a node: take a result that is valid, verify one through its inputs, or run the operator.
//!
//! Outside every override a result is valid until a mark arrives: an edit, or a moved key of the context, is pushed
//! to what depends on it, so that what is clean is never visited. Under an override nothing can be pushed; there a
//! result is valid when the keys it read have the values they had, which one fingerprint tells.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::cx::Cx;
use super::memo::{Instance, Memo, Seen, Step};
use super::node::{Flags, Mode, Node, Slot, Trigger};
use super::reads::Reads;
use super::{Graph, GraphError, Key, Make, NodeId};
use crate::value::{Port, Value};

/// Stack that must be free for [`CHECKED`] operators to run, and how much is added when it isn't, in bytes.
const STACK: (usize, usize) = (512 * 1024, 8 * 1024 * 1024);
/// How many nodes deep the free stack is looked at again.
const CHECKED: usize = 16;
/// One run in so many is timed, a power of two.
const TIMED: u64 = 64;

impl Graph {
    /// The value of a node under the root context. A failing node gives its last good value, or that of nothing of
    /// its kind, and carries the error; only a node that is gone gives `None`.
    pub fn eval(&mut self, id: NodeId) -> Option<Value> {
        self.value(id).cloned()
    }

    /// As [`Graph::eval`], without a copy.
    pub fn value(&mut self, id: NodeId) -> Option<&Value> {
        let slot = self.pull(id).ok()?;
        Some(&self.nodes[id].memo(slot).value)
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
    pub(super) fn pull(&mut self, id: NodeId) -> Result<Slot, GraphError> {
        let node = self.nodes.get_mut(id).ok_or(GraphError::Gone)?;
        if self.context.is_root() {
            if node.flags.has(Flags::VALID) {
                self.stats.reused += 1;
                return Ok(Slot::Root);
            }
        } else if let Some(slot) = find(node, &mut self.context, self.frame) {
            self.stats.reused += 1;
            return Ok(slot);
        }
        self.depth += 1;
        let result = match self.depth % CHECKED {
            0 => stacker::maybe_grow(STACK.0, STACK.1, || self.refresh(id)),
            _ => self.refresh(id),
        };
        self.depth -= 1;
        result
    }

    fn refresh(&mut self, id: NodeId) -> Result<Slot, GraphError> {
        if self.nodes[id].flags.has(Flags::STEPPED)
            && let Some(slot) = self.stepped_already(id)
        {
            return Ok(slot);
        }
        match self.verify(id) {
            Some(slot) => Ok(slot),
            None => self.run(id),
        }
    }

    /// Finds a result whose own reads still hold and whose inputs give what they gave; nothing runs but inputs.
    fn verify(&mut self, id: NodeId) -> Option<Slot> {
        let is_root = self.context.is_root();
        let scopes = self.context.scopes();
        let context = &mut self.context;
        let node = &mut self.nodes[id];
        let touched = node.rest.touched;
        let mut may_hold = |memo: &Memo| {
            memo.id != 0
                && !memo.is_scoped
                && memo.verified >= touched
                && context.stamp(memo.own) == memo.own_stamp
        };
        let slot = if is_root {
            may_hold(&node.root).then_some(Slot::Root)?
        } else {
            let here = |memo: &Memo| memo.scopes == scopes && may_hold(memo);
            match node.rest.ring.find(here) {
                Some(at) => Slot::Ring(at as u32),
                None => may_hold(&node.root).then_some(Slot::Root)?,
            }
        };
        let memo = node.memo(slot);
        let (mut all, count) = (memo.own, memo.seen.len());
        for at in 0..count {
            let seen = self.nodes[id].memo(slot).seen[at];
            let found = self.pull(seen.node).ok()?;
            let found = self.nodes[seen.node].memo(found);
            if found.id != seen.value {
                return None;
            }
            all = self.context.sets.union(all, found.all);
        }
        // What was computed at top level is still wanted there: in another context it is copied.
        let slot = if is_root || slot != Slot::Root || all == Reads::NONE {
            slot
        } else {
            let node = &mut self.nodes[id];
            let at = node.rest.ring.place(scopes, self.frame);
            node.rest.ring.memos[at] = Memo {
                value: node.root.value.clone(),
                seen: node.root.seen.clone(),
                scopes,
                ..node.root
            };
            Slot::Ring(at as u32)
        };
        let stamp = self.context.stamp(all);
        let memo = self.nodes[id].memo_mut(slot);
        (memo.all, memo.all_stamp) = (all, stamp);
        self.settle(id, slot);
        self.stats.reused += 1;
        Some(slot)
    }

    /// Notes that a result has been found valid.
    fn settle(&mut self, id: NodeId, slot: Slot) {
        let (clock, frame) = (self.clock, self.frame);
        let is_root = self.context.is_root();
        let node = &mut self.nodes[id];
        let memo = node.memo_mut(slot);
        (memo.verified, memo.frame) = (clock, frame);
        node.flags.set(Flags::EDITED, false);
        if slot == Slot::Root {
            node.flags.set(Flags::VALID, true);
            let watched = node.watched();
            if is_root && watched != node.rest.registered && watched != Reads::NONE {
                self.register(id, watched);
            }
        }
    }

    /// Has a node told when one of these keys moves.
    fn register(&mut self, id: NodeId, watched: Reads) {
        let rest = &mut self.nodes[id].rest;
        let new = self.context.sets.difference(watched, rest.registered);
        rest.registered = self.context.sets.union(rest.registered, watched);
        for at in 0..self.context.sets.keys(new).len() {
            let key = self.context.sets.keys(new)[at];
            self.context.readers(key).push(id);
        }
    }

    fn run(&mut self, id: NodeId) -> Result<Slot, GraphError> {
        let frame = self.frame;
        let node = &mut self.nodes[id];
        if node.flags.has(Flags::RUNNING) {
            return Err(GraphError::Cycle(node.spec.name.clone()));
        }
        node.flags.set(Flags::RUNNING, true);
        node.runs = if node.last_run == frame {
            node.runs + 1
        } else {
            1
        };
        node.last_run = frame;
        let spec = node.spec.clone();
        let flags = node.flags;
        let (trigger, mode) = match flags.has(Flags::FORCED) {
            true => (node.rest.trigger, node.rest.mode),
            false => (Trigger::None, Mode::Active),
        };
        if let Some(log) = &mut self.log {
            log.push(spec.name.clone());
        }
        let scopes = self.context.scopes();
        let (instance, mut operator) = match &spec.make {
            Make::Plain(_) if !flags.has(Flags::KEEPS) => (0, None),
            make => {
                let kept = if flags.has(Flags::KEEPS) { scopes } else { 0 };
                let at = self.instance(id, make, kept);
                (at, self.nodes[id].rest.instances[at].operator.take())
            }
        };
        let (depth, context, base) = (self.depth, self.context.depth(), self.seen.len());
        let started = ((id.index() ^ frame) % TIMED == 0).then(Instant::now);
        let mut cx = Cx::new(self, id, instance, &spec, started.is_some());
        if flags.has(Flags::KEEPS) {
            cx.depend_on_scopes();
        }
        if flags.has(Flags::STEPPED) || trigger == Trigger::Always {
            cx.read(&Key::Frame);
        }
        let result = catch_unwind(AssertUnwindSafe(|| {
            match (mode, &spec.make, &mut operator) {
                (Mode::Disabled, ..) => cx.keep(),
                (Mode::Bypassed, ..) => cx.pass_through(),
                (_, Make::Plain(update), _) => update(&mut cx),
                (_, Make::Own(_), Some(operator)) => operator.update(&mut cx),
                (_, Make::Own(_), None) => Err(GraphError::Cycle(spec.name.clone())),
            }
        }));
        let (own, all, is_scoped, below) = cx.recorded();
        if let Some(started) = started {
            let spent = (started.elapsed().saturating_sub(below)).as_nanos() as f32;
            let cost = &mut self.nodes[id].rest.cost;
            *cost = if *cost > 0.0 {
                *cost + (spent - *cost) * 0.2
            } else {
                spent.max(1.0)
            };
        }
        self.depth = depth;
        self.context.leave(context);
        self.stats.updated += 1;
        self.nodes[id].flags.set(Flags::RUNNING, false);
        if operator.is_some() {
            self.nodes[id].rest.instances[instance].operator = operator;
        }
        let result = result.unwrap_or_else(|_| {
            let text = format!("{}: stopped by a fault of its own", spec.name);
            Err(GraphError::Failed(text))
        });
        let result = result.and_then(|value| self.check(id, value));
        Ok(self.keep(id, result, scopes, base, (own, all, is_scoped), instance))
    }

    /// Puts a result, or the one that stays after a failure, where it belongs.
    fn keep(
        &mut self,
        id: NodeId,
        result: Result<Value, GraphError>,
        scopes: u64,
        base: usize,
        (own, all, is_scoped): (Reads, Reads, bool),
        instance: usize,
    ) -> Slot {
        let (own_stamp, all_stamp) = (self.context.stamp(own), self.context.stamp(all));
        let frame = self.frame;
        let time = match self.nodes[id].flags.has(Flags::KEEPS) {
            true => self.context.get(&Key::Time).and_then(f64::from_value),
            false => None,
        };
        let is_root = self.context.is_root() || all == Reads::NONE;
        let node = &mut self.nodes[id];
        let flags = node.flags;
        let slot = match is_root {
            true => Slot::Root,
            false => Slot::Ring(node.rest.ring.place(scopes, frame) as u32),
        };
        let value = match result {
            Ok(value) => {
                if node.flags.has(Flags::FAILED) {
                    node.flags.set(Flags::FAILED, false);
                    node.rest.error = None;
                }
                value
            }
            Err(error) => {
                self.stats.failed += 1;
                node.flags.set(Flags::FAILED, true);
                node.rest.error = Some(error);
                last_good(node, slot, scopes)
            }
        };
        let memo = node.memo_mut(slot);
        if memo.id == 0 || memo.value != value {
            self.next_value += 1;
            memo.id = self.next_value;
            memo.value = value;
        }
        (memo.own, memo.all, memo.own_stamp, memo.all_stamp) = (own, all, own_stamp, all_stamp);
        (memo.is_scoped, memo.scopes) = (is_scoped, scopes);
        memo.seen.clear();
        memo.seen.extend_from_slice(&self.seen[base..]);
        self.seen.truncate(base);
        if flags.has(Flags::KEEPS) {
            let (value, id) = (memo.value.clone(), memo.id);
            let kept = &mut node.rest.instances[instance];
            kept.frame = frame;
            if flags.has(Flags::STEPPED) {
                kept.stepped = Some(Step {
                    frame,
                    time: time.unwrap_or(0.0),
                    value,
                    id,
                    own,
                    all,
                });
            }
        }
        self.settle(id, slot);
        slot
    }

    /// The result of a step that was already taken in this frame for this path of scopes.
    fn stepped_already(&mut self, id: NodeId) -> Option<Slot> {
        let scopes = self.context.scopes();
        let (frame, is_root) = (self.frame, self.context.is_root());
        let node = &mut self.nodes[id];
        let instance = node.rest.instances.iter().find(|i| i.scopes == scopes)?;
        let step = instance
            .stepped
            .as_ref()
            .filter(|step| step.frame == frame)?;
        let (value, value_id, own, all) = (step.value.clone(), step.id, step.own, step.all);
        let (own_stamp, all_stamp) = (self.context.stamp(own), self.context.stamp(all));
        let slot = match is_root {
            true => Slot::Root,
            false => Slot::Ring(node.rest.ring.place(scopes, frame) as u32),
        };
        let memo = node.memo_mut(slot);
        *memo = Memo {
            value,
            id: value_id,
            own,
            all,
            own_stamp,
            all_stamp,
            scopes,
            ..Memo::EMPTY
        };
        self.settle(id, slot);
        self.stats.reused += 1;
        Some(slot)
    }

    fn instance(&mut self, id: NodeId, make: &Make, scopes: u64) -> usize {
        let frame = self.frame;
        let instances = &mut self.nodes[id].rest.instances;
        if let Some(at) = instances.iter().position(|i| i.scopes == scopes) {
            return at;
        }
        let operator = match make {
            Make::Plain(_) => None,
            Make::Own(make) => Some(make()),
        };
        instances.push(Instance {
            scopes,
            operator,
            anchors: Default::default(),
            stepped: None,
            frame,
        });
        instances.len() - 1
    }

    fn check(&self, id: NodeId, value: Value) -> Result<Value, GraphError> {
        let node = &self.nodes[id];
        let fails = |why: String| Err(GraphError::Failed(format!("{}: {why}", node.spec.name)));
        let (kind, got) = (node.kind, value.kind());
        if kind != got {
            return match value.convert(kind) {
                Some(value) => self.check(id, value),
                None => fails(format!(
                    "expected to give {}, gave {}",
                    kind.name(),
                    got.name()
                )),
            };
        }
        match value.is_finite() {
            true => Ok(value),
            false => fails("the result is not a finite number".into()),
        }
    }
}

/// A result that is valid under the present overrides.
fn find(node: &mut Node, context: &mut super::Context, frame: u64) -> Option<Slot> {
    if node.flags.has(Flags::EDITED) {
        return None;
    }
    let edited = node.rest.edited;
    let mut is_valid = |memo: &Memo| {
        memo.id != 0 && memo.verified >= edited && context.stamp(memo.all) == memo.all_stamp
    };
    let slot = if is_valid(&node.root) {
        Slot::Root
    } else {
        Slot::Ring(node.rest.ring.find(is_valid)? as u32)
    };
    node.memo_mut(slot).frame = frame;
    Some(slot)
}

/// What a failing node goes on giving: what it gave here, what it gave elsewhere, or nothing of its kind.
fn last_good(node: &Node, slot: Slot, scopes: u64) -> Value {
    let here = Some(node.memo(slot)).filter(|memo| memo.id != 0 && memo.scopes == scopes);
    let ring = node.rest.ring.memos.iter().filter(|memo| memo.id != 0);
    let latest = || {
        ring.clone()
            .filter(|memo| memo.scopes == scopes)
            .max_by_key(|m| m.frame)
    };
    let elsewhere = || Some(&node.root).filter(|memo| memo.id != 0);
    match here.or_else(latest).or_else(elsewhere) {
        Some(memo) => memo.value.clone(),
        None => Value::empty(node.kind),
    }
}

/// A pull, as it is recorded.
pub(super) fn seen(node: NodeId, memo: &Memo) -> Seen {
    Seen {
        node,
        value: memo.id,
    }
}
