//! Operators in a graph, pulled with a context and remembered exactly as long as they are valid.
//!
//! A node is one use of an operator. Pulling a node runs it only when its memo is stale: an edit has marked it, or
//! a context key that it or anything below it read has another value now. Nobody declares that something is
//! animated; reading the time *is* being animated. See [`Cx`] for what an operator may ask while it runs.

mod adopt;
mod context;
mod eval;
mod library;
mod memo;
mod operator;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use slotmap::SlotMap;
use smallvec::SmallVec;

pub use context::{Context, Key};
pub use eval::Cx;
pub use library::{Library, nearest};
pub use operator::{BuiltIn, Input, InputSpec, Make, Operator, Spec, Update, doc};

use crate::value::{Kind, Value};
use memo::{Instance, Memo};

slotmap::new_key_type! {
    /// Names one node of a graph; a removed node's id is never used again.
    pub struct NodeId;
}

/// Why a node could not give a value, or a graph could not be changed.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum GraphError {
    /// A connection that would make a node depend on itself.
    #[error("{0} would depend on itself")]
    Cycle(String),
    /// A value or connection of a kind that an input doesn't take.
    #[error("{operator}.{input}: expected {expected}, got {got}")]
    Kind {
        /// The operator's name.
        operator: String,
        /// The input's name.
        input: String,
        /// The kind that the input takes.
        expected: &'static str,
        /// What came.
        got: String,
    },
    /// A number that is NaN or infinite where a picture or state needs a finite one.
    #[error("{operator}.{input}: expected a finite number, got {got}")]
    NotFinite {
        /// The operator's name.
        operator: String,
        /// The input's name.
        input: String,
        /// What came.
        got: f64,
    },
    /// The operator failed for a reason of its own.
    #[error("{0}")]
    Failed(String),
    /// A node that is no longer in the graph.
    #[error("this node is no longer in the graph")]
    Gone,
}

/// What feeds an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A value that stays until it is edited.
    Constant(Value),
    /// The output of another node.
    Node(NodeId),
}

struct Node {
    spec: Rc<Spec>,
    /// Where it was made, as `file:line`, for messages.
    origin: Option<Arc<str>>,
    inputs: SmallVec<[Source; 4]>,
    readers: SmallVec<[NodeId; 2]>,
    memos: SmallVec<[Memo; 1]>,
    instances: SmallVec<[Instance; 1]>,
    /// Names the scopes that this node opens; the next version of the sketch takes it over.
    token: u64,
    /// Clock of the last edit of this node itself.
    edited: u64,
    /// Clock of the last edit of anything that it depends on.
    marked: u64,
    error: Option<GraphError>,
}

/// Counts of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Operators that ran.
    pub updated: usize,
    /// Memos that were found valid.
    pub reused: usize,
    /// Operators that failed and kept their last good value.
    pub failed: usize,
}

/// Nodes, their connections and what they remember.
#[derive(Default)]
pub struct Graph {
    nodes: SlotMap<NodeId, Node>,
    context: Context,
    /// Counts edits; a memo verified before a node's last mark must be verified again.
    clock: u64,
    next_value: u64,
    frame: u64,
    stats: FrameStats,
    log: Option<Vec<String>>,
}

impl Graph {
    /// Adds a node with every input at its default.
    pub fn add(&mut self, spec: &Rc<Spec>) -> NodeId {
        self.clock += 1;
        let inputs = spec
            .inputs
            .iter()
            .map(|i| Source::Constant(i.default.clone()))
            .collect();
        self.nodes.insert(Node {
            spec: spec.clone(),
            origin: None,
            inputs,
            readers: SmallVec::new(),
            memos: SmallVec::new(),
            instances: SmallVec::new(),
            token: self.clock,
            edited: self.clock,
            marked: self.clock,
            error: None,
        })
    }

    /// Says where a node was made, as `file:line`.
    pub fn set_origin(&mut self, node: NodeId, origin: Arc<str>) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.origin = Some(origin);
        }
    }

    /// Feeds an input, by position. Refuses a kind that the input doesn't take, and a cycle; then nothing changes.
    pub fn set(&mut self, id: NodeId, input: usize, source: Source) -> Result<(), GraphError> {
        let spec = self.nodes.get(id).ok_or(GraphError::Gone)?.spec.clone();
        let Some(declared) = spec.inputs.get(input) else {
            return Err(GraphError::Failed(format!(
                "{} has no input {}",
                spec.name,
                input + 1
            )));
        };
        let wrong = |got: String| GraphError::Kind {
            operator: spec.name.clone(),
            input: declared.name.clone(),
            expected: declared.kind.name(),
            got,
        };
        let source = match source {
            Source::Constant(value) => {
                let converted = value.convert(declared.kind);
                Source::Constant(
                    converted.ok_or_else(|| wrong(format!("{} {value}", value.kind().name())))?,
                )
            }
            Source::Node(other) => {
                let kind = self.nodes.get(other).ok_or(GraphError::Gone)?.spec.output;
                if !declared.kind.accepts(kind) {
                    return Err(wrong(kind.name().into()));
                }
                if other == id || self.depends(other, id) {
                    return Err(GraphError::Cycle(spec.name.clone()));
                }
                Source::Node(other)
            }
        };
        if self.nodes[id].inputs[input] == source {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.nodes[id].inputs[input], source.clone());
        if let Source::Node(other) = before
            && !self.nodes[id].inputs.contains(&before)
            && let Some(other) = self.nodes.get_mut(other)
        {
            other.readers.retain(|reader| *reader != id);
        }
        if let Source::Node(other) = source
            && !self.nodes[other].readers.contains(&id)
        {
            self.nodes[other].readers.push(id);
        }
        self.mark(id);
        Ok(())
    }

    /// Makes a node and what depends on it stale, as an edit does.
    pub fn touch(&mut self, id: NodeId) {
        if self.nodes.contains_key(id) {
            self.mark(id);
        }
    }

    fn mark(&mut self, id: NodeId) {
        self.clock += 1;
        self.nodes[id].edited = self.clock;
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            let Some(node) = self.nodes.get_mut(id).filter(|n| n.marked != self.clock) else {
                continue;
            };
            node.marked = self.clock;
            waiting.extend(node.readers.iter().copied());
        }
    }

    /// Whether `node` is `other` or depends on it.
    fn depends(&self, node: NodeId, other: NodeId) -> bool {
        if self.nodes[other].readers.is_empty() {
            return false;
        }
        let mut seen = std::collections::HashSet::new();
        let mut waiting = vec![node];
        while let Some(id) = waiting.pop() {
            if id == other {
                return true;
            }
            if seen.insert(id) {
                waiting.extend(self.sources(id));
            }
        }
        false
    }

    /// The nodes connected to a node's inputs, in order.
    pub fn sources(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes
            .get(node)
            .into_iter()
            .flat_map(|n| &n.inputs)
            .filter_map(|source| match source {
                Source::Node(id) => Some(*id),
                Source::Constant(_) => None,
            })
    }

    /// What feeds an input, by position.
    pub fn input(&self, node: NodeId, input: usize) -> Option<&Source> {
        self.nodes.get(node)?.inputs.get(input)
    }

    /// The declaration of the operator that a node uses.
    pub fn spec(&self, node: NodeId) -> Option<&Rc<Spec>> {
        self.nodes.get(node).map(|n| &n.spec)
    }

    /// The kind of a node's output.
    pub fn kind(&self, node: NodeId) -> Option<Kind> {
        self.nodes.get(node).map(|n| n.spec.output)
    }

    /// Starts a frame: counts from here on belong to it, and stepped state advances once in it.
    pub fn begin_frame(&mut self, frame: u64) {
        self.frame = frame;
        self.stats = FrameStats::default();
        self.context
            .set(&Key::Frame, Some(Value::Number(frame as f64)));
    }

    /// Gives a key its value for the frame, below every override; `None` is "not set".
    pub fn set_root(&mut self, key: &Key, value: Option<Value>) {
        self.context.set(key, value);
    }

    /// The root value of a key.
    pub fn root(&self, key: &Key) -> Option<&Value> {
        self.context.get(key)
    }

    /// The channels that anything in this graph has ever read.
    pub fn channels(&self) -> impl Iterator<Item = &str> {
        self.context.keys().iter().filter_map(|key| match key {
            Key::Channel(name) => Some(&**name),
            _ => None,
        })
    }

    /// Counts of the frame so far.
    pub fn stats(&self) -> FrameStats {
        self.stats
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Starts to log the name of each operator that runs, or returns and clears the log.
    pub fn take_log(&mut self) -> Vec<String> {
        self.log.replace(Vec::new()).unwrap_or_default()
    }

    /// The error that a node carries, with the place where the node was made.
    pub fn error(&self, node: NodeId) -> Option<(Option<&str>, &GraphError)> {
        let node = self.nodes.get(node)?;
        node.error
            .as_ref()
            .map(|error| (node.origin.as_deref(), error))
    }

    /// Each node at or below `roots` that carries an error, nearest the root first.
    pub fn failures(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        self.reach(roots)
            .into_iter()
            .filter(|id| self.nodes[*id].error.is_some())
            .collect()
    }

    /// Forgets every remembered value, but no state: the next evaluation runs everything anew.
    pub fn forget(&mut self) {
        for node in self.nodes.values_mut() {
            node.memos.clear();
        }
    }

    /// Removes every node that none of `roots` depends on.
    pub fn keep_only(&mut self, roots: impl IntoIterator<Item = NodeId>) {
        let kept: std::collections::HashSet<NodeId> = self.reach(roots).into_iter().collect();
        self.nodes.retain(|id, _| kept.contains(&id));
        for node in self.nodes.values_mut() {
            node.readers.retain(|reader| kept.contains(reader));
        }
    }

    /// The nodes at or below `roots`, each once, in the order in which they are met.
    pub fn reach(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut order = BTreeMap::new();
        let mut waiting: Vec<NodeId> = roots.into_iter().collect();
        waiting.reverse();
        let mut found = Vec::new();
        while let Some(id) = waiting.pop() {
            if self.nodes.contains_key(id) && order.insert(id, ()).is_none() {
                found.push(id);
                let sources: SmallVec<[NodeId; 4]> = self.sources(id).collect();
                waiting.extend(sources.into_iter().rev());
            }
        }
        found
    }
}

#[cfg(test)]
#[path = "graph/tests.rs"]
mod tests;
