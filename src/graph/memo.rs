//! What a node remembers: results with what they were computed from, and state by the path of its scopes.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::context::{Context, KeyId, Revision};
use super::{NodeId, Operator};
use crate::value::Value;

/// How many results a node keeps at least, so that a few contexts in one frame don't evict one another.
pub(super) const RING: usize = 4;
/// How many it keeps at most, when more contexts than [`RING`] asked in one frame.
pub(super) const RING_MAX: usize = 64;

/// Context keys with the revision that was read, each key once.
pub(super) type Reads = SmallVec<[(KeyId, Revision); 4]>;

/// Adds a read, unless the key is there already.
pub(super) fn record(reads: &mut Reads, id: KeyId, revision: Revision) {
    if !reads.iter().any(|(known, _)| *known == id) {
        reads.push((id, revision));
    }
}

/// One remembered result.
pub(super) struct Memo {
    pub(super) value: Value,
    /// Identifies the value: equal for equal results that follow one another.
    pub(super) id: u64,
    /// What the operator itself read.
    pub(super) own: Reads,
    /// What it and everything below it read, less what overrides hid.
    pub(super) all: Reads,
    /// The inputs it pulled outside every override of its own, with the id of what they gave.
    pub(super) inputs: SmallVec<[(NodeId, u64); 4]>,
    /// Whether it pulled something under an override, which only running it again can check.
    pub(super) is_scoped: bool,
    /// The path of override scopes under which it was computed.
    pub(super) scopes: u64,
    /// The frame in which it was computed.
    pub(super) computed: u64,
    /// The graph's clock when this was last found valid.
    pub(super) verified: u64,
    /// The context's epoch when this was last found valid.
    pub(super) epoch: u64,
    /// The frame in which it was last used.
    pub(super) frame: u64,
}

impl Memo {
    /// Whether every key that was read has the same value now.
    pub(super) fn fits(&self, context: &Context) -> bool {
        same(&self.all, context)
    }
}

/// Whether each key has the recorded revision now.
pub(super) fn same(reads: &Reads, context: &Context) -> bool {
    reads
        .iter()
        .all(|(id, revision)| context.revision(*id) == *revision)
}

/// Where a rate was when its speed last changed.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    pub(super) time: f64,
    pub(super) phase: f64,
    pub(super) speed: f64,
}

/// An operator with its state, for one path of override scopes.
pub(super) struct Instance {
    pub(super) scopes: u64,
    /// Empty while it runs: pulling it then is a cycle.
    pub(super) operator: Option<Box<dyn Operator>>,
    pub(super) anchors: BTreeMap<usize, Anchor>,
    /// Frame of its last step, and the local time then.
    pub(super) stepped: Option<(u64, f64)>,
    /// The frame in which it was last used.
    pub(super) frame: u64,
}

impl Instance {
    /// The same moment without the operator's own state.
    pub(super) fn fork(&self) -> Self {
        let anchors = self.anchors.clone();
        Self {
            scopes: self.scopes,
            operator: None,
            anchors,
            stepped: self.stepped,
            frame: self.frame,
        }
    }
}
