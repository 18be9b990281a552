//! No script runs for longer than it may.
//!
//! Luau calls the interrupt at every loop turn, call and pattern step, in each coroutine, inside
//! `pcall`, in metamethods and in natively compiled code. Here it counts, looks at the clock now
//! and then, and either cuts the script off or, while a sketch is loading, makes it yield so that
//! the frame can go on. Once cut, every further interrupt raises the same error again: a `pcall`
//! that swallows the first one is ended by the next.
//!
//! A limit is about what the script does: time in which the host read files for it, or in which the
//! system gave the processor to somebody else, doesn't count. A slice is about the frame, so there
//! the time of day counts.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mlua::{Error, Lua, Thread, VmState};

use super::clock::Moment;
use super::error::Stop;

/// The most interrupts between two looks at the clock (about 0.1 µs of a plain loop).
const STRIDE: u32 = 8;
/// With this much time between two looks, each interrupt looks.
const SLOW: Duration = Duration::from_micros(200);

/// The most calls that the way to a cut shows.
const DEPTH: usize = 30;

/// Keeps time and memory of all scripts of one Lua state.
#[derive(Clone)]
pub(crate) struct Guard {
    lua: mlua::WeakLua,
    watch: Rc<Watch>,
    memory: usize,
}

struct Watch {
    countdown: Cell<u32>,
    stride: Cell<u32>,
    looked: Cell<Instant>,
    deadline: Cell<Option<Deadline>>,
    slice: Cell<Option<Slice>>,
    yielded: Cell<bool>,
    /// Set by a host function after which the script gives way of its own.
    waiting: Cell<bool>,
    cut: RefCell<Option<Stop>>,
    /// Time so far that counts for no script.
    outside: Cell<Duration>,
}

#[derive(Clone, Copy)]
struct Deadline {
    at: Moment,
    /// The time of day before which it can't be over, which is cheaper to look at.
    earliest: Instant,
    limit: Duration,
}

impl Deadline {
    fn later(self, by: Duration) -> Self {
        let (at, earliest) = (self.at + by, self.earliest + by);
        Self {
            at,
            earliest,
            ..self
        }
    }
}

/// One turn of a coroutine that gives way when its time is up.
#[derive(Clone, Copy)]
struct Slice {
    until: Instant,
    thread: *const c_void,
}

impl Guard {
    /// Watches over `lua`, which may use `memory` bytes.
    pub(crate) fn new(lua: &Lua, memory: usize) -> mlua::Result<Self> {
        lua.set_memory_limit(memory)?;
        let watch = Rc::new(Watch {
            countdown: Cell::new(0),
            stride: Cell::new(1),
            looked: Cell::new(Instant::now()),
            deadline: Cell::new(None),
            slice: Cell::new(None),
            yielded: Cell::new(false),
            waiting: Cell::new(false),
            cut: RefCell::new(None),
            outside: Cell::new(Duration::ZERO),
        });
        let inner = watch.clone();
        lua.set_interrupt(move |lua| match inner.countdown.get() {
            0 => inner.look(lua),
            n => {
                inner.countdown.set(n - 1);
                Ok(VmState::Continue)
            }
        });
        Ok(Self {
            lua: lua.weak(),
            watch,
            memory,
        })
    }

    /// Runs `call`, which calls into Lua, for `limit` at most.
    ///
    /// A nested run never outlasts the one around it. A run that was cut is an error even where
    /// the script caught it and returned.
    ///
    /// # Errors
    /// What the call raises, or [`Stop`] as an external error.
    pub(crate) fn run<R>(
        &self,
        limit: Duration,
        call: impl FnOnce() -> mlua::Result<R>,
    ) -> mlua::Result<R> {
        let limit = Turn {
            left: limit,
            whole: limit,
        };
        self.run_within(limit, call).1
    }

    /// As [`Guard::run`], where only a part of the limit is left; also returns how long it ran.
    pub(crate) fn run_within<R>(
        &self,
        limit: Turn,
        call: impl FnOnce() -> mlua::Result<R>,
    ) -> (Duration, mlua::Result<R>) {
        let armed = Armed::new(&self.watch, limit, None);
        let result = call();
        let cut = self.watch.cut.borrow().clone();
        let ran = armed.ran();
        drop(armed);
        self.settle(&result);
        let result = match cut {
            Some(stop) => Err(Error::external(stop)),
            None => result,
        };
        (ran, result)
    }

    /// Gives `thread` one turn: it yields after `slice` where it can, and is cut after `limit`.
    ///
    /// Returns how long it ran, and whether it yielded because its turn was over.
    pub(crate) fn turn<R: mlua::FromLuaMulti>(
        &self,
        thread: &Thread,
        slice: Duration,
        limit: Turn,
    ) -> (Duration, mlua::Result<(bool, R)>) {
        let slice = Slice {
            until: Instant::now() + slice,
            thread: thread.to_pointer(),
        };
        self.watch.yielded.set(false);
        let armed = Armed::new(&self.watch, limit, Some(slice));
        let result = thread.resume::<R>(());
        let cut = self.watch.cut.borrow().clone();
        let ran = armed.ran();
        drop(armed);
        self.settle(&result);
        let result = match cut {
            Some(stop) => Err(Error::external(stop)),
            None => result.map(|values| {
                (
                    self.watch.yielded.get() || self.watch.waiting.take(),
                    values,
                )
            }),
        };
        (ran, result)
    }

    /// Runs host work; where it says that this wasn't the script's fault, such as reading a file for
    /// the first time, its time is added to every limit that is running.
    pub(crate) fn outside<R>(&self, work: impl FnOnce() -> (R, bool)) -> R {
        let start = Moment::now();
        let (result, is_free) = work();
        if is_free {
            self.watch.put_off(start.elapsed());
            self.watch.looked.set(Instant::now());
        }
        result
    }

    /// Whether the running coroutine is one that gives way to frames.
    pub(crate) fn may_wait(&self, lua: &Lua) -> bool {
        let slice = self.watch.slice.get();
        slice.is_some_and(|slice| ptr::eq(lua.current_thread().to_pointer(), slice.thread))
    }

    /// The script is about to yield, to go on in a later frame.
    pub(crate) fn wait(&self) {
        self.watch.waiting.set(true);
    }

    /// A state at its memory limit fails every call until it is collected.
    fn settle<R>(&self, result: &mlua::Result<R>) {
        let full = |lua: &Lua| lua.used_memory() > self.memory / 10 * 9;
        if let Some(lua) = self.lua.try_upgrade()
            && (matches!(result, Err(Error::MemoryError(_))) || full(&lua))
            && let Err(error) = lua.gc_collect()
        {
            log::warn!("collecting garbage: {error}");
        }
    }
}

/// How long a turn may take.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    /// What is left of the whole.
    pub(crate) left: Duration,
    /// The limit as it is told to the user.
    pub(crate) whole: Duration,
}

/// Holds the limits of one run, and puts those of the run around it back, also on unwind.
struct Armed<'a> {
    watch: &'a Watch,
    deadline: Option<Deadline>,
    slice: Option<Slice>,
    cut: Option<Stop>,
    started: Moment,
    outside: Duration,
}

impl<'a> Armed<'a> {
    fn new(watch: &'a Watch, limit: Turn, slice: Option<Slice>) -> Self {
        let (started, now) = (Moment::now(), Instant::now());
        let mine = Deadline {
            at: started + limit.left,
            earliest: now + limit.left,
            limit: limit.whole,
        };
        let outer = watch.deadline.get();
        let sooner = outer.filter(|outer| outer.at <= mine.at).unwrap_or(mine);
        watch.looked.set(now);
        watch.stride.set(1);
        watch.countdown.set(0);
        Self {
            watch,
            deadline: watch.deadline.replace(Some(sooner)),
            slice: watch.slice.replace(slice),
            cut: watch.cut.take(),
            started,
            outside: watch.outside.get(),
        }
    }

    fn outside(&self) -> Duration {
        self.watch.outside.get() - self.outside
    }

    fn ran(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.outside())
    }
}

impl Drop for Armed<'_> {
    fn drop(&mut self) {
        let outside = self.outside();
        self.watch
            .deadline
            .set(self.deadline.map(|deadline| deadline.later(outside)));
        self.watch.slice.set(self.slice);
        self.watch.cut.replace(self.cut.take());
        self.watch.countdown.set(0);
    }
}

impl Watch {
    /// Adds time that counts for no script.
    fn put_off(&self, by: Duration) {
        self.outside.set(self.outside.get() + by);
        self.deadline
            .set(self.deadline.get().map(|deadline| deadline.later(by)));
    }

    /// Whether the running time is over, too, and not only time of day gone by.
    fn is_past(&self, deadline: Deadline, now: Instant) -> bool {
        let left = deadline.at.duration_since(Moment::now());
        let earliest = now + left;
        self.deadline.set(Some(Deadline {
            earliest,
            ..deadline
        }));
        left.is_zero()
    }

    fn look(&self, lua: &Lua) -> mlua::Result<VmState> {
        if let Some(stop) = &*self.cut.borrow() {
            return Err(Error::external(stop.clone()));
        }
        let Some(deadline) = self.deadline.get() else {
            self.countdown.set(STRIDE);
            return Ok(VmState::Continue);
        };
        let now = Instant::now();
        if now >= deadline.earliest && self.is_past(deadline, now) {
            let stop = Stop {
                limit: deadline.limit,
                traceback: Arc::from(way(lua)),
            };
            self.cut.replace(Some(stop.clone()));
            return Err(Error::external(stop));
        }
        let slow = now.duration_since(self.looked.replace(now)) > SLOW;
        self.stride.set(if slow {
            1
        } else {
            (self.stride.get() * 2).min(STRIDE)
        });
        self.countdown.set(self.stride.get() - 1);
        if let Some(slice) = self.slice.get()
            && now >= slice.until
            // A coroutine made by the script must not yield to the script in the middle of a loop.
            && ptr::eq(lua.current_thread().to_pointer(), slice.thread)
        {
            // Ignored inside a C call, such as a sort's comparison; the next interrupt asks again.
            self.yielded.set(true);
            return Ok(VmState::Yield);
        }
        self.yielded.set(false);
        Ok(VmState::Continue)
    }
}

/// The calls that led here, innermost first.
///
/// Lua's own traceback needs room on a stack that may just have overflowed.
fn way(lua: &Lua) -> String {
    let frame = |level| {
        lua.inspect_stack(level, |frame| {
            let (source, names) = (frame.source(), frame.names());
            let function = names
                .name
                .map_or_else(|| "main chunk".into(), |name| format!("function '{name}'"));
            let file = source.short_src.unwrap_or_default();
            format!(
                "{file}:{}: in {function}\n",
                frame.current_line().unwrap_or(0)
            )
        })
    };
    (0..DEPTH).map_while(frame).collect()
}
