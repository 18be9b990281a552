//! Which context keys a result depends on, as interned sets: joining two that were joined before is one lookup, and
//! their fingerprint is computed once for each state of the context.

use std::collections::HashMap;

use super::context::{KeyId, Revision};

/// A set of context keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Reads(u32);

impl Reads {
    /// No keys: what depends on none is valid in every context.
    pub(super) const NONE: Self = Self(0);
}

struct Set {
    keys: Box<[KeyId]>,
    /// The keys below 64 as bits.
    low: u64,
    /// Whether all keys are below 64.
    is_low: bool,
    epoch: u64,
    stamp: u64,
}

/// All sets that were ever met.
pub(super) struct ReadSets {
    sets: Vec<Set>,
    /// The set of each key alone, once it was asked for, so that reading a key asks for no memory.
    ones: Vec<Option<Reads>>,
    by_keys: HashMap<Box<[KeyId]>, Reads>,
    unions: HashMap<(Reads, Reads), Reads>,
    differences: HashMap<(Reads, Reads), Reads>,
}

impl Default for ReadSets {
    fn default() -> Self {
        let mut sets = Self {
            sets: Vec::new(),
            ones: Vec::new(),
            by_keys: HashMap::new(),
            unions: HashMap::new(),
            differences: HashMap::new(),
        };
        sets.intern(Vec::new());
        sets
    }
}

impl ReadSets {
    fn intern(&mut self, keys: Vec<KeyId>) -> Reads {
        let keys = keys.into_boxed_slice();
        if let Some(known) = self.by_keys.get(&keys) {
            return *known;
        }
        let low = keys.iter().filter(|key| key.0 < 64);
        let set = Set {
            low: low.fold(0, |bits, key| bits | 1 << key.0),
            is_low: keys.iter().all(|key| key.0 < 64),
            keys: keys.clone(),
            epoch: u64::MAX,
            stamp: 0,
        };
        let id = Reads(self.sets.len() as u32);
        self.sets.push(set);
        self.by_keys.insert(keys, id);
        id
    }

    /// The set of one key.
    fn one(&mut self, key: KeyId) -> Reads {
        let at = key.0 as usize;
        if let Some(Some(known)) = self.ones.get(at) {
            return *known;
        }
        let one = self.intern(vec![key]);
        if self.ones.len() <= at {
            self.ones.resize(at + 1, None);
        }
        self.ones[at] = Some(one);
        one
    }

    pub(super) fn keys(&self, set: Reads) -> &[KeyId] {
        &self.sets[set.0 as usize].keys
    }

    #[inline]
    pub(super) fn contains(&self, set: Reads, key: KeyId) -> bool {
        let set = &self.sets[set.0 as usize];
        match key.0 < 64 {
            true => set.low & (1 << key.0) != 0,
            false => set.keys.binary_search(&key).is_ok(),
        }
    }

    #[inline]
    pub(super) fn with(&mut self, set: Reads, key: KeyId) -> Reads {
        if self.contains(set, key) {
            return set;
        }
        let one = self.one(key);
        self.union(set, one)
    }

    pub(super) fn without(&mut self, set: Reads, key: KeyId) -> Reads {
        let one = self.one(key);
        self.difference(set, one)
    }

    #[inline]
    pub(super) fn union(&mut self, a: Reads, b: Reads) -> Reads {
        if a == b || b == Reads::NONE {
            return a;
        }
        if a == Reads::NONE {
            return b;
        }
        let (left, right) = (&self.sets[a.0 as usize], &self.sets[b.0 as usize]);
        if left.is_low && right.is_low {
            match left.low | right.low {
                both if both == left.low => return a,
                both if both == right.low => return b,
                _ => {}
            }
        }
        if let Some(known) = self.unions.get(&(a, b)) {
            return *known;
        }
        let mut keys: Vec<KeyId> = left.keys.iter().chain(&right.keys).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        let union = self.intern(keys);
        self.unions.insert((a, b), union);
        union
    }

    pub(super) fn difference(&mut self, a: Reads, b: Reads) -> Reads {
        if a == Reads::NONE || b == Reads::NONE {
            return a;
        }
        if let Some(known) = self.differences.get(&(a, b)) {
            return *known;
        }
        let keys = self.keys(a).iter().copied();
        let keys = keys.filter(|key| !self.contains(b, *key)).collect();
        let difference = self.intern(keys);
        self.differences.insert((a, b), difference);
        difference
    }

    /// A fingerprint of the revisions of a set's keys; `epoch` identifies the revisions of all keys.
    #[inline]
    pub(super) fn stamp(
        &mut self,
        set: Reads,
        epoch: u64,
        revision: impl Fn(KeyId) -> Revision,
    ) -> u64 {
        if set == Reads::NONE {
            return 0;
        }
        let set = &mut self.sets[set.0 as usize];
        if set.epoch != epoch {
            set.epoch = epoch;
            set.stamp = set.keys.iter().fold(0x243f_6a88_85a3_08d3, |stamp, key| {
                mix(mix(stamp, u64::from(key.0)), revision(*key))
            });
        }
        set.stamp
    }
}

/// Folds the two halves of a long product together, which spreads every bit of both over the result.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xe703_7ed1_a0b4_28db);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_few_and_of_many_keys_join_and_part_alike() {
        let mut sets = ReadSets::default();
        for base in [0, 100] {
            let key = |n: u32| KeyId(base + n);
            let one = sets.with(Reads::NONE, key(1));
            let two = sets.with(one, key(2));
            let other = sets.with(Reads::NONE, key(3));
            let all = sets.union(two, other);
            assert_eq!(sets.keys(all), [key(1), key(2), key(3)]);
            assert_eq!(sets.union(all, one), all);
            assert_eq!(sets.union(one, two), two);
            assert_eq!(sets.union(other, two), all);
            assert_eq!(sets.difference(all, two), other);
            assert_eq!(sets.difference(one, two), Reads::NONE);
            assert!(sets.contains(all, key(2)) && !sets.contains(other, key(2)));
        }
    }

    #[test]
    fn a_stamp_tells_which_value_of_which_key() {
        let mut sets = ReadSets::default();
        let one = sets.with(Reads::NONE, KeyId(1));
        let both = sets.with(one, KeyId(2));
        let before = sets.stamp(both, 1, |key| u64::from(key.0));
        assert_eq!(sets.stamp(both, 2, |key| u64::from(key.0)), before);
        assert_ne!(sets.stamp(both, 3, |key| u64::from(3 - key.0)), before);
        assert_ne!(sets.stamp(one, 1, |key| u64::from(key.0)), before);
        assert_eq!(sets.stamp(Reads::NONE, 9, |_| 7), 0);
    }
}
