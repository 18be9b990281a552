//! What an operator may ask while it updates; everything it asks is recorded.

mod rates;

use std::time::{Duration, Instant};

use super::context::KeyId;
use super::marks::Flags;
use super::memo::Seen;
use super::node::Slot;
use super::reads::{Reads, mix};
use super::run::Recorded;
use super::{Graph, GraphError, Input, InputSpec, Key, NodeId, Source, Spec};
use crate::value::{Kind, Many, Port, Size, Value};

/// The longest step of time that stepped state ever sees, in seconds, so that a stall doesn't make it leap.
const LONGEST_STEP: f64 = 0.1;

/// What an operator may ask while it updates; everything it asks is recorded.
pub struct Cx<'a> {
    graph: &'a mut Graph,
    node: NodeId,
    instance: usize,
    own: Reads,
    all: Reads,
    /// Keys overridden here: what is read of them below doesn't escape upward.
    hidden: Reads,
    /// How many scopes of its own are open.
    scopes: u32,
    is_scoped: bool,
    /// Whether no override is in force, neither outside nor of its own, and the run isn't timed.
    is_plain: bool,
    /// Time spent in inputs, while this run is timed.
    is_timed: bool,
    below: Duration,
}

impl<'a> Cx<'a> {
    pub(super) fn new(graph: &'a mut Graph, node: NodeId, instance: usize, is_timed: bool) -> Self {
        Self {
            is_plain: graph.context.is_root() && !is_timed,
            graph,
            node,
            instance,
            own: Reads::NONE,
            all: Reads::NONE,
            hidden: Reads::NONE,
            scopes: 0,
            is_scoped: false,
            is_timed,
            below: Duration::ZERO,
        }
    }

    pub(super) fn recorded(&self) -> Recorded {
        Recorded {
            own: self.own,
            all: self.all,
            is_scoped: self.is_scoped,
            below: self.below,
        }
    }

    fn spec(&self) -> &Spec {
        &self.graph.nodes[self.node].spec
    }

    pub(super) fn depend_on_scopes(&mut self) {
        self.record(KeyId::SCOPES);
    }

    /// Pulls an input: evaluates what is connected to it, or gives its constant. A [`Rate`](crate::value::Rate)
    /// arrives as its integral over local time.
    #[inline]
    pub fn get<T: Port>(&mut self, input: Input<T>) -> Result<T, GraphError> {
        if T::IS_RATE {
            return self.get_rate(input);
        }
        let graph = &mut *self.graph;
        let value = match graph.nodes[self.node].inputs.get(input.index) {
            Some(Source::Constant(value)) => T::from_value(value),
            Some(Source::Node(id)) => match graph.nodes.get(*id) {
                Some(node) if self.is_plain && graph.marks.of(*id).has(Flags::VALID) => {
                    graph.stats.reused += 1;
                    graph.seen.push(Seen {
                        node: *id,
                        value: node.root.id,
                    });
                    if node.root.all != self.all {
                        self.all = graph.context.sets.union(self.all, node.root.all);
                    }
                    T::from_value(&node.root.value)
                }
                _ => {
                    let id = *id;
                    return self.get_node(input, id);
                }
            },
            _ => self.unset(),
        };
        match value {
            Some(value) => Ok(value),
            None => self.wrong_value(input),
        }
    }

    #[inline(never)]
    fn get_node<T: Port>(&mut self, input: Input<T>, id: NodeId) -> Result<T, GraphError> {
        let slot = self.pull_node(id)?;
        match T::from_value(&self.graph.nodes[id].memo(slot).value) {
            Some(value) => Ok(value),
            None => self.wrong_value(input),
        }
    }

    fn get_rate<T: Port>(&mut self, input: Input<T>) -> Result<T, GraphError> {
        match T::from_value(&self.pull(input.index)?) {
            Some(value) => Ok(value),
            None => self.wrong_value(input),
        }
    }

    /// Says what an input has that is nothing it takes.
    #[cold]
    fn wrong_value<T: Port>(&mut self, input: Input<T>) -> Result<T, GraphError> {
        let value = self.pull(input.index)?;
        Err(self.wrong::<T>(input.index, &value.to_string()))
    }

    /// What an input gives that was left out: nothing of the kind of what the node gives, where it takes any.
    #[cold]
    fn unset<T: Port>(&self) -> Option<T> {
        T::unset().or_else(|| T::from_value(&Value::empty(self.kind())))
    }

    #[cold]
    fn wrong<T: Port>(&self, index: usize, got: &str) -> GraphError {
        let expected = match T::CHOICES {
            [] => T::KIND.name().to_owned(),
            choices => choices.join(", "),
        };
        let (name, input) = (&self.spec().name, &self.spec().inputs[index].name);
        GraphError::Failed(format!("{name}.{input}: expected {expected}, got {got}"))
    }

    /// How many values an input has that takes any number of them.
    pub fn count<T>(&self, input: Input<Many<T>>) -> usize {
        match &self.graph.nodes[self.node].inputs[input.index] {
            Source::Many(list) => list.len(),
            _ => 0,
        }
    }

    /// Pulls one of the values of an input that takes any number of them, counted from 0.
    pub fn nth<T: Port>(&mut self, input: Input<Many<T>>, at: usize) -> Result<T, GraphError> {
        let source = match &self.graph.nodes[self.node].inputs[input.index] {
            Source::Many(list) => list.get(at),
            _ => None,
        };
        let value = match source {
            Some(Source::Node(id)) => {
                let id = *id;
                let slot = self.pull_node(id)?;
                T::from_value(&self.graph.nodes[id].memo(slot).value)
            }
            Some(Source::Constant(value)) => T::from_value(value),
            _ => None,
        };
        value.ok_or_else(|| self.wrong::<T>(input.index, &format!("no value {}", at + 1)))
    }

    /// Pulls an input by position, for operators that are declared at run time. One that takes several values
    /// gives the first.
    pub fn pull(&mut self, index: usize) -> Result<Value, GraphError> {
        let Some(declared) = self.spec().inputs.get(index) else {
            let text = format!("{} has no input {}", self.spec().name, index + 1);
            return Err(GraphError::Failed(text));
        };
        let kind = match declared.kind {
            Kind::Any if !declared.is_free => self.kind(),
            kind => kind,
        };
        let is_rate = declared.is_rate;
        let (value, is_connected) = match &self.graph.nodes[self.node].inputs[index] {
            Source::Constant(value) => (value.clone(), false),
            Source::Node(id) => (self.pull_cloned(*id)?, true),
            Source::Many(list) => match list.first() {
                Some(Source::Node(id)) => (self.pull_cloned(*id)?, true),
                Some(Source::Constant(value)) => (value.clone(), false),
                _ => (Value::empty(kind), false),
            },
            Source::Unset => (Value::empty(kind), false),
        };
        match value.convert(kind).unwrap_or(value) {
            Value::Number(speed) if is_rate => {
                Ok(Value::Number(self.integrate(index, speed, is_connected)))
            }
            value => Ok(value),
        }
    }

    fn pull_cloned(&mut self, id: NodeId) -> Result<Value, GraphError> {
        let slot = self.pull_node(id)?;
        Ok(self.graph.nodes[id].memo(slot).value.clone())
    }

    #[inline]
    fn pull_node(&mut self, id: NodeId) -> Result<Slot, GraphError> {
        let slot = match self.is_timed {
            false => self.graph.pull(id),
            true => {
                let started = Instant::now();
                let slot = self.graph.pull(id);
                self.below += started.elapsed();
                slot
            }
        };
        if slot == Slot::NONE {
            return Err(self.no_value(id));
        }
        let memo = self.graph.nodes[id].memo(slot);
        let all = memo.all;
        if self.hidden == Reads::NONE && self.scopes == 0 {
            let value = memo.id;
            self.graph.seen.push(Seen { node: id, value });
            if all != self.all {
                self.all = self.graph.context.sets.union(self.all, all);
            }
        } else {
            self.is_scoped = true;
            let sets = &mut self.graph.context.sets;
            let escaping = sets.difference(all, self.hidden);
            self.all = sets.union(self.all, escaping);
        }
        Ok(slot)
    }

    /// Why a node gives nothing: it is gone, or it is what waits for this one.
    #[cold]
    fn no_value(&self, id: NodeId) -> GraphError {
        match self.graph.nodes.get(id) {
            Some(node) => GraphError::Cycle(node.spec.name.as_str().into()),
            None => GraphError::Gone,
        }
    }

    /// The kind of what this node gives.
    pub fn kind(&self) -> Kind {
        self.graph.nodes[self.node].kind
    }

    /// What a disabled node gives: what it gave last.
    pub(super) fn keep(&mut self) -> Result<Value, GraphError> {
        self.depend_on_scopes();
        let node = &self.graph.nodes[self.node];
        let scopes = self.graph.context.scopes();
        let ring = node.rest.ring.memos.iter();
        let here = ring.filter(|scoped| scoped.scopes == scopes && scoped.memo.id != 0);
        let here = here
            .max_by_key(|scoped| scoped.frame)
            .map(|scoped| &scoped.memo);
        let memo = match self.graph.context.is_root() {
            true => Some(&node.root),
            false => here.or(Some(&node.root)),
        };
        let memo = memo.filter(|memo| memo.id != 0);
        Ok(memo.map_or_else(|| Value::empty(node.kind), |memo| memo.value.clone()))
    }

    /// What a bypassed node gives: its first input of the kind that it gives.
    pub(super) fn pass_through(&mut self) -> Result<Value, GraphError> {
        let kind = self.kind();
        let takes = |i: &InputSpec| i.kind == kind || (i.kind == Kind::Any && !i.is_free);
        match self.spec().inputs.iter().position(takes) {
            Some(index) => self.pull(index),
            None => Ok(Value::empty(kind)),
        }
    }

    /// Reads a key of the context; `None` when it isn't set.
    pub fn read(&mut self, key: &Key) -> Option<Value> {
        let id = self.graph.context.id(key);
        self.record(id);
        self.graph.context.value(id).cloned()
    }

    fn record(&mut self, id: KeyId) {
        let sets = &mut self.graph.context.sets;
        if self.hidden == Reads::NONE || !sets.contains(self.hidden, id) {
            self.own = sets.with(self.own, id);
            self.all = sets.with(self.all, id);
        }
    }

    fn number(&mut self, key: &Key, unset: f64) -> f64 {
        let id = self.graph.context.id(key);
        self.number_at(id, unset)
    }

    fn number_at(&mut self, id: KeyId, unset: f64) -> f64 {
        self.record(id);
        let value = self.graph.context.value(id);
        value.and_then(f64::from_value).unwrap_or(unset)
    }

    /// Local time in seconds.
    pub fn time(&mut self) -> f64 {
        self.number(&Key::Time, 0.0)
    }

    /// Local time in beats.
    pub fn beat(&mut self) -> f64 {
        self.number(&Key::Beat, 0.0)
    }

    /// Seconds that go on while the transport stands still; local time where nothing says so.
    pub fn effect_time(&mut self) -> f64 {
        match self.read(&Key::EffectTime) {
            Some(Value::Number(time)) => time,
            _ => self.time(),
        }
    }

    /// Beats per minute; 120 where nothing says so.
    pub fn tempo(&mut self) -> f64 {
        self.number(&Key::Tempo, 120.0)
    }

    /// The number of this frame of the show.
    pub fn frame(&mut self) -> f64 {
        self.number(&Key::Frame, 0.0)
    }

    /// Seconds from one frame to the next; a sixtieth where nothing says so.
    pub fn frame_seconds(&mut self) -> f64 {
        self.number(&Key::FrameSeconds, 1.0 / 60.0)
    }

    /// The value of a live input; 0 when nothing feeds it.
    pub fn channel(&mut self, name: &str) -> f64 {
        let id = self.graph.context.channel(name);
        self.number_at(id, 0.0)
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
        let instances = &self.graph.nodes[self.node].rest.instances;
        let instance = instances.get(self.instance);
        let stepped = instance.and_then(|instance| instance.stepped.as_ref());
        stepped.map_or(0.0, |last| (time - last.time).clamp(0.0, LONGEST_STEP))
    }

    /// A number of this node's own: the same whenever the sketch is played, another one for each node, from where
    /// the sketch uses it.
    pub fn seed(&mut self) -> u64 {
        if let Some(seed) = self.graph.nodes[self.node].rest.seed {
            return seed;
        }
        let seed = self.place();
        // Where nothing uses it yet, its place isn't known.
        if !self.graph.marks.readers(self.node).is_empty() {
            self.graph.nodes[self.node].rest.seed = Some(seed);
        }
        seed
    }

    /// Where the sketch uses this node, as a number.
    fn place(&self) -> u64 {
        let mut seed = 0;
        let mut at = self.node;
        // The path of a sketch without end isn't told apart beyond this.
        for _ in 0..1000 {
            let node = &self.graph.nodes[at];
            seed = node
                .spec
                .name
                .bytes()
                .fold(seed, |seed, byte| mix(seed, byte.into()));
            let reader = self
                .graph
                .marks
                .readers(at)
                .first()
                .and_then(|id| Some((*id, self.graph.nodes.get(*id)?)));
            let Some((id, reader)) = reader else {
                let origin = node.rest.origin.as_deref().unwrap_or_default();
                return origin
                    .bytes()
                    .fold(seed, |seed, byte| mix(seed, byte.into()));
            };
            let mut place = 0;
            for source in &reader.inputs {
                let mut is_here = false;
                source.nodes(|node| {
                    place += u64::from(!is_here);
                    is_here |= node == at;
                });
                if is_here {
                    break;
                }
                place += 1 << 32;
            }
            seed = mix(seed, place);
            at = id;
        }
        seed
    }

    /// Runs `f` with keys overridden; state below is kept under a path of its own. What is overridden is put back
    /// on every way out.
    pub fn with<R>(&mut self, overrides: &[(Key, Value)], f: impl FnOnce(&mut Self) -> R) -> R {
        self.with_nth(0, overrides, f)
    }

    /// As [`Cx::with`], for one of several scopes of the same operator, such as one turn of a loop.
    pub fn with_nth<R>(
        &mut self,
        nth: u64,
        overrides: &[(Key, Value)],
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let token = self.graph.nodes[self.node].rest.token;
        let scope = if nth == 0 { token } else { mix(token, nth) };
        self.overridden(overrides, Some(scope), f)
    }

    /// As [`Cx::with`], for one sample of many: state below is shared with the other samples, and steps for the
    /// first one that is taken.
    pub fn sample<R>(&mut self, overrides: &[(Key, Value)], f: impl FnOnce(&mut Self) -> R) -> R {
        self.overridden(overrides, None, f)
    }

    fn overridden<R>(
        &mut self,
        overrides: &[(Key, Value)],
        scope: Option<u64>,
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let depth = self.graph.context.depth();
        let (hidden, scopes, is_plain) = (self.hidden, self.scopes, self.is_plain);
        self.is_plain = false;
        for (key, value) in overrides {
            let id = self.graph.context.id(key);
            self.graph.context.enter(id, value.clone());
            self.hidden = self.graph.context.sets.with(self.hidden, id);
        }
        if let Some(scope) = scope {
            self.graph.context.enter_scope(scope);
            self.scopes += 1;
        } else if overrides.iter().any(|(key, _)| *key == Key::Time) {
            self.graph.context.enter_sample();
        }
        let result = f(self);
        self.graph.context.leave(depth);
        (self.hidden, self.scopes, self.is_plain) = (hidden, scopes, is_plain);
        result
    }
}
