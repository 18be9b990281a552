//! Pulling a node: take a result that is valid, verify one through its inputs, or run the operator.
//!
//! Outside every override a result is valid until a mark arrives: an edit, or a moved key of the context, is pushed
//! to what depends on it, so that what is clean is never visited. Under an override nothing can be pushed; there a
//! result is valid when the keys it read have the values they had, which one fingerprint tells.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::cx::Cx;
use super::marks::Flags;
use super::memo::{Instance, Memo, Scoped, Step};
use super::node::{Mode, Node, Slot, Trigger};
use super::reads::Reads;
use super::{Call, Context, Formula, Graph, GraphError, Key, Make, NodeId, Operator};
use crate::value::{Port, Value};

/// Stack that must be free for [`CHECKED`] operators to run, and how much is added when it isn't, in bytes.
const STACK: (usize, usize) = (512 * 1024, 8 * 1024 * 1024);
/// How many nodes deep the free stack is looked at again.
const CHECKED: usize = 16;
/// One run in so many is timed.
const TIMED: u64 = 256;

/// What an operator read while it ran.
#[derive(Clone, Copy)]
pub(super) struct Recorded {
    pub(super) own: Reads,
    pub(super) all: Reads,
    pub(super) is_scoped: bool,
    /// Time spent in inputs, while the run is timed.
    pub(super) below: Duration,
}

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

    /// Makes the result at top level valid.
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
        if let Some(formula) = self.formula(id) {
            return self.refresh_formula::<true>(id, formula);
        }
        match self.verify_root(id) {
            true => Slot::ROOT,
            false => self.run(id),
        }
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
        self.depth += 1;
        let slot = match self.depth % CHECKED {
            0 => stacker::maybe_grow(STACK.0, STACK.1, || self.refresh_scoped(id)),
            _ => self.refresh_scoped(id),
        };
        self.depth -= 1;
        slot
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

    fn refresh_scoped(&mut self, id: NodeId) -> Slot {
        if let Some(formula) = self.formula(id) {
            return self.refresh_formula::<false>(id, formula);
        }
        match self.verify_scoped(id) {
            Some(slot) => slot,
            None => self.run(id),
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

    pub(super) fn run(&mut self, id: NodeId) -> Slot {
        let frame = self.frame;
        let node = &mut self.nodes[id];
        let update = match node.spec.make {
            Make::Plain(update) | Make::Formula(update, _)
                if !self.marks.of(id).has(Flags::SPECIAL) =>
            {
                update
            }
            _ => return self.run_special(id),
        };
        self.marks.set(id, Flags::RUNNING, true);
        node.ran(frame);
        if self.is_watched(id) {
            return self.run_watched(id, update);
        }
        let (context, base) = (self.context.depth(), self.seen.len());
        let mut cx = Cx::new(self, id, 0, false);
        let result = catch_unwind(AssertUnwindSafe(|| update(&mut cx)));
        let recorded = cx.recorded();
        self.finish(id, result, recorded, (context, base), 0)
    }

    /// As [`Graph::run`], timed and logged.
    #[inline(never)]
    fn run_watched(&mut self, id: NodeId, update: Call) -> Slot {
        self.note(id);
        let (context, base) = (self.context.depth(), self.seen.len());
        let started = Instant::now();
        let mut cx = Cx::new(self, id, 0, true);
        let result = catch_unwind(AssertUnwindSafe(|| update(&mut cx)));
        let recorded = cx.recorded();
        self.account(id, started.elapsed().saturating_sub(recorded.below));
        self.finish(id, result, recorded, (context, base), 0)
    }

    /// Whether a run is timed or logged.
    #[inline]
    fn is_watched(&self, id: NodeId) -> bool {
        self.is_timed(id) || self.log.is_some()
    }

    /// Whether it is this node's turn to be timed.
    #[inline]
    pub(super) fn is_timed(&self, id: NodeId) -> bool {
        (id.place() as u64 ^ self.frame).is_multiple_of(TIMED)
    }

    fn note(&mut self, id: NodeId) {
        if let Some(log) = &mut self.log {
            log.push(self.nodes[id].spec.name.clone());
        }
    }

    /// Runs an operator that has something of its own: itself, state, or a mode.
    fn run_special(&mut self, id: NodeId) -> Slot {
        let frame = self.frame;
        let flags = self.marks.of(id);
        if flags.has(Flags::STEPPED)
            && let Some(slot) = self.stepped_already(id)
        {
            return slot;
        }
        if flags.has(Flags::RUNNING) {
            return Slot::NONE;
        }
        let node = &mut self.nodes[id];
        self.marks.set(id, Flags::RUNNING, true);
        node.ran(frame);
        let (spec, trigger, mode) = (node.spec.clone(), node.rest.trigger, node.rest.mode);
        self.note(id);
        let scopes = if flags.has(Flags::KEEPS) {
            self.context.scopes()
        } else {
            0
        };
        let instance = self.instance(id, &spec.make, scopes);
        // Out of its place while it runs, and put back also after a panic.
        let mut operator = self.nodes[id].rest.instances[instance].operator.take();
        let (context, base) = (self.context.depth(), self.seen.len());
        let started = self.is_timed(id).then(Instant::now);
        let mut cx = Cx::new(self, id, instance, started.is_some());
        if flags.has(Flags::KEEPS) {
            cx.depend_on_scopes();
        }
        if flags.has(Flags::STEPPED) || trigger == Trigger::Always {
            cx.frame();
        }
        let result = catch_unwind(AssertUnwindSafe(|| {
            match (mode, &spec.make, &mut operator) {
                (Mode::Disabled, ..) => cx.keep(),
                (Mode::Bypassed, ..) => cx.pass_through(),
                (_, Make::Plain(update) | Make::Formula(update, _), _) => update(&mut cx),
                (_, Make::Own(_), Some(operator)) => operator.update(&mut cx),
                (_, Make::Own(_), None) => Err(GraphError::Cycle(spec.name.as_str().into())),
            }
        }));
        let recorded = cx.recorded();
        if let Some(started) = started {
            self.account(id, started.elapsed().saturating_sub(recorded.below));
        }
        self.nodes[id].rest.instances[instance].operator = operator;
        self.finish(id, result, recorded, (context, base), instance)
    }

    pub(super) fn account(&mut self, id: NodeId, spent: Duration) {
        let (cost, spent) = (&mut self.nodes[id].rest.cost, spent.as_nanos() as f32);
        *cost = match *cost > 0.0 {
            true => *cost + (spent - *cost) * 0.2,
            false => spent.max(1.0),
        };
    }

    /// Puts a result, or the one that stays after a failure, where it belongs. `before` is how many overrides were in
    /// force and how much was pulled when the operator began.
    #[inline]
    fn finish(
        &mut self,
        id: NodeId,
        result: std::thread::Result<Result<Value, GraphError>>,
        recorded: Recorded,
        before: (usize, usize),
        instance: usize,
    ) -> Slot {
        let (context, base) = before;
        self.context.leave(context);
        self.stats.updated += 1;
        let all = recorded.all;
        let slot = match all == Reads::NONE || self.context.is_root() {
            true => Slot::ROOT,
            false => self.place(id),
        };
        let stamps = match all == Reads::NONE {
            true => (0, 0),
            false => (self.context.stamp(recorded.own), self.context.stamp(all)),
        };
        let flags = self.marks.of(id);
        let mut node = &mut self.nodes[id];
        let value = match result {
            Ok(Ok(value)) if value.is_of(node.kind) && !flags.has(Flags::FAILED) => value,
            result => {
                let value = self.unusual(id, slot, result);
                node = &mut self.nodes[id];
                value
            }
        };
        self.marks.set(id, Flags::RUNNING, false);
        let is_kept = flags.has(Flags::KEEPS);
        let memo = node.memo_mut(slot);
        if memo.id == 0 || memo.value != value {
            self.next_value += 1;
            memo.id = self.next_value;
            memo.value.replace(value);
        }
        (memo.own, memo.all) = (recorded.own, all);
        (memo.own_stamp, memo.all_stamp) = stamps;
        (memo.is_scoped, memo.must_run) = (recorded.is_scoped, recorded.is_scoped);
        let seen = &self.seen[base..];
        if memo.seen.len() == seen.len() {
            memo.seen
                .iter_mut()
                .zip(seen)
                .for_each(|(old, new)| *old = *new);
        } else {
            memo.seen.clear();
            memo.seen.extend_from_slice(seen);
        }
        self.seen.truncate(base);
        if is_kept {
            self.step(id, slot, instance);
        }
        self.settle(id, slot);
        slot
    }

    /// What is kept of a result that failed, or that is the first good one since.
    #[cold]
    fn unusual(
        &mut self,
        id: NodeId,
        slot: Slot,
        result: std::thread::Result<Result<Value, GraphError>>,
    ) -> Value {
        let checked = self.check(id, result);
        let node = &mut self.nodes[id];
        self.marks.set(id, Flags::FAILED, checked.is_err());
        match checked {
            Ok(value) => {
                node.rest.error = None;
                value
            }
            Err(error) => {
                self.stats.failed += 1;
                node.rest.error = Some(error);
                last_good(node, slot, self.context.scopes())
            }
        }
    }

    /// Notes what a step of state came to.
    fn step(&mut self, id: NodeId, slot: Slot, instance: usize) {
        let time = self.context.get(&Key::Time).and_then(f64::from_value);
        let node = &mut self.nodes[id];
        let memo = node.memo(slot);
        let step = self.marks.of(id).has(Flags::STEPPED).then(|| Step {
            frame: self.frame,
            time: time.unwrap_or(0.0),
            value: memo.value.clone(),
            id: memo.id,
            own: memo.own,
            all: memo.all,
        });
        node.rest.instances[instance].frame = self.frame;
        node.rest.instances[instance].stepped = step;
    }

    /// The result of a step that was already taken in this frame for this path of scopes.
    fn stepped_already(&mut self, id: NodeId) -> Option<Slot> {
        let scopes = self.context.scopes();
        let instances = &self.nodes[id].rest.instances;
        let instance = instances.iter().find(|i| i.scopes == scopes)?;
        let step = instance.stepped.as_ref();
        let step = step.filter(|step| step.frame == self.frame)?.clone();
        let (own_stamp, all_stamp) = (self.context.stamp(step.own), self.context.stamp(step.all));
        let slot = match self.context.is_root() {
            true => Slot::ROOT,
            false => self.place(id),
        };
        *self.nodes[id].memo_mut(slot) = Memo {
            value: step.value,
            id: step.id,
            own: step.own,
            all: step.all,
            own_stamp,
            all_stamp,
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
        instances.push(Instance {
            scopes,
            operator: fresh(make),
            anchors: Default::default(),
            stepped: None,
            frame,
        });
        instances.len() - 1
    }

    /// A result as its node gives it, if it can be given.
    fn check(
        &self,
        id: NodeId,
        result: std::thread::Result<Result<Value, GraphError>>,
    ) -> Result<Value, GraphError> {
        let node = &self.nodes[id];
        let fails = |why: String| Err(GraphError::Failed(format!("{}: {why}", node.spec.name)));
        let Ok(result) = result else {
            return fails("stopped by a fault of its own".into());
        };
        let value = result?;
        let (expected, got) = (node.kind.name(), value.kind().name());
        match value.convert(node.kind) {
            None => fails(format!("expected to give {expected}, gave {got}")),
            Some(value) if value.is_finite() => Ok(value),
            Some(_) => fails("the result is not a finite number".into()),
        }
    }
}

/// A new operator, where each node has its own.
pub(super) fn fresh(make: &Make) -> Option<Box<dyn Operator>> {
    match make {
        Make::Plain(_) | Make::Formula(..) => None,
        Make::Own(make) => Some(make()),
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

/// What a failing node goes on giving: what it gave here, what it gave elsewhere, or nothing of its kind.
fn last_good(node: &Node, slot: Slot, scopes: u64) -> Value {
    let here = match slot {
        Slot::ROOT => Some(&node.root),
        // The place may hold what another scope gave.
        Slot(at) => Some(&node.rest.ring.memos[at as usize])
            .filter(|scoped| scoped.scopes == scopes)
            .map(|scoped| &scoped.memo),
    };
    let here = here.filter(|memo| memo.id != 0);
    let ring = node
        .rest
        .ring
        .memos
        .iter()
        .filter(|scoped| scoped.memo.id != 0);
    let scope = || {
        let scope = ring.filter(|scoped| scoped.scopes == scopes);
        scope
            .max_by_key(|scoped| scoped.frame)
            .map(|scoped| &scoped.memo)
    };
    let elsewhere = || Some(&node.root).filter(|memo| memo.id != 0);
    match here.or_else(scope).or_else(elsewhere) {
        Some(memo) => memo.value.clone(),
        None => Value::empty(node.kind),
    }
}
