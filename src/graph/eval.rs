//! Pulling a node: find a valid memo, verify one through its inputs, or run the operator.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use smallvec::SmallVec;

use super::context::{KeyId, Revision};
use super::memo::{Anchor, Instance, Memo, RING, RING_MAX, Reads, record, same};
use super::{Graph, GraphError, Input, Key, NodeId, Source, Spec};
use crate::value::{Image, Kind, Port, Size, Value};

/// The longest step of time that stepped state ever sees, in seconds, so that a stall doesn't make it leap.
const LONGEST_STEP: f64 = 0.1;
/// Stack that must be free before an operator runs, and how much is added when it isn't, in bytes.
const STACK: (usize, usize) = (128 * 1024, 4 * 1024 * 1024);

impl Graph {
    /// The value of a node under the root context. A failing node gives its last good value, or the default of its
    /// kind, and carries the error; only a node that is gone gives `None`.
    pub fn eval(&mut self, id: NodeId) -> Option<Value> {
        let memo = self.pull(id).ok()?;
        Some(self.nodes[id].memos[memo].value.clone())
    }

    /// Makes some memo of the node valid in the present context and returns its position in the ring.
    fn pull(&mut self, id: NodeId) -> Result<usize, GraphError> {
        let (epoch, frame) = (self.context.epoch(), self.frame);
        let node = self.nodes.get_mut(id).ok_or(GraphError::Gone)?;
        let marked = node.marked;
        let context = &self.context;
        let valid = |m: &Memo| m.verified >= marked && (m.epoch == epoch || m.fits(context));
        if let Some(at) = node.memos.iter().position(valid) {
            let memo = &mut node.memos[at];
            memo.epoch = epoch;
            memo.frame = frame;
            self.stats.reused += 1;
            return Ok(at);
        }
        stacker::maybe_grow(STACK.0, STACK.1, || match self.verify(id) {
            Some(at) => Ok(at),
            None => self.run(id),
        })
    }

    /// Finds a memo whose own reads still hold and whose inputs give what they gave; nothing runs but inputs.
    fn verify(&mut self, id: NodeId) -> Option<usize> {
        let node = &self.nodes[id];
        let at = node.memos.iter().enumerate().filter(|(_, m)| {
            !m.is_scoped
                && m.verified >= node.edited
                && !m.inputs.is_empty()
                && same(&m.own, &self.context)
        });
        let (at, memo) = at.max_by_key(|(_, m)| m.frame)?;
        let (mut all, inputs) = (memo.own.clone(), memo.inputs.clone());
        for (input, value) in inputs {
            let found = self.pull(input).ok()?;
            let found = &self.nodes[input].memos[found];
            if found.id != value {
                return None;
            }
            found
                .all
                .iter()
                .for_each(|(key, revision)| record(&mut all, *key, *revision));
        }
        let (clock, epoch, frame) = (self.clock, self.context.epoch(), self.frame);
        let memo = &mut self.nodes[id].memos[at];
        (memo.all, memo.verified, memo.epoch, memo.frame) = (all, clock, epoch, frame);
        self.stats.reused += 1;
        Some(at)
    }

    fn run(&mut self, id: NodeId) -> Result<usize, GraphError> {
        let spec = self.nodes[id].spec.clone();
        let keeps_state = spec.is_stepped || spec.inputs.iter().any(|i| i.is_rate);
        let scopes = self.context.scopes();
        if spec.is_stepped
            && let Some(at) = self.stepped_already(id, scopes)
        {
            return Ok(at);
        }
        let instance = self.instance(id, &spec, if keeps_state { scopes } else { 0 });
        let Some(mut operator) = self.nodes[id].instances[instance].operator.take() else {
            return Err(GraphError::Cycle(spec.name.clone()));
        };
        if let Some(log) = &mut self.log {
            log.push(spec.name.clone());
        }
        let depth = self.context.depth();
        let mut cx = Cx {
            graph: self,
            node: id,
            instance,
            spec: spec.clone(),
            own: Reads::new(),
            all: Reads::new(),
            inputs: SmallVec::new(),
            hidden: SmallVec::new(),
            outer_scopes: None,
            is_scoped: false,
        };
        if keeps_state {
            cx.read_id(KeyId::SCOPES);
        }
        if spec.is_stepped {
            cx.read(&Key::Frame);
        }
        let result = catch_unwind(AssertUnwindSafe(|| operator.update(&mut cx)));
        let (own, all, inputs, is_scoped) = (cx.own, cx.all, cx.inputs, cx.is_scoped);
        self.context.leave(depth);
        self.stats.updated += 1;
        let result = result.unwrap_or_else(|_| {
            Err(GraphError::Failed(format!(
                "{}: stopped by a fault of its own",
                spec.name
            )))
        });
        let result = result.and_then(|value| check(&spec, value));

        let time = self
            .context
            .get(&Key::Time)
            .and_then(f64::from_value)
            .unwrap_or(0.0);
        let (clock, epoch, frame) = (self.clock, self.context.epoch(), self.frame);
        let node = &mut self.nodes[id];
        let kept = &mut node.instances[instance];
        kept.operator = Some(operator);
        kept.frame = frame;
        if spec.is_stepped {
            kept.stepped = Some((frame, time));
        }
        let latest = node
            .memos
            .iter()
            .filter(|m| m.scopes == scopes)
            .max_by_key(|m| m.frame);
        let latest = latest.map(|m| (m.value.clone(), m.id));
        let (value, known) = match (result, latest) {
            (Ok(value), Some((before, known))) if before == value => {
                node.error = None;
                (before, Some(known))
            }
            (Ok(value), _) => {
                node.error = None;
                (value, None)
            }
            (Err(error), latest) => {
                self.stats.failed += 1;
                node.error = Some(error);
                latest.map_or_else(
                    || (fallback(spec.output), None),
                    |(value, known)| (value, Some(known)),
                )
            }
        };
        let value_id = known.unwrap_or_else(|| {
            self.next_value += 1;
            self.next_value
        });
        let memo = Memo {
            value,
            id: value_id,
            own,
            all,
            inputs,
            is_scoped,
            scopes,
            verified: clock,
            epoch,
            computed: frame,
            frame,
        };
        Ok(remember(&mut node.memos, memo, frame))
    }

    /// The memo of a step that was already taken in this frame for this path of scopes.
    fn stepped_already(&self, id: NodeId, scopes: u64) -> Option<usize> {
        let node = &self.nodes[id];
        let instance = node.instances.iter().find(|i| i.scopes == scopes)?;
        instance.stepped.filter(|(frame, _)| *frame == self.frame)?;
        node.memos.iter().position(|m| {
            m.computed == self.frame && m.scopes == scopes && m.verified >= node.edited
        })
    }

    fn instance(&mut self, id: NodeId, spec: &Rc<Spec>, scopes: u64) -> usize {
        let frame = self.frame;
        let instances = &mut self.nodes[id].instances;
        if let Some(at) = instances.iter().position(|i| i.scopes == scopes) {
            return at;
        }
        let fresh = Instance {
            scopes,
            operator: Some((spec.make)()),
            anchors: Default::default(),
            stepped: None,
            frame,
        };
        instances.push(fresh);
        instances.len() - 1
    }
}

/// Puts a memo into the ring: in place of one that an edit has outdated, else of the longest unused, unless all of
/// a full ring were used in this frame.
fn remember(memos: &mut SmallVec<[Memo; 1]>, memo: Memo, frame: u64) -> usize {
    let outdated = |m: &Memo| m.scopes == memo.scopes && m.verified < memo.verified;
    let place = memos.iter().position(outdated).or_else(|| {
        let (at, oldest) = memos.iter().enumerate().min_by_key(|(_, m)| m.frame)?;
        ((memos.len() >= RING && oldest.frame < frame) || memos.len() >= RING_MAX).then_some(at)
    });
    match place {
        Some(at) => {
            memos[at] = memo;
            at
        }
        None => {
            memos.push(memo);
            memos.len() - 1
        }
    }
}

fn check(spec: &Spec, value: Value) -> Result<Value, GraphError> {
    if !spec.output.accepts(value.kind()) {
        let (expected, got) = (spec.output.name(), value.kind().name().to_owned());
        return Err(GraphError::Failed(format!(
            "{}: expected to give {expected}, gave {got}",
            spec.name
        )));
    }
    if !value.is_finite() {
        return Err(GraphError::Failed(format!(
            "{}: the result is not a finite number",
            spec.name
        )));
    }
    Ok(value)
}

/// What a node of that kind gives when it has failed before it ever gave anything.
fn fallback(kind: Kind) -> Value {
    match kind {
        Kind::Number => Value::Number(0.0),
        Kind::Bool => Value::Bool(false),
        Kind::Text | Kind::Choice => Value::Text("".into()),
        Kind::Vec2 => Value::Vec2([0.0; 2]),
        Kind::Vec3 => Value::Vec3([0.0; 3]),
        Kind::Vec4 => Value::Vec4([0.0; 4]),
        Kind::Color => Value::Color([0.0, 0.0, 0.0, 1.0]),
        Kind::Image => Value::Image(Image::black()),
    }
}

/// What an operator may ask while it updates; everything it asks is recorded.
pub struct Cx<'a> {
    graph: &'a mut Graph,
    node: NodeId,
    instance: usize,
    spec: Rc<Spec>,
    own: Reads,
    all: Reads,
    inputs: SmallVec<[(NodeId, u64); 4]>,
    /// Keys overridden here: what is read of them below doesn't escape upward.
    hidden: SmallVec<[KeyId; 4]>,
    /// The path of scopes outside this operator's own overrides, while there are any.
    outer_scopes: Option<u64>,
    is_scoped: bool,
}

impl Cx<'_> {
    /// Pulls an input: evaluates what is connected to it, or gives its constant. A [`Rate`](crate::value::Rate)
    /// arrives as its integral over local time.
    pub fn get<T: Port>(&mut self, input: Input<T>) -> Result<T, GraphError> {
        let value = self.pull(input.index)?;
        T::from_value(&value).ok_or_else(|| {
            let declared = &self.spec.inputs[input.index];
            let expected = if T::CHOICES.is_empty() {
                T::KIND.name().to_owned()
            } else {
                T::CHOICES.join(", ")
            };
            GraphError::Failed(format!(
                "{}.{}: expected {expected}, got {value}",
                self.spec.name, declared.name
            ))
        })
    }

    /// Pulls an input by position, for operators that are declared at run time.
    pub fn pull(&mut self, index: usize) -> Result<Value, GraphError> {
        let Some(declared) = self.spec.inputs.get(index) else {
            return Err(GraphError::Failed(format!(
                "{} has no input {}",
                self.spec.name,
                index + 1
            )));
        };
        let (kind, is_rate) = (declared.kind, declared.is_rate);
        let (value, is_connected) = match &self.graph.nodes[self.node].inputs[index] {
            Source::Constant(value) => (value.clone(), false),
            Source::Node(id) => (self.pull_node(*id)?, true),
        };
        let value = value.convert(kind).unwrap_or(value);
        match value {
            Value::Number(n) if !n.is_finite() => Err(GraphError::NotFinite {
                operator: self.spec.name.clone(),
                input: self.spec.inputs[index].name.clone(),
                got: n,
            }),
            Value::Number(speed) if is_rate => {
                Ok(Value::Number(self.integrate(index, speed, is_connected)))
            }
            value => Ok(value),
        }
    }

    fn pull_node(&mut self, id: NodeId) -> Result<Value, GraphError> {
        let at = self.graph.pull(id)?;
        let memo = &self.graph.nodes[id].memos[at];
        let is_plain = self.hidden.is_empty() && self.outer_scopes.is_none();
        for (key, revision) in &memo.all {
            match self.outer_scopes {
                Some(outer) if *key == KeyId::SCOPES => record(&mut self.all, *key, outer),
                _ if self.hidden.contains(key) => {}
                _ => record(&mut self.all, *key, *revision),
            }
        }
        if is_plain {
            self.inputs.push((id, memo.id));
        } else {
            self.is_scoped = true;
        }
        Ok(memo.value.clone())
    }

    /// The integral of a speed over local time: `speed * time` while it has never changed.
    fn integrate(&mut self, input: usize, speed: f64, is_connected: bool) -> f64 {
        let at = Anchor {
            time: 0.0,
            phase: 0.0,
            speed,
        };
        let anchor = *self.graph.nodes[self.node].instances[self.instance]
            .anchors
            .entry(input)
            .or_insert(at);
        if anchor.speed == speed && speed == 0.0 && !is_connected {
            return anchor.phase;
        }
        let time = self.time();
        let phase = anchor.phase + anchor.speed * (time - anchor.time);
        if anchor.speed != speed {
            let moved = Anchor { time, phase, speed };
            self.graph.nodes[self.node].instances[self.instance]
                .anchors
                .insert(input, moved);
        }
        phase
    }

    /// Reads a key of the context; `None` when it isn't set.
    pub fn read(&mut self, key: &Key) -> Option<Value> {
        let id = self.graph.context.id(key);
        self.read_id(id);
        self.graph.context.value(id).cloned()
    }

    fn read_id(&mut self, id: KeyId) -> Revision {
        let revision = self.graph.context.revision(id);
        if !self.hidden.contains(&id) {
            record(&mut self.own, id, revision);
            record(&mut self.all, id, revision);
        }
        revision
    }

    fn number(&mut self, key: &Key) -> f64 {
        self.read(key)
            .as_ref()
            .and_then(f64::from_value)
            .unwrap_or(0.0)
    }

    /// Local time in seconds.
    pub fn time(&mut self) -> f64 {
        self.number(&Key::Time)
    }

    /// Local time in beats.
    pub fn beat(&mut self) -> f64 {
        self.number(&Key::Beat)
    }

    /// Beats per minute; 120 where nothing says so.
    pub fn tempo(&mut self) -> f64 {
        self.read(&Key::Tempo)
            .as_ref()
            .and_then(f64::from_value)
            .unwrap_or(120.0)
    }

    /// The number of this frame of the show.
    pub fn frame(&mut self) -> f64 {
        self.number(&Key::Frame)
    }

    /// The value of a live input; 0 when nothing feeds it.
    pub fn channel(&mut self, name: &str) -> f64 {
        self.number(&Key::Channel(name.into()))
    }

    /// The size that is asked for, in pixels.
    pub fn resolution(&mut self) -> Size {
        match self.read(&Key::Resolution) {
            Some(Value::Vec2([width, height])) => Size::new(width as u32, height as u32),
            _ => Size::new(1280, 720),
        }
    }

    /// Seconds of local time since this state last stepped: never negative, at most 0.1, and 0 the first time.
    pub fn dt(&mut self) -> f64 {
        let time = self.time();
        let stepped = self.graph.nodes[self.node].instances[self.instance].stepped;
        stepped.map_or(0.0, |(_, last)| (time - last).clamp(0.0, LONGEST_STEP))
    }

    /// Runs `f` with keys overridden; state below is kept under a path of its own. What is overridden is put back
    /// on every way out.
    pub fn with<R>(&mut self, overrides: &[(Key, Value)], f: impl FnOnce(&mut Self) -> R) -> R {
        let scope = self.graph.nodes[self.node].token;
        self.overridden(overrides, Some(scope), f)
    }

    /// As [`Cx::with`], for one sample of many: state below is shared with the other samples.
    pub fn sample<R>(&mut self, overrides: &[(Key, Value)], f: impl FnOnce(&mut Self) -> R) -> R {
        self.overridden(overrides, None, f)
    }

    fn overridden<R>(
        &mut self,
        overrides: &[(Key, Value)],
        scope: Option<u64>,
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let (depth, hidden, outer) = (
            self.graph.context.depth(),
            self.hidden.len(),
            self.outer_scopes,
        );
        for (key, value) in overrides {
            let id = self.graph.context.id(key);
            self.graph.context.enter(id, value.clone());
            self.hidden.push(id);
        }
        if let Some(scope) = scope {
            self.outer_scopes = outer.or(Some(self.graph.context.scopes()));
            self.graph.context.enter_scope(scope);
        }
        let result = f(self);
        self.graph.context.leave(depth);
        self.hidden.truncate(hidden);
        self.outer_scopes = outer;
        result
    }
}
