//! Operators in a graph, pulled with a context and remembered exactly as long as they are valid.
//!
//! A node is one use of an operator. Pulling a node runs it only when its memo is stale: an edit has marked it, or
//! a context key that it or anything below it read has another value now. Nobody declares that something is
//! animated; reading the time *is* being animated. See [`Cx`] for what an operator may ask while it runs.

mod adopt;
mod context;
mod cx;
mod edit;
mod eval;
mod formula;
mod library;
mod marks;
mod memo;
mod node;
mod operator;
mod reads;
mod run;
mod walk;

use std::rc::Rc;

use slotmap::{Key as _, SlotMap};

pub use context::{Context, Key};
pub use cx::Cx;
pub use formula::{Formula, Known};
pub use library::{Library, nearest};
pub use node::{Mode, Source, Status, Trigger};
pub use operator::{BuiltIn, Call, Input, InputSpec, Make, Operator, Spec, Update, doc};

use crate::value::{Kind, Value};
use marks::Marks;
use memo::{Instance, Seen};
use node::Node;

slotmap::new_key_type! {
    /// Names one node of a graph; a removed node's id is never used again.
    pub struct NodeId;
}

impl NodeId {
    /// Its place among the nodes; another node may have it later.
    #[inline]
    fn place(self) -> usize {
        self.data().as_ffi() as u32 as usize
    }
}

/// Why a node could not give a value, or a graph could not be changed.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum GraphError {
    /// A connection that would make a node depend on itself.
    #[error("{0} would depend on itself")]
    Cycle(Box<str>),
    /// A value or connection of a kind that an input doesn't take.
    #[error(transparent)]
    Kind(Box<WrongKind>),
    /// A number that is NaN or infinite.
    #[error("{}: expected a finite number, got {}", .0[0], .0[1])]
    NotFinite(Box<[String; 2]>),
    /// The operator failed for a reason of its own.
    #[error("{0}")]
    Failed(String),
    /// A node that is no longer in the graph.
    #[error("this node is no longer in the graph")]
    Gone,
}

/// A value or connection of a kind that an input doesn't take.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
#[error("{operator}.{input}: expected {expected}, got {got}")]
pub struct WrongKind {
    /// The operator's name.
    pub operator: String,
    /// The input's name.
    pub input: String,
    /// The kind that the input takes.
    pub expected: &'static str,
    /// What came.
    pub got: String,
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
    /// Counts edits; a result found valid before a node's last mark must be verified again.
    clock: u64,
    next_value: u64,
    frame: u64,
    stats: FrameStats,
    last_stats: FrameStats,
    log: Option<Vec<String>>,
    /// How deep the evaluation is.
    depth: usize,
    /// What the operators that are running have pulled so far, one after the other.
    seen: Vec<Seen>,
    marks: Marks,
}

impl Graph {
    /// Starts a frame: counts from here on belong to it, and stepped state advances once in it.
    pub fn begin_frame(&mut self, frame: u64) {
        self.frame = frame;
        self.last_stats = std::mem::take(&mut self.stats);
        self.set_root(&Key::Frame, Some(Value::Number(frame as f64)));
    }

    /// Gives a key its value for the frame, below every override; `None` is "not set".
    pub fn set_root(&mut self, key: &Key, value: Option<Value>) {
        let id = self.context.id(key);
        if self.context.set(id, value) {
            self.mark_readers(id);
        }
    }

    /// The root value of a key.
    pub fn root(&self, key: &Key) -> Option<&Value> {
        self.context.get(key)
    }

    /// The channels that anything in this graph has ever read.
    pub fn channels(&self) -> impl ExactSizeIterator<Item = &str> {
        self.context.channels()
    }

    /// The declaration of the operator that a node uses.
    pub fn spec(&self, node: NodeId) -> Option<&Rc<Spec>> {
        self.nodes.get(node).map(|n| &n.spec)
    }

    /// The kind of a node's output.
    pub fn kind(&self, node: NodeId) -> Option<Kind> {
        self.nodes.get(node).map(|n| n.kind)
    }

    /// How a node is doing.
    pub fn status(&self, node: NodeId) -> Option<Status<'_>> {
        self.nodes.get(node).map(Node::status)
    }

    /// Counts of the frame so far.
    pub fn stats(&self) -> FrameStats {
        self.stats
    }

    /// Counts of the last whole frame.
    pub fn last_stats(&self) -> FrameStats {
        self.last_stats
    }

    /// The frame that is being evaluated.
    pub fn frame(&self) -> u64 {
        self.frame
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
        let status = self.status(node)?;
        status.error.map(|error| (status.origin, error))
    }
}

#[cfg(test)]
#[path = "graph/tests.rs"]
mod tests;
