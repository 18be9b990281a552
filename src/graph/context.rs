//! The context: the only door to the outside, as named keys with scoped overrides.

use std::collections::HashMap;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::value::Value;

/// A name in the context that an operator can read and something above it can override.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// Local time in seconds; a number.
    Time,
    /// Local time in beats; a number.
    Beat,
    /// Beats per minute; a number.
    Tempo,
    /// Frames since the show began; a number.
    Frame,
    /// Requested width and height in pixels; a vec2.
    Resolution,
    /// A named variable that a sketch sets for a subgraph.
    Variable(Arc<str>),
    /// A live input, such as `audio/low` or `midi/cc/74`; a number.
    Channel(Arc<str>),
}

/// A key's place in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyId(u32);

impl KeyId {
    /// The path of override scopes; its revision is the path itself.
    pub(super) const SCOPES: Self = Self(u32::MAX);
}

/// Identifies a value that a key had: the same value gets the same revision while it is among the recent ones.
pub(super) type Revision = u64;

/// How many recent values of a key keep their revision.
const RECENT: usize = 32;

#[derive(Default)]
struct Slot {
    value: Option<Value>,
    revision: Revision,
    recent: SmallVec<[(Option<Value>, Revision); 2]>,
    oldest: usize,
}

enum Undo {
    Key {
        id: KeyId,
        value: Option<Value>,
        revision: Revision,
    },
    Scopes(u64),
}

/// The values of all keys, the overrides in force, and the path of scopes that set them.
#[derive(Default)]
pub struct Context {
    ids: HashMap<Key, KeyId>,
    keys: Vec<Key>,
    slots: Vec<Slot>,
    undo: Vec<Undo>,
    scopes: u64,
    next_revision: Revision,
    /// Changes whenever any key gets another value.
    epoch: u64,
    next_epoch: u64,
}

impl Context {
    pub(super) fn id(&mut self, key: &Key) -> KeyId {
        if let Some(id) = self.ids.get(key) {
            return *id;
        }
        let id = KeyId(self.keys.len() as u32);
        self.ids.insert(key.clone(), id);
        self.keys.push(key.clone());
        self.slots.push(Slot::default());
        id
    }

    pub(super) fn keys(&self) -> &[Key] {
        &self.keys
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Value> {
        self.ids.get(key).and_then(|id| self.value(*id))
    }

    pub(super) fn value(&self, id: KeyId) -> Option<&Value> {
        self.slots[id.0 as usize].value.as_ref()
    }

    pub(super) fn revision(&self, id: KeyId) -> Revision {
        if id == KeyId::SCOPES {
            self.scopes
        } else {
            self.slots[id.0 as usize].revision
        }
    }

    /// The path of override scopes that state is kept under.
    pub(super) fn scopes(&self) -> u64 {
        self.scopes
    }

    /// A number that changes whenever any key or the path does.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    fn new_epoch(&mut self) {
        self.next_epoch += 1;
        self.epoch = self.next_epoch;
    }

    pub(super) fn set(&mut self, key: &Key, value: Option<Value>) {
        let id = self.id(key);
        self.assign(id, value);
    }

    fn assign(&mut self, id: KeyId, value: Option<Value>) {
        let slot = &mut self.slots[id.0 as usize];
        if slot.value == value {
            return;
        }
        if slot.revision == 0 {
            slot.recent.push((slot.value.clone(), 0));
        }
        slot.revision = match slot.recent.iter().find(|(known, _)| *known == value) {
            Some((_, revision)) => *revision,
            None => {
                self.next_revision += 1;
                if slot.recent.len() < RECENT {
                    slot.recent.push((value.clone(), self.next_revision));
                } else {
                    slot.recent[slot.oldest] = (value.clone(), self.next_revision);
                    slot.oldest = (slot.oldest + 1) % RECENT;
                }
                self.next_revision
            }
        };
        slot.value = value;
        self.new_epoch();
    }

    /// How many overrides are in force; hand it to [`Context::leave`].
    pub(super) fn depth(&self) -> usize {
        self.undo.len()
    }

    /// Overrides a key until [`Context::leave`].
    pub(super) fn enter(&mut self, id: KeyId, value: Value) {
        let slot = &self.slots[id.0 as usize];
        self.undo.push(Undo::Key {
            id,
            value: slot.value.clone(),
            revision: slot.revision,
        });
        self.assign(id, Some(value));
    }

    /// Puts state below here under a path of its own until [`Context::leave`].
    pub(super) fn enter_scope(&mut self, scope: u64) {
        self.undo.push(Undo::Scopes(self.scopes));
        let mixed = self.scopes.rotate_left(23) ^ scope.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.scopes = mixed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1;
        self.new_epoch();
    }

    /// Takes overrides back, innermost first, until `depth` are left.
    pub(super) fn leave(&mut self, depth: usize) {
        while self.undo.len() > depth {
            match self.undo.pop() {
                Some(Undo::Key {
                    id,
                    value,
                    revision,
                }) => {
                    let slot = &mut self.slots[id.0 as usize];
                    slot.value = value;
                    slot.revision = revision;
                }
                Some(Undo::Scopes(scopes)) => self.scopes = scopes,
                None => break,
            }
            self.new_epoch();
        }
    }
}
