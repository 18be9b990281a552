//! Pipelines by structure: which programs are ready to draw, and the thread that makes them so.
//!
//! A frame never waits for a compiler. A program that isn't known yet goes to the compiler thread over a bounded
//! channel; until its pipeline has been built and has drawn once, whoever wanted it shows what it had.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use crate::shader::{Plan, Program};
use crate::value::Size;

use super::card::Card;
use super::compile::{Compiled, Role, compile};
use super::error::{GpuError, ShaderError};
use super::rehearse::Rehearsal;

/// How many pipelines are kept; the one unused for longest goes first. More only while one frame needs more.
const CAPACITY: usize = 512;
/// How many programs may wait for the compiler thread.
const QUEUE: usize = 128;
/// The shader front end recurses on nested expressions.
const STACK: usize = 16 * 1024 * 1024;

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

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    program: u128,
    role: Role,
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
}

struct Request {
    key: Key,
    program: Arc<Program>,
    like: Size,
}

type Answer = (Key, Result<Compiled, ShaderError>);

/// Every pipeline there is, and the thread that makes more.
pub(super) struct Pipelines {
    entries: HashMap<Key, Entry>,
    compiler: Compiler,
    /// Counts frames, so that what this frame uses is never dropped.
    age: u64,
    compiled: u64,
    failed: u64,
}

impl Pipelines {
    pub(super) fn new(card: Card, rehearsal: Option<Rehearsal>) -> Result<Self, GpuError> {
        let compiler = Compiler::start(card, rehearsal)?;
        Ok(Self {
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
        while let Ok(answer) = self.compiler.answers.try_recv() {
            self.settle(answer);
        }
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

    /// Waits until no plan is pending.
    pub(super) fn wait(&mut self, plans: &[Plan], like: Size) {
        self.receive();
        loop {
            let pending = plans
                .iter()
                .filter(|plan| self.warm(plan, like) == Warmth::Pending)
                .count();
            if pending == 0 {
                return;
            }
            match self.compiler.answers.recv() {
                Ok(answer) => self.settle(answer),
                Err(_) => self.abandon(),
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
        rehearsal: Option<Rehearsal>,
        like: Size,
    ) -> Result<(), GpuError> {
        self.compiler = Compiler::start(card, rehearsal)?;
        let mut known: Vec<_> = self.entries.drain().collect();
        known.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.used));
        for (key, entry) in known.into_iter().take(QUEUE) {
            self.state(key, &entry.program, like);
        }
        Ok(())
    }

    fn state(&mut self, key: Key, program: &Arc<Program>, like: Size) -> Option<&State> {
        if !self.entries.contains_key(&key) {
            let request = Request {
                key: key.clone(),
                program: program.clone(),
                like,
            };
            if !self.compiler.ask(request) {
                return None;
            }
            self.make_room();
            let entry = Entry {
                program: program.clone(),
                state: State::Waiting,
                used: self.age,
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

    fn settle(&mut self, (key, result): Answer) {
        let Some(entry) = self.entries.get_mut(&key) else {
            return;
        };
        entry.state = match result {
            Ok(compiled) => {
                self.compiled += 1;
                State::Ready(compiled)
            }
            Err(error) => {
                self.failed += 1;
                State::Failed(Arc::new(error))
            }
        };
    }

    fn abandon(&mut self) {
        let error = Arc::new(ShaderError::general("the shader compiler thread has ended"));
        for entry in self
            .entries
            .values_mut()
            .filter(|entry| matches!(entry.state, State::Waiting))
        {
            entry.state = State::Failed(error.clone());
        }
    }
}

/// The compiler thread. Dropping it lets the program that it works on finish, and no other.
struct Compiler {
    requests: Option<SyncSender<Request>>,
    answers: Receiver<Answer>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Compiler {
    fn start(card: Card, mut rehearsal: Option<Rehearsal>) -> Result<Self, GpuError> {
        let (requests, work) = sync_channel::<Request>(QUEUE);
        // A program's answer is asked for once, so as many answers as questions can wait.
        let (answer, answers) = sync_channel::<Answer>(QUEUE + 1);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let run = move || {
            for Request { key, program, like } in work {
                if stopped.load(Ordering::Acquire) {
                    return;
                }
                let rehearsed = rehearsal
                    .as_mut()
                    .map_or(Ok(()), |stage| stage.run(&program, &key.role, like));
                let result = rehearsed.and_then(|()| compile(&card, &program, &key.role, like));
                if result.is_err() && card.lost().is_some() {
                    // Not the program's fault: the next device gets the question again.
                    return;
                }
                if answer.send((key, result)).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("shader compiler".into())
            .stack_size(STACK)
            .spawn(run)?;
        Ok(Self {
            requests: Some(requests),
            answers,
            stop,
            thread: Some(thread),
        })
    }

    /// False when the thread has too much to do: ask again.
    fn ask(&self, request: Request) -> bool {
        self.requests
            .as_ref()
            .is_some_and(|requests| requests.try_send(request).is_ok())
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.requests = None;
        // Makes room, so that the thread never waits for a reader that is gone.
        while self.answers.try_recv().is_ok() {}
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
