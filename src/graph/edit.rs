//! Edits, and the marks that they and moved keys push to what depends on them.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::context::KeyId;
use super::marks::Flags;
use super::memo::{Memo, Ring};
use super::node::{Mode, Node, Rest, Source, Trigger};
use super::reads::Reads;
use super::{Graph, GraphError, InputSpec, NodeId, Spec, WrongKind};
use crate::value::Kind;

impl Graph {
    /// Adds a node with every input at its default.
    pub fn add(&mut self, spec: &Rc<Spec>) -> NodeId {
        self.clock += 1;
        let default = |input: &InputSpec| match input {
            input if input.is_many => Source::Many([].into()),
            input if input.is_optional || input.kind == Kind::Any => Source::Unset,
            input => Source::Constant(input.default.clone()),
        };
        let mut flags = Flags::default();
        flags.set(Flags::EDITED | Flags::ROOT_EDITED, true);
        flags.set(Flags::STEPPED, spec.is_stepped);
        flags.set(Flags::KEEPS, spec.keeps());
        let id = self.nodes.insert(Node {
            kind: match spec.output {
                Kind::Any => Kind::Number,
                kind => kind,
            },
            runs: 0,
            registered: Reads::NONE,
            last_run: 0,
            root: Memo::EMPTY,
            spec: spec.clone(),
            inputs: spec.inputs.iter().map(default).collect(),
            rest: Box::new(Rest {
                edited: 0,
                ring: Ring::default(),
                instances: SmallVec::new(),
                last_instance: 0,
                origin: None,
                token: self.clock,
                seed: None,
                trigger: Trigger::None,
                mode: Mode::Active,
                error: None,
                cost: 0.0,
            }),
        });
        self.marks.add(id, flags);
        id
    }

    /// Says where a node was made, as `file:line`.
    pub fn set_origin(&mut self, node: NodeId, origin: Arc<str>) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.rest.origin = Some(origin);
        }
    }

    /// Forces a node to run each frame, or lets it be.
    pub fn set_trigger(&mut self, id: NodeId, trigger: Trigger) {
        self.force(id, |node| node.rest.trigger = trigger);
    }

    /// Bypasses a node, disables it at its last value, or has it run again.
    pub fn set_mode(&mut self, id: NodeId, mode: Mode) {
        self.force(id, |node| node.rest.mode = mode);
    }

    fn force(&mut self, id: NodeId, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(id) {
            change(node);
            let is_forced = (node.rest.trigger, node.rest.mode) != Default::default();
            self.marks.set(id, Flags::FORCED, is_forced);
            self.mark(id);
        }
    }

    /// Feeds an input, by position. Refuses a kind that the input doesn't take, a number that isn't finite, and a
    /// cycle; then nothing changes.
    pub fn set(&mut self, id: NodeId, input: usize, source: Source) -> Result<(), GraphError> {
        let spec = self.nodes.get(id).ok_or(GraphError::Gone)?.spec.clone();
        let Some(declared) = spec.inputs.get(input) else {
            let text = format!("{} has no input {}", spec.name, input + 1);
            return Err(GraphError::Failed(text));
        };
        let source = match source {
            Source::Many(list) if declared.is_many => {
                let checked = list
                    .into_iter()
                    .map(|one| self.check_source(id, &spec, declared, one));
                Source::Many(checked.collect::<Result<_, _>>()?)
            }
            Source::Unset if declared.is_optional || declared.kind == Kind::Any => Source::Unset,
            Source::Unset => Source::Constant(declared.default.clone()),
            one if declared.is_many => {
                Source::Many([self.check_source(id, &spec, declared, one)?].into())
            }
            one => self.check_source(id, &spec, declared, one)?,
        };
        if self.nodes[id].inputs[input] == source {
            return Ok(());
        }
        if declared.kind == Kind::Any && !declared.is_free {
            self.unify(id, &spec, input, &source)?;
        }
        let before = std::mem::replace(&mut self.nodes[id].inputs[input], source.clone());
        before.nodes(|other| {
            if self.nodes.contains_key(other) {
                self.marks.disconnect(other, id);
            }
        });
        source.nodes(|other| self.marks.connect(other, id));
        self.mark(id);
        Ok(())
    }

    /// A source as an input takes it, if it does.
    fn check_source(
        &self,
        id: NodeId,
        spec: &Spec,
        declared: &InputSpec,
        source: Source,
    ) -> Result<Source, GraphError> {
        let wrong = |got: String| wrong_kind(spec, declared, declared.kind, got);
        match source {
            Source::Constant(value) => {
                if !value.is_finite() {
                    let input = format!("{}.{}", spec.name, declared.name);
                    return Err(GraphError::NotFinite(Box::new([input, value.to_string()])));
                }
                let converted = value.convert(declared.kind);
                let got = || wrong(format!("{} {value}", value.kind().name()));
                converted.map(Source::Constant).ok_or_else(got)
            }
            Source::Node(other) => {
                let kind = self.kind(other).ok_or(GraphError::Gone)?;
                if !declared.kind.accepts(kind) {
                    return Err(wrong(kind.name().into()));
                }
                match self.depends(other, id) {
                    true => Err(GraphError::Cycle(spec.name.as_str().into())),
                    false => Ok(Source::Node(other)),
                }
            }
            Source::Many(_) => Err(wrong("several values".into())),
            Source::Unset => Err(wrong("nothing".into())),
        }
    }

    /// Settles the kind of an operator of any kind once an input has another source: the one that takes what each of
    /// its inputs of any kind gives.
    fn unify(
        &mut self,
        id: NodeId,
        spec: &Spec,
        changed: usize,
        source: &Source,
    ) -> Result<(), GraphError> {
        let mut common: Option<Kind> = None;
        for (at, declared) in spec.inputs.iter().enumerate() {
            if declared.kind != Kind::Any || declared.is_free {
                continue;
            }
            let source = if at == changed {
                source
            } else {
                &self.nodes[id].inputs[at]
            };
            let kinds: SmallVec<[Kind; 4]> = match source {
                Source::Many(list) => list.iter().filter_map(|one| self.kind_of(one)).collect(),
                one => self.kind_of(one).into_iter().collect(),
            };
            for kind in kinds {
                common = match common {
                    None => Some(kind),
                    Some(known) => Some(known.common(kind).ok_or_else(|| {
                        wrong_kind(spec, &spec.inputs[changed], known, kind.name().into())
                    })?),
                };
            }
        }
        if spec.output != Kind::Any {
            return Ok(());
        }
        let kind = common.unwrap_or(Kind::Number);
        let node = &self.nodes[id];
        if node.kind != kind {
            if !self.marks.readers(id).is_empty() {
                let got = kind.name().to_owned();
                return Err(wrong_kind(spec, &spec.inputs[changed], node.kind, got));
            }
            let node = &mut self.nodes[id];
            node.kind = kind;
            node.forget();
            self.marks.set(id, Flags::VALID | Flags::RING, false);
        }
        Ok(())
    }

    fn kind_of(&self, source: &Source) -> Option<Kind> {
        match source {
            Source::Constant(value) => Some(value.kind()),
            Source::Node(id) => self.kind(*id),
            Source::Many(_) | Source::Unset => None,
        }
    }

    /// Makes a node and what depends on it stale, as an edit does.
    pub fn touch(&mut self, id: NodeId) {
        if self.nodes.contains_key(id) {
            self.mark(id);
        }
    }

    /// Forgets every remembered value, but no state: the next evaluation runs everything anew.
    pub fn forget(&mut self) {
        for (id, node) in &mut self.nodes {
            node.forget();
            self.marks.set(id, Flags::VALID | Flags::RING, false);
        }
    }

    /// Marks a node that was edited, and all that depends on it.
    pub(super) fn mark(&mut self, id: NodeId) {
        self.clock += 1;
        self.nodes[id].must_run();
        self.marks.edit(id);
    }

    /// Marks what depends, outside every override, on a key that has moved.
    pub(super) fn mark_readers(&mut self, key: KeyId) {
        let mut readers = std::mem::take(self.context.readers(key));
        readers.retain(|id| {
            let Some(node) = self.nodes.get_mut(*id) else {
                return false;
            };
            let is_reader = self.context.sets.contains(node.watched(), key);
            match is_reader {
                true => self.marks.move_under(*id),
                false => node.registered = self.context.sets.without(node.registered, key),
            }
            is_reader
        });
        *self.context.readers(key) = readers;
    }
}

fn wrong_kind(spec: &Spec, input: &InputSpec, expected: Kind, got: String) -> GraphError {
    GraphError::Kind(Box::new(WrongKind {
        operator: spec.name.clone(),
        input: input.name.clone(),
        expected: expected.name(),
        got,
    }))
}
