//! What the graph keeps for each node: what every pull touches first, the rest behind one pointer.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use smallvec::SmallVec;

use super::memo::{Instance, Memo, Ring};
use super::reads::Reads;
use super::{GraphError, NodeId, Spec};
use crate::value::{Kind, Value};

/// What feeds an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A value that stays until it is edited.
    Constant(Value),
    /// The output of another node.
    Node(NodeId),
    /// For an input that takes any number of values: constants and nodes in order.
    Many(Box<[Source]>),
    /// Nothing, for an input that may be left out.
    Unset,
}

impl Source {
    /// Calls `each` with every node that feeds it, in order.
    pub(super) fn nodes(&self, mut each: impl FnMut(NodeId)) {
        match self {
            Self::Node(id) => each(*id),
            Self::Many(list) => {
                for source in list.iter() {
                    if let Self::Node(id) = source {
                        each(*id);
                    }
                }
            }
            Self::Constant(_) | Self::Unset => {}
        }
    }
}

/// When a node runs besides when something it read has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trigger {
    /// Never: the engine sees everything that it depends on.
    #[default]
    None,
    /// Once a frame and context, for a source that the engine can't see.
    Always,
}

/// What a node does instead of running its operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing else: it runs.
    #[default]
    Active,
    /// The first input of the output's kind passes through.
    Bypassed,
    /// It stays at its last value and pulls nothing.
    Disabled,
}

/// How a node is doing.
#[derive(Clone, Copy, Debug)]
pub struct Status<'a> {
    /// Why it gives an older value, when it failed the last time it ran.
    pub error: Option<&'a GraphError>,
    /// The place in the sketch where it was made, as `file:line`.
    pub origin: Option<&'a str>,
    /// Whether it runs at all.
    pub mode: Mode,
    /// The frame in which it last ran; `None` before it ever did.
    pub last_run: Option<u64>,
    /// How often it ran in that frame.
    pub runs: u32,
    /// What one run costs without its inputs, a moving average; `None` until one was timed.
    pub cost: Option<Duration>,
    /// How many results it remembers.
    pub memos: usize,
}

/// The order of the fields keeps together what a pull touches.
#[repr(C)]
pub(super) struct Node {
    /// What its output carries: the operator's, or that of its inputs where the operator takes any.
    pub(super) kind: Kind,
    /// The keys whose moves are told to this node.
    pub(super) registered: Reads,
    pub(super) last_run: u64,
    /// How often it ran in the frame in which it last ran.
    pub(super) runs: u32,
    /// The result where no override is in force, or one that depends on no key of the context.
    pub(super) root: Memo,
    pub(super) spec: Rc<Spec>,
    pub(super) inputs: SmallVec<[Source; 2]>,
    pub(super) rest: Box<Rest>,
}

/// What few pulls touch.
pub(super) struct Rest {
    /// Clock since which a result in an overridden context must have been found valid.
    pub(super) edited: u64,
    pub(super) ring: Ring,
    pub(super) instances: SmallVec<[Instance; 1]>,
    /// The instance that was asked for last.
    pub(super) last_instance: usize,
    /// Where it was made, as `file:line`, for messages.
    pub(super) origin: Option<Arc<str>>,
    /// Names the scopes that this node opens; the next version of the sketch takes it over.
    pub(super) token: u64,
    /// Where its chance starts, once that was asked for while something used it; goes along with the token.
    pub(super) seed: Option<u64>,
    pub(super) trigger: Trigger,
    pub(super) mode: Mode,
    pub(super) error: Option<GraphError>,
    /// Nanoseconds, a moving average; 0 until one run was timed.
    pub(super) cost: f32,
}

impl Rest {
    /// The instance for a path of scopes. Loops ask for one after the other, in the same order in each frame.
    pub(super) fn instance(&mut self, scopes: u64) -> Option<usize> {
        let is_here = |at: &usize| self.instances.get(*at).is_some_and(|i| i.scopes == scopes);
        let near = [self.last_instance, self.last_instance + 1, 0];
        let near = near.into_iter().find(is_here);
        let anywhere = || self.instances.iter().position(|i| i.scopes == scopes);
        let found = near.or_else(anywhere)?;
        self.last_instance = found;
        Some(found)
    }
}

impl Node {
    #[inline]
    pub(super) fn memo(&self, slot: Slot) -> &Memo {
        match slot {
            Slot::ROOT => &self.root,
            Slot(at) => &self.rest.ring.memos[at as usize].memo,
        }
    }

    #[inline]
    pub(super) fn memo_mut(&mut self, slot: Slot) -> &mut Memo {
        match slot {
            Slot::ROOT => &mut self.root,
            Slot(at) => &mut self.rest.ring.memos[at as usize].memo,
        }
    }

    /// The keys whose moves make the result at top level stale. What was pulled under an override of its own can't
    /// tell on its own, so this node watches for it.
    #[inline]
    pub(super) fn watched(&self) -> Reads {
        match self.root.is_scoped {
            true => self.root.all,
            false => self.root.own,
        }
    }

    /// Counts a run.
    #[inline]
    pub(super) fn ran(&mut self, frame: u64) {
        self.runs = match self.last_run == frame {
            true => self.runs + 1,
            false => 1,
        };
        self.last_run = frame;
    }

    /// Forgets every result, but no state.
    pub(super) fn forget(&mut self) {
        self.root = Memo::EMPTY;
        self.rest.ring = Ring::default();
    }

    /// Has every result checked by running again.
    pub(super) fn must_run(&mut self) {
        self.root.must_run = true;
        let ring = self.rest.ring.memos.iter_mut();
        ring.for_each(|scoped| scoped.memo.must_run = true);
    }

    pub(super) fn status(&self) -> Status<'_> {
        let rest = &self.rest;
        Status {
            error: rest.error.as_ref(),
            origin: rest.origin.as_deref(),
            mode: rest.mode,
            last_run: (self.runs > 0).then_some(self.last_run),
            runs: self.runs,
            cost: (rest.cost > 0.0).then(|| Duration::from_nanos(rest.cost as u64)),
            memos: usize::from(self.root.id != 0) + rest.ring.memos.len(),
        }
    }
}

/// Which of its results a node gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(pub(super) u32);

impl Slot {
    /// The one outside every override.
    pub(super) const ROOT: Self = Self(u32::MAX);
    /// None: the node is no longer in the graph, or waits for itself.
    pub(super) const NONE: Self = Self(u32::MAX - 1);
}
