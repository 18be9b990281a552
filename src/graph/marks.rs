//! What a mark touches, apart from the nodes and close together, so that walking over all that depends on something
//! stays in the fastest memory.

use smallvec::SmallVec;

use super::NodeId;

/// What is known of a node at a glance.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags(u16);

impl Flags {
    /// The result at top level is up to date.
    pub(super) const VALID: u16 = 1;
    /// An edit has arrived since any result was last found valid.
    pub(super) const EDITED: u16 = 2;
    /// An edit has arrived since the result at top level was last found valid.
    pub(super) const ROOT_EDITED: u16 = 4;
    /// The operator is running.
    pub(super) const RUNNING: u16 = 8;
    /// It has state that advances once a frame.
    pub(super) const STEPPED: u16 = 16;
    /// It keeps something for each path of override scopes: state, or where its rates are.
    pub(super) const KEEPS: u16 = 32;
    /// The last run failed.
    pub(super) const FAILED: u16 = 64;
    /// Forced to run, bypassed or disabled.
    pub(super) const FORCED: u16 = 128;
    /// It has results in overridden contexts.
    pub(super) const RING: u16 = 256;
    /// More than pulling inputs and computing has to be done.
    pub(super) const SPECIAL: u16 = Self::RUNNING | Self::STEPPED | Self::KEEPS | Self::FORCED;

    /// Whether one of these is set.
    #[inline]
    pub(super) fn has(self, flags: u16) -> bool {
        self.0 & flags != 0
    }

    #[inline]
    pub(super) fn set(&mut self, flags: u16, on: bool) {
        self.0 = if on { self.0 | flags } else { self.0 & !flags };
    }

    /// The result at top level has been found valid.
    #[inline]
    pub(super) fn settle(&mut self) {
        self.0 = (self.0 | Self::VALID) & !(Self::EDITED | Self::ROOT_EDITED);
    }
}

/// Flags and readers of all nodes, by their place. A node's place may have been another's before.
#[derive(Default)]
pub(super) struct Marks {
    flags: Vec<Flags>,
    /// One entry for each connection.
    readers: Vec<SmallVec<[NodeId; 2]>>,
    /// Room for walks.
    waiting: Vec<NodeId>,
}

impl Marks {
    /// Begins to know a node.
    pub(super) fn add(&mut self, id: NodeId, flags: Flags) {
        let place = id.place();
        if place >= self.flags.len() {
            self.flags.resize(place + 1, Flags::default());
            self.readers.resize(place + 1, SmallVec::new());
        }
        self.flags[place] = flags;
        self.readers[place].clear();
    }

    /// The flags of a node that is in the graph.
    #[inline]
    pub(super) fn of(&self, id: NodeId) -> Flags {
        self.flags[id.place()]
    }

    /// Whether the result at top level of what is in a place is up to date.
    #[inline]
    pub(super) fn is_valid(&self, id: NodeId) -> bool {
        let flags = self.flags.get(id.place());
        flags.is_some_and(|flags| flags.has(Flags::VALID))
    }

    #[inline]
    pub(super) fn of_mut(&mut self, id: NodeId) -> &mut Flags {
        &mut self.flags[id.place()]
    }

    #[inline]
    pub(super) fn set(&mut self, id: NodeId, flags: u16, on: bool) {
        self.of_mut(id).set(flags, on);
    }

    pub(super) fn readers(&self, id: NodeId) -> &[NodeId] {
        &self.readers[id.place()]
    }

    pub(super) fn connect(&mut self, id: NodeId, reader: NodeId) {
        self.readers[id.place()].push(reader);
    }

    pub(super) fn disconnect(&mut self, id: NodeId, reader: NodeId) {
        let readers = &mut self.readers[id.place()];
        if let Some(at) = readers.iter().position(|known| *known == reader) {
            readers.remove(at);
        }
    }

    /// Keeps only readers that are still there.
    pub(super) fn retain_readers(&mut self, id: NodeId, mut keep: impl FnMut(NodeId) -> bool) {
        self.readers[id.place()].retain(|reader| keep(*reader));
    }

    /// Marks a node that was edited, and all that depends on it. Where a mark has arrived and nothing was found
    /// valid since, what lies downstream is marked already.
    pub(super) fn edit(&mut self, id: NodeId) {
        self.set(id, Flags::EDITED, false);
        self.waiting.push(id);
        while let Some(id) = self.waiting.pop() {
            let flags = &mut self.flags[id.place()];
            if !flags.has(Flags::EDITED) {
                flags.set(Flags::EDITED | Flags::ROOT_EDITED, true);
                flags.set(Flags::VALID, false);
                let readers = &self.readers[id.place()];
                readers.iter().for_each(|reader| self.waiting.push(*reader));
            }
        }
    }

    /// Marks a node that depends, outside every override, on a key that has moved, and all that depends on it.
    pub(super) fn move_under(&mut self, id: NodeId) {
        self.waiting.push(id);
        while let Some(id) = self.waiting.pop() {
            let flags = &mut self.flags[id.place()];
            if flags.has(Flags::VALID) {
                flags.set(Flags::VALID, false);
                let readers = &self.readers[id.place()];
                readers.iter().for_each(|reader| self.waiting.push(*reader));
            }
        }
    }
}
