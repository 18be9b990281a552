//! Chance that comes out the same each time: numbers drawn by counting, never from a generator that others share.
//!
//! A draw depends on the place of the node in the sketch, its `seed`, and how many draws there were, so that a show
//! can be played again.

use std::sync::Arc;

use super::event::Edge;
use super::logic::nothing_to_choose;
use super::number::{between, fade, fold};
use super::time::{ratio, split};
use super::wave::turns;
use crate::graph::{Cx, GraphError, Update};
use crate::value::{Many, Rate, Value};
use crate::{formula, operator};

pub mod noise;

/// Stirs a number so that neighbours have nothing in common: the finishing step of SplitMix64 (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014).
fn stir(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// One number of two.
fn hash(seed: u64, n: u64) -> u64 {
    stir(stir(seed) ^ n)
}

/// A number from 0 up to 1 made of bits.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// The seed of a node's draws.
fn seed(cx: &mut Cx<'_>, seed: i64) -> u64 {
    hash(cx.seed(), seed as u64)
}

/// Counts draws: one more at each event, and another one in each period of beats.
#[derive(Default)]
struct Draws {
    edge: Edge,
    events: u64,
}

impl Draws {
    /// Whether an event makes another draw.
    fn advance(&mut self, trigger: bool) -> bool {
        let rises = self.edge.rises(trigger);
        self.events += u64::from(rises);
        rises
    }

    /// The bits of the present draw.
    fn bits(&self, cx: &mut Cx<'_>, beats: f64, number: i64) -> u64 {
        let period = match beats > 0.0 {
            true => ratio(cx.beat(), beats).floor() as i64,
            false => 0,
        };
        hash(hash(seed(cx, number), self.events), period as u64)
    }
}

operator! {
    /// A random number that stays until the next event or beat.
    Random "chance.random" -> f64 {
        /// The event that draws another number.
        trigger: bool = false;
        /// Above 0, another number is drawn every so many beats, too.
        beats: f64 = 0.0, 0.0..=16.0;
        /// The lowest number.
        low: f64 = 0.0;
        /// The number that none reaches.
        high: f64 = 1.0;
        /// Another seed draws other numbers.
        seed: i64 = 0;
    }
    state { draws: Draws }
}

impl Update for Random {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (trigger, beats) = (cx.get(self.trigger)?, cx.get(self.beats)?);
        let (low, high, seed) = (cx.get(self.low)?, cx.get(self.high)?, cx.get(self.seed)?);
        self.draws.advance(trigger);
        let bits = self.draws.bits(cx, beats, seed);
        Ok(between(low, high, unit(bits)))
    }
}

formula! {
    /// The random number that belongs to a whole number: always the same one, wherever it is asked for.
    Hash "chance.hash" -> f64 {
        /// Which one; the nearest whole number counts.
        index: f64 = 0.0;
        /// Another seed gives other numbers.
        seed: i64 = 0;
        /// The lowest number.
        low: f64 = 0.0;
        /// The number that none reaches.
        high: f64 = 1.0;
    } = between(low, high, unit(hash(seed as u64, index.round() as i64 as u64)))
}

operator! {
    /// Wanders between two numbers: smoothly to another random one in each cycle.
    Drift "chance.drift" -> f64 {
        /// How many numbers it passes per second; a change bends the motion and never makes it leap.
        rate: Rate = Rate(0.5), 0.0..=4.0;
        /// Above 0, it passes one number every so many beats, and `rate` doesn't count.
        beats: f64 = 0.0, 0.0..=16.0;
        /// What it never goes below.
        low: f64 = 0.0;
        /// What it never goes above.
        high: f64 = 1.0;
        /// Another seed goes another way.
        seed: i64 = 0;
    }
}

impl Update for Drift {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let beats = cx.get(self.beats)?;
        let turns = turns(cx, self.rate, beats)?;
        let (low, high, number) = (cx.get(self.low)?, cx.get(self.high)?, cx.get(self.seed)?);
        let seed = seed(cx, number);
        let (cell, part) = split(turns);
        let cell = cell as i64;
        let at = |cell: i64| unit(hash(seed, cell as u64));
        let way = between(at(cell), at(cell.wrapping_add(1)), fade(part));
        Ok(between(low, high, way))
    }
}

operator! {
    /// Lets an event pass, or not: true together with it if chance says so. Each event is decided anew.
    IsTrue "chance.is_true" -> bool {
        /// The event.
        trigger: bool = false;
        /// How many pass: 0 none, 1 all.
        probability: f64 = 0.5, 0.0..=1.0;
        /// Another seed lets others pass.
        seed: i64 = 0;
    }
    state { draws: Draws, passes: bool }
}

impl Update for IsTrue {
    type Output = bool;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<bool, GraphError> {
        let (trigger, probability) = (cx.get(self.trigger)?, cx.get(self.probability)?);
        let seed = cx.get(self.seed)?;
        if self.draws.advance(trigger) {
            self.passes = unit(self.draws.bits(cx, 0.0, seed)) < probability;
        }
        Ok(trigger && self.passes)
    }
}

operator! {
    /// One of several values by chance, until the next event or beat; only the chosen one is evaluated.
    Pick "chance.pick" -> Value {
        /// The values to choose from, at least one.
        values: Many<Value> = Many::none();
        /// The event that chooses anew.
        trigger: bool = false;
        /// Above 0, it chooses anew every so many beats, too.
        beats: f64 = 0.0, 0.0..=16.0;
        /// Another seed makes other choices.
        seed: i64 = 0;
    }
    state { draws: Draws }
}

impl Update for Pick {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let (trigger, beats) = (cx.get(self.trigger)?, cx.get(self.beats)?);
        let seed = cx.get(self.seed)?;
        self.draws.advance(trigger);
        let bits = self.draws.bits(cx, beats, seed);
        match cx.count(self.values) {
            0 => Err(nothing_to_choose("chance.pick")),
            count => cx.nth(self.values, (bits % count as u64) as usize),
        }
    }
}

operator! {
    /// The numbers of a list in random order, which stays until the next event or beat.
    Shuffle "chance.shuffle" -> Arc<[f64]> {
        /// The numbers.
        list: Arc<[f64]> = [];
        /// The event that mixes anew.
        trigger: bool = false;
        /// Above 0, it mixes anew every so many beats, too.
        beats: f64 = 0.0, 0.0..=16.0;
        /// Another seed gives other orders.
        seed: i64 = 0;
    }
    state { draws: Draws }
}

impl Update for Shuffle {
    type Output = Arc<[f64]>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<[f64]>, GraphError> {
        let mut list = cx.get(self.list)?;
        let (trigger, beats) = (cx.get(self.trigger)?, cx.get(self.beats)?);
        let seed = cx.get(self.seed)?;
        self.draws.advance(trigger);
        let bits = self.draws.bits(cx, beats, seed);
        // Fisher and Yates' shuffle, from the end.
        let numbers = Arc::make_mut(&mut list);
        for last in (1..numbers.len()).rev() {
            let other = hash(bits, last as u64) % (last as u64 + 1);
            numbers.swap(last, other as usize);
        }
        Ok(list)
    }
}

operator! {
    /// Walks at random: each event takes a step up or down, and the ends turn it back. It begins in the middle.
    Walk "chance.walk" -> f64 {
        /// The event.
        trigger: bool = false;
        /// The longest step; each is of a random length.
        step: f64 = 0.1, 0.0..=1.0;
        /// What it never goes below.
        low: f64 = 0.0;
        /// What it never goes above.
        high: f64 = 1.0;
        /// Another seed goes another way.
        seed: i64 = 0;
    }
    state { draws: Draws, current: Option<f64> }
}

impl Update for Walk {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (trigger, step, seed) = (
            cx.get(self.trigger)?,
            cx.get(self.step)?,
            cx.get(self.seed)?,
        );
        let (low, high) = (cx.get(self.low)?, cx.get(self.high)?);
        let step = match self.draws.advance(trigger) {
            true => between(-step, step, unit(self.draws.bits(cx, 0.0, seed))),
            false => 0.0,
        };
        let current = self.current.unwrap_or(low / 2.0 + high / 2.0);
        let current = fold(current + step, low, high);
        self.current = Some(current);
        Ok(current)
    }
}

#[cfg(test)]
#[path = "chance/tests.rs"]
mod tests;
