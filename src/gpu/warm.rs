//! Pipelines by structure: which programs are ready to draw, and the thread that makes them so.
//!
//! A frame never waits for a compiler. A program that isn't known yet goes to the compiler thread over a bounded
//! channel; until its pipeline has been built and has drawn once, whoever wanted it shows what it had.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::shader::{Plan, Program};
use crate::value::Size;

use super::card::Card;
use super::compile::{Compiled, Role};
use super::compiler::{Compiler, Key, Outcome, QUEUE, Request};
use super::error::{GpuError, ShaderError};
use super::rehearse::Understudy;

/// How many pipelines are kept; the one unused for longest goes first. More only while one frame needs more.
const CAPACITY: usize = 512;
/// A program that was being compiled at so many losses of the device is what causes them.
const LOSSES: u32 = 2;
/// How often a wait looks whether the compiler is stuck.
const LOOK: Duration = Duration::from_millis(200);

/// Whether a picture can be drawn now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warmth {
    /// Every pipeline has been built and has drawn once: the next frame shows it without a stall.
    Ready,
    /// At least one is being built.
    Pending,
    /// This program will never draw; the first such one of the picture.
    Failed(Arc<ShaderError>),
}

enum State {
    Waiting,
    Ready(Compiled),
    Failed(Arc<ShaderError>),
}

struct Entry {
    program: Arc<Program>,
    state: State,
    used: u64,
    losses: u32,
}

/// Every pipeline there is, and the thread that makes more.
pub(super) struct Pipelines {
    card: Card,
    understudy: Option<Understudy>,
    entries: HashMap<Key, Entry>,
    compiler: Compiler,
    /// Counts frames, so that what this frame uses is never dropped.
    age: u64,
    compiled: u64,
    failed: u64,
}

impl Pipelines {
    pub(super) fn new(card: Card, understudy: Option<Understudy>) -> Result<Self, GpuError> {
        let compiler = Compiler::start(card.clone(), understudy.clone())?;
        Ok(Self {
            card,
            understudy,
            entries: HashMap::new(),
            compiler,
            age: 0,
            compiled: 0,
            failed: 0,
        })
    }

    /// How many pipelines were built and how many programs were refused, since the start.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.compiled, self.failed)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Begins a frame: takes in what the compiler thread has finished. Doesn't wait.
    pub(super) fn receive(&mut self) {
        self.age += 1;
        while let Some((key, outcome)) = self.compiler.answer() {
            self.settle(&key, outcome);
        }
        self.unstick();
    }

    /// Where a plan stands; asks for what isn't there yet.
    pub(super) fn warm(&mut self, plan: &Plan, like: Size) -> Warmth {
        let mut warmth = Warmth::Ready;
        for (index, pass) in plan.passes.iter().enumerate() {
            let key = Key {
                program: pass.program.key,
                role: Role::of(plan, index),
            };
            match self.state(key, &pass.program, like) {
                Some(State::Ready(_)) => {}
                Some(State::Failed(error)) => return Warmth::Failed(error.clone()),
                Some(State::Waiting) | None => warmth = Warmth::Pending,
            }
        }
        warmth
    }

    /// Waits until no plan is pending, or the device is lost.
    pub(super) fn wait(&mut self, plans: &[Plan], like: Size) {
        self.receive();
        while self.card.lost().is_none() {
            // Every plan is asked for before any is waited for.
            let pending = plans
                .iter()
                .filter(|plan| self.warm(plan, like) == Warmth::Pending)
                .count();
            if pending == 0 {
                return;
            }
            match self.compiler.answer_within(LOOK) {
                Some((key, outcome)) => self.settle(&key, outcome),
                None => self.unstick(),
            }
        }
    }

    /// The pipelines of a plan, one a pass; `None` unless all are ready.
    pub(super) fn pipelines(&mut self, plan: &Plan) -> Option<Vec<Compiled>> {
        let passes = plan.passes.iter().enumerate();
        let pipelines = passes.map(|(index, pass)| {
            let key = Key {
                program: pass.program.key,
                role: Role::of(plan, index),
            };
            match self.entries.get(&key)?.state {
                State::Ready(ref compiled) => Some(compiled.clone()),
                _ => None,
            }
        });
        pipelines.collect()
    }

    /// Drops every pipeline and starts on a new device with the same programs, the last used ones first.
    pub(super) fn move_to(
        &mut self,
        card: Card,
        understudy: Option<Understudy>,
        like: Size,
    ) -> Result<(), GpuError> {
        while let Some((key, outcome)) = self.compiler.answer() {
            self.settle(&key, outcome);
        }
        if let Some(entry) = self
            .compiler
            .working_on()
            .and_then(|(key, _)| self.entries.get_mut(&key))
        {
            entry.losses += 1;
        }
        let compiler = Compiler::start(card.clone(), understudy.clone())?;
        std::mem::replace(&mut self.compiler, compiler).leave();
        (self.card, self.understudy) = (card, understudy);
        let mut known: Vec<_> = self.entries.drain().collect();
        known.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.used));
        for (key, entry) in known.into_iter().take(QUEUE) {
            if entry.losses >= LOSSES {
                let error = Arc::new(ShaderError::general(
                    "the graphics device is lost whenever this is compiled",
                ));
                self.entries.insert(
                    key,
                    Entry {
                        state: State::Failed(error),
                        ..entry
                    },
                );
                continue;
            }
            self.state(key.clone(), &entry.program, like);
            if let Some(again) = self.entries.get_mut(&key) {
                again.losses = entry.losses;
            }
        }
        Ok(())
    }

    fn state(&mut self, key: Key, program: &Arc<Program>, like: Size) -> Option<&State> {
        if !self.entries.contains_key(&key) {
            if !self.compiler.ask(Request {
                key: key.clone(),
                program: program.clone(),
                like,
            }) {
                return None;
            }
            self.make_room();
            let entry = Entry {
                program: program.clone(),
                state: State::Waiting,
                used: self.age,
                losses: 0,
            };
            self.entries.insert(key.clone(), entry);
        }
        let entry = self.entries.get_mut(&key)?;
        entry.used = self.age;
        Some(&entry.state)
    }

    fn make_room(&mut self) {
        if self.entries.len() < CAPACITY {
            return;
        }
        let old = |entry: &Entry| entry.used < self.age && !matches!(entry.state, State::Waiting);
        let settled = self.entries.iter().filter(|(_, entry)| old(entry));
        if let Some(key) = settled
            .min_by_key(|(_, entry)| entry.used)
            .map(|(key, _)| key.clone())
        {
            self.entries.remove(&key);
        }
    }

    fn settle(&mut self, key: &Key, outcome: Outcome) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        entry.state = match outcome {
            Outcome::Ready(compiled) => {
                self.compiled += 1;
                State::Ready(compiled)
            }
            Outcome::Refused(error) => {
                self.failed += 1;
                State::Failed(Arc::new(error))
            }
        };
    }

    /// Leaves a compiler thread that a driver never returns to, and goes on with another: the program that it was
    /// at is refused, the others are asked for again.
    fn unstick(&mut self) {
        if self.card.lost().is_some() {
            return;
        }
        let Some((key, reason)) = self.compiler.stuck() else {
            return;
        };
        let started = Compiler::start(self.card.clone(), self.understudy.clone());
        let Ok(compiler) = started.inspect_err(|error| log::error!("{error}")) else {
            return;
        };
        std::mem::replace(&mut self.compiler, compiler).leave();
        if let Some(key) = key {
            self.settle(&key, Outcome::Refused(ShaderError::general(reason)));
        }
        self.entries
            .retain(|_, entry| !matches!(entry.state, State::Waiting));
    }
}
