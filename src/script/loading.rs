//! A script that loads a little in each frame.

use std::rc::Rc;
use std::time::Duration;

use mlua::Thread;
use mlua::thread::ThreadStatus;

use super::Core;
use super::error::ScriptError;
use super::guard::Turn;
use super::modules::Modules;

/// A chunk on its way: a sketch, or a typed line.
///
/// Its running time is limited as a whole ([`Limits::load`](super::Limits)); reading files and
/// compiling don't count.
pub struct Loading {
    core: Rc<Core>,
    modules: Rc<Modules>,
    thread: Thread,
    spent: Duration,
}

/// What one step came to.
#[derive(Debug)]
pub enum Step {
    /// There is more to run in the next frame.
    More,
    /// It ran to its end. A typed line with values has them as text.
    Done(Option<String>),
    /// It failed and is over.
    Failed(ScriptError),
}

impl Loading {
    pub(super) fn new(core: Rc<Core>, modules: Rc<Modules>, thread: Thread) -> Self {
        Self {
            core,
            modules,
            thread,
            spent: Duration::ZERO,
        }
    }

    /// Runs on for about `slice`, in a call that can't be left (a sort's comparison, say) longer.
    ///
    /// After `Done` or `Failed` there are no further steps: another one fails.
    pub fn step(&mut self, slice: Duration) -> Step {
        let whole = self.core.limits.load;
        let limit = Turn {
            left: whole.saturating_sub(self.spent),
            whole,
        };
        let (ran, result) =
            self.core
                .guard
                .turn::<Option<mlua::LuaString>>(&self.thread, slice, limit);
        self.spent += ran;
        match result {
            Ok((yielded, shown)) => match (self.thread.status(), yielded) {
                (ThreadStatus::Resumable, true) => Step::More,
                (ThreadStatus::Resumable, false) => Step::Failed(self.yielded_by_itself()),
                _ => Step::Done(shown.map(|text| text.to_string_lossy())),
            },
            Err(error) => Step::Failed(self.core.explain(&error, &self.modules)),
        }
    }

    /// Runs to the end at once.
    ///
    /// # Errors
    /// What went wrong in it.
    pub fn finish(mut self) -> Result<Option<String>, ScriptError> {
        loop {
            match self.step(self.core.limits.load) {
                Step::More => {}
                Step::Done(shown) => return Ok(shown),
                Step::Failed(error) => return Err(error),
            }
        }
    }

    /// Running time so far.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.spent
    }

    fn yielded_by_itself(&self) -> ScriptError {
        let name = self.modules.project().name(self.modules.project().sketch());
        let mut error = ScriptError::file(name, "coroutine.yield outside a coroutine");
        error.cause = super::Cause::Raised;
        error
    }
}
