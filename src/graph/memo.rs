//! What a node remembers: results with what they were computed from, and state by the path of its scopes.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::context::KeyId;
use super::reads::Reads;
use super::{NodeId, Operator};
use crate::value::Value;

/// How many results in overridden contexts a node keeps at least, so that a few of them in one frame don't evict one
/// another.
pub(super) const RING: usize = 4;
/// How many it keeps at most, when more contexts than [`RING`] asked in one frame.
pub(super) const RING_MAX: usize = 64;

/// A node that was pulled, and which of its results it gave.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) node: NodeId,
    pub(super) value: u64,
}

/// One remembered result; its fields in this order, so that what a pull reads comes first.
#[repr(C)]
pub(super) struct Memo {
    pub(super) value: Value,
    /// Identifies the value: equal for equal results that follow one another; 0 where nothing is remembered.
    pub(super) id: u64,
    /// What it and everything below it read, less what overrides hid.
    pub(super) all: Reads,
    /// What the operator itself read.
    pub(super) own: Reads,
    /// The inputs it pulled outside every override of its own, in order.
    pub(super) seen: SmallVec<[Seen; 2]>,
    /// Whether something was pulled under an override of its own.
    pub(super) is_scoped: bool,
    /// Whether only running again can tell if it still holds: something was pulled under an override, or the node
    /// itself was edited.
    pub(super) must_run: bool,
    pub(super) own_stamp: u64,
    pub(super) all_stamp: u64,
}

impl Memo {
    pub(super) const EMPTY: Self = Self {
        value: Value::Number(0.0),
        id: 0,
        own: Reads::NONE,
        all: Reads::NONE,
        own_stamp: 0,
        all_stamp: 0,
        seen: SmallVec::new_const(),
        is_scoped: false,
        must_run: false,
    };
}

/// A result in an overridden context.
pub(super) struct Scoped {
    pub(super) memo: Memo,
    /// The path of override scopes under which it was computed.
    pub(super) scopes: u64,
    /// The graph's clock when it was last found valid.
    pub(super) verified: u64,
    /// The frame in which it was last used.
    pub(super) frame: u64,
}

/// Results in overridden contexts. They are asked for in much the same order in each frame, so the one that is
/// wanted next is most often the one after the last.
#[derive(Default)]
pub(super) struct Ring {
    pub(super) memos: Vec<Scoped>,
    next: usize,
}

impl Ring {
    /// The one that is probably wanted next.
    fn next(&self) -> usize {
        match self.next < self.memos.len() {
            true => self.next,
            false => 0,
        }
    }

    /// Notes that a result was given.
    pub(super) fn gave(&mut self, at: usize) {
        self.next = at + 1;
    }

    /// A memo that `is_wanted`: the one that is probably next, or the one that was given last. When neither is and the
    /// next one is of the present path of scopes and of an earlier frame, what it read has moved, and the others
    /// aren't looked at.
    pub(super) fn find(
        &self,
        scopes: u64,
        frame: u64,
        mut is_wanted: impl FnMut(&Scoped) -> bool,
    ) -> Option<usize> {
        let next = self.next();
        let probable = self.memos.get(next)?;
        if is_wanted(probable) {
            return Some(next);
        }
        let last = self.next.wrapping_sub(1);
        if self.memos.get(last).is_some_and(&mut is_wanted) {
            return Some(last);
        }
        if probable.scopes == scopes && probable.frame < frame {
            return None;
        }
        self.memos.iter().position(is_wanted)
    }

    /// Where the next result goes: over the one that is probably next or over the longest unused (of those that are equally
    /// long, one of these scopes), beside them while
    /// there are few or all were used in this frame.
    pub(super) fn place(&mut self, scopes: u64, frame: u64) -> usize {
        let next = self.next();
        let is_old = |memo: &Scoped| memo.frame < frame && memo.scopes == scopes;
        let at = match self.memos.get(next) {
            Some(memo) if is_old(memo) => next,
            _ => match self.memos.iter().position(is_old) {
                // Not over that of another path of scopes, which may need it when it fails.
                Some(at) => at,
                None if self.memos.len() < RING => self.memos.len(),
                None => {
                    let unused = self.memos.iter().enumerate().min_by_key(|(_, m)| m.frame);
                    match unused {
                        Some((at, memo)) if memo.frame < frame || self.memos.len() >= RING_MAX => {
                            at
                        }
                        _ => self.memos.len(),
                    }
                }
            },
        };
        if at == self.memos.len() {
            self.memos.push(Scoped {
                memo: Memo::EMPTY,
                scopes,
                verified: 0,
                frame,
            });
        }
        let place = &mut self.memos[at];
        if place.scopes != scopes {
            // What others gave is no last good value here.
            place.memo.id = 0;
        }
        (place.scopes, place.frame) = (scopes, frame);
        at
    }
}

/// Where a rate was when its speed last changed.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    pub(super) time: f64,
    pub(super) phase: f64,
    pub(super) speed: f64,
}

/// The last step that state has taken, and what came of it.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) frame: u64,
    /// Local time then.
    pub(super) time: f64,
    pub(super) value: Value,
    pub(super) id: u64,
    pub(super) own: Reads,
    pub(super) all: Reads,
}

/// An operator with its state, for one path of override scopes.
pub(super) struct Instance {
    pub(super) scopes: u64,
    /// Empty while it runs: pulling it then is a cycle.
    pub(super) operator: Option<Box<dyn Operator>>,
    /// By input and the clock that its speed is integrated over.
    pub(super) anchors: BTreeMap<(usize, KeyId), Anchor>,
    pub(super) stepped: Option<Step>,
}

impl Instance {
    /// The same moment without the operator's own state.
    pub(super) fn fork(&self) -> Self {
        let anchors = self.anchors.clone();
        Self {
            scopes: self.scopes,
            operator: None,
            anchors,
            stepped: self.stepped.clone(),
        }
    }
}
