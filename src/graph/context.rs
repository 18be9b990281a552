//! The context: the only door to the outside, as named keys with scoped overrides.

use std::collections::HashMap;
use std::sync::Arc;

use smallvec::SmallVec;

use super::NodeId;
use super::reads::{ReadSets, Reads};
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
    /// Seconds that go on while the transport stands still; a number.
    EffectTime,
    /// Frames since the show began; a number.
    Frame,
    /// Seconds from one frame to the next; a number.
    FrameSeconds,
    /// Requested width and height in pixels; a vec2.
    Resolution,
    /// The camera that looks at the scene.
    Camera,
    /// Where what is drawn stands in the world; a mat4.
    WorldFromObject,
    /// How surfaces look that say nothing themselves.
    Material,
    /// Linear colour of the fog, with its density for each metre as alpha.
    Fog,
    /// What is behind everything; a colour.
    Background,
    /// What is drawn with where nothing else is said; a colour.
    Foreground,
    /// A named variable that a sketch sets for a subgraph; of any kind.
    Variable(Arc<str>),
    /// A live input, such as `audio/low` or `midi/cc/74`; a number.
    Channel(Arc<str>),
}

/// A key's place in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct KeyId(pub(super) u32);

impl KeyId {
    /// The path of override scopes, which state is kept under; its revision is the path itself.
    pub(super) const SCOPES: Self = Self(0);
    /// Whether the time is one of several samples of a frame.
    const SAMPLE: Self = Self(FIXED.len() as u32 + 1);
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
    /// The nodes whose result at top level depends on this key.
    readers: Vec<NodeId>,
}

struct Undo {
    id: KeyId,
    value: Option<Value>,
    revision: Revision,
    epoch: u64,
}

/// The keys that are always there, in the order of their ids from 1.
const FIXED: [Key; 13] = [
    Key::Time,
    Key::Beat,
    Key::Tempo,
    Key::EffectTime,
    Key::Frame,
    Key::FrameSeconds,
    Key::Resolution,
    Key::Camera,
    Key::WorldFromObject,
    Key::Material,
    Key::Fog,
    Key::Background,
    Key::Foreground,
];

/// The values of all keys, the overrides in force, and the path of scopes that set them.
pub struct Context {
    variables: HashMap<Arc<str>, KeyId>,
    channels: HashMap<Arc<str>, KeyId>,
    slots: Vec<Slot>,
    undo: Vec<Undo>,
    next_revision: Revision,
    /// Identifies the values of all keys together: changes with each of them, and comes back when they do.
    epoch: u64,
    next_epoch: u64,
    pub(super) sets: ReadSets,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            variables: HashMap::new(),
            channels: HashMap::new(),
            slots: std::iter::repeat_with(Slot::default)
                .take(FIXED.len() + 2)
                .collect(),
            undo: Vec::new(),
            next_revision: 0,
            epoch: 0,
            next_epoch: 0,
            sets: ReadSets::default(),
        }
    }
}

impl Context {
    pub(super) fn id(&mut self, key: &Key) -> KeyId {
        match self.known(key) {
            Some(id) => id,
            None => {
                let id = KeyId(self.slots.len() as u32);
                self.slots.push(Slot::default());
                match key {
                    Key::Variable(name) => self.variables.insert(name.clone(), id),
                    Key::Channel(name) => self.channels.insert(name.clone(), id),
                    _ => None,
                };
                id
            }
        }
    }

    fn known(&self, key: &Key) -> Option<KeyId> {
        let fixed = match key {
            Key::Time => 1,
            Key::Beat => 2,
            Key::Tempo => 3,
            Key::EffectTime => 4,
            Key::Frame => 5,
            Key::FrameSeconds => 6,
            Key::Resolution => 7,
            Key::Camera => 8,
            Key::WorldFromObject => 9,
            Key::Material => 10,
            Key::Fog => 11,
            Key::Background => 12,
            Key::Foreground => 13,
            Key::Variable(name) => return self.variables.get(name).copied(),
            Key::Channel(name) => return self.channels.get(name).copied(),
        };
        Some(KeyId(fixed))
    }

    /// The place of a live input.
    pub(super) fn channel(&mut self, name: &str) -> KeyId {
        match self.channels.get(name) {
            Some(id) => *id,
            None => self.id(&Key::Channel(name.into())),
        }
    }

    /// The names of the live inputs that were ever asked for.
    pub(super) fn channels(&self) -> impl ExactSizeIterator<Item = &str> {
        self.channels.keys().map(|name| &**name)
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Value> {
        self.known(key).and_then(|id| self.value(id))
    }

    pub(super) fn value(&self, id: KeyId) -> Option<&Value> {
        self.slots[id.0 as usize].value.as_ref()
    }

    /// The path of override scopes that state is kept under; 0 outside every scope.
    #[inline]
    pub(super) fn scopes(&self) -> u64 {
        self.slots[KeyId::SCOPES.0 as usize].revision
    }

    /// Whether no override is in force.
    #[inline]
    pub(super) fn is_root(&self) -> bool {
        self.undo.is_empty()
    }

    /// A fingerprint of the present values of keys: equal for equal values, and of 64 bits, so that others may be
    /// taken for different.
    pub(super) fn stamp(&mut self, reads: Reads) -> u64 {
        let slots = &self.slots;
        self.sets
            .stamp(reads, self.epoch, |id| slots[id.0 as usize].revision)
    }

    fn new_epoch(&mut self) {
        self.next_epoch += 1;
        self.epoch = self.next_epoch;
    }

    /// Gives a key another value, or the same; returns whether it is another one.
    pub(super) fn set(&mut self, id: KeyId, value: Option<Value>) -> bool {
        let slot = &mut self.slots[id.0 as usize];
        if slot.value == value {
            return false;
        }
        if slot.recent.is_empty() {
            slot.recent.push((slot.value.clone(), slot.revision));
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
        true
    }

    /// The nodes whose result at top level depends on a key.
    pub(super) fn readers(&mut self, id: KeyId) -> &mut Vec<NodeId> {
        &mut self.slots[id.0 as usize].readers
    }

    /// Keeps of the readers of all keys those that `is_kept`.
    pub(super) fn retain_readers(&mut self, is_kept: impl Fn(NodeId) -> bool) {
        for slot in &mut self.slots {
            slot.readers.retain(|id| is_kept(*id));
        }
    }

    /// How many overrides are in force; hand it to [`Context::leave`].
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.undo.len()
    }

    fn remember(&mut self, id: KeyId) {
        let slot = &self.slots[id.0 as usize];
        self.undo.push(Undo {
            id,
            value: slot.value.clone(),
            revision: slot.revision,
            epoch: self.epoch,
        });
    }

    /// Overrides a key until [`Context::leave`].
    pub(super) fn enter(&mut self, id: KeyId, value: Value) {
        self.remember(id);
        self.set(id, Some(value));
    }

    /// Puts state below here under a path of its own until [`Context::leave`].
    pub(super) fn enter_scope(&mut self, scope: u64) {
        self.remember(KeyId::SCOPES);
        let path = &mut self.slots[KeyId::SCOPES.0 as usize].revision;
        let mixed = path.rotate_left(23) ^ scope.wrapping_add(0x9e37_79b9_7f4a_7c15);
        *path = mixed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1;
        self.new_epoch();
    }

    /// Says until [`Context::leave`] that the time is one of several samples of a frame.
    pub(super) fn enter_sample(&mut self) {
        self.remember(KeyId::SAMPLE);
        self.slots[KeyId::SAMPLE.0 as usize].revision = 1;
    }

    /// Whether the time is one of several samples of a frame, in which nothing that goes on from frame to frame
    /// may move.
    pub(super) fn is_sample(&self) -> bool {
        self.slots[KeyId::SAMPLE.0 as usize].revision != 0
    }

    /// Takes overrides back, innermost first, until `depth` are left.
    #[inline]
    pub(super) fn leave(&mut self, depth: usize) {
        while self.undo.len() > depth {
            if let Some(undo) = self.undo.pop() {
                let slot = &mut self.slots[undo.id.0 as usize];
                (slot.value, slot.revision) = (undo.value, undo.revision);
                self.epoch = undo.epoch;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_set_only_in_scopes_remembers_only_recent_values() {
        let mut context = Context::default();
        let id = context.id(&Key::Variable("index".into()));
        for n in 0..1000 {
            let depth = context.depth();
            context.enter(id, Value::Int(n % 100));
            context.leave(depth);
        }
        assert!(context.slots[id.0 as usize].recent.len() <= RECENT);
    }
}
