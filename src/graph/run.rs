//! Running an operator, and keeping what it gives.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::cx::Cx;
use super::marks::Flags;
use super::memo::{Instance, Memo, Step};
use super::node::{Mode, Node, Slot, Trigger};
use super::reads::Reads;
use super::{Graph, GraphError, Key, Make, NodeId, Operator};
use crate::value::{Port, Value};

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
    /// Runs a node's operator, whatever is remembered.
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
        self.note(id);
        let (context, base) = (self.context.depth(), self.seen.len());
        let started = self.is_watched(id).then(Instant::now);
        let mut cx = Cx::new(self, id, 0, started.is_some());
        let result = catch_unwind(AssertUnwindSafe(|| update(&mut cx)));
        let recorded = cx.recorded();
        if let Some(started) = started {
            self.account(id, started.elapsed().saturating_sub(recorded.below));
        }
        self.finish(id, result, recorded, (context, base), 0)
    }

    /// Whether a run is timed: each one while runs are logged.
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
        node.rest.instances[instance].stepped = step;
    }

    /// The result of a step that was already taken in this frame for this path of scopes.
    fn stepped_already(&mut self, id: NodeId) -> Option<Slot> {
        let scopes = self.context.scopes();
        let rest = &mut self.nodes[id].rest;
        let instance = rest.instance(scopes)?;
        let step = rest.instances[instance].stepped.as_ref();
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
        let rest = &mut self.nodes[id].rest;
        if let Some(at) = rest.instance(scopes) {
            return at;
        }
        rest.instances.push(Instance {
            scopes,
            operator: fresh(make),
            anchors: Default::default(),
            stepped: None,
        });
        rest.instances.len() - 1
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
