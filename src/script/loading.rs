//! Scripts that run a little in each frame.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use mlua::thread::ThreadStatus;
use mlua::{Function, Thread, Value};

use super::compile::Compiling;
use super::error::{Nothing, ScriptError, explain};
use super::guard::Turn;
use super::modules::Modules;
use super::project::{Project, Reader};
use super::version::{REPL, Scope, Version};
use super::{Cause, Core, Effect};

/// How much of a slice is given to waiting for the compiler.
const WAIT: Duration = Duration::from_millis(1);

/// What one step came to.
#[derive(Debug)]
pub enum Step<T> {
    /// There is more to run in the next frame.
    More,
    /// It ran to its end.
    Done(T),
    /// It failed and is over.
    Failed(ScriptError),
}

/// A sketch on its way.
///
/// Its running time is limited as a whole ([`Limits::load`](super::Limits)); reading files and
/// compiling don't count.
pub struct Loading {
    core: Rc<Core>,
    sketch: PathBuf,
    /// What there is to begin with.
    start: Option<(Option<Vec<u8>>, Reader)>,
    modules: Option<Rc<Modules>>,
    version: Option<Version>,
    compiling: Option<Compiling>,
    run: Option<Run>,
}

impl Loading {
    pub(super) fn new(core: Rc<Core>, sketch: &Path, text: Option<Vec<u8>>, read: Reader) -> Self {
        Self {
            core,
            sketch: sketch.to_owned(),
            start: Some((text, read)),
            modules: None,
            version: None,
            compiling: None,
            run: None,
        }
    }

    /// Runs on for about `slice`, in a call that can't be left (a sort's comparison, say) longer.
    ///
    /// After `Done` or `Failed` it is over: a further step fails.
    pub fn step(&mut self, slice: Duration) -> Step<Version> {
        let begun = match self.start.take() {
            Some((text, read)) => self.begin(text, read),
            None => Ok(()),
        };
        let step = match begun.and_then(|()| self.compile(slice)) {
            Ok(true) => self.run(slice),
            Ok(false) => Step::More,
            Err(error) => Step::Failed(error),
        };
        if let Step::Failed(_) = step {
            self.run = None;
            self.version = None;
            self.core.relieve();
        }
        step
    }

    fn run(&mut self, slice: Duration) -> Step<Version> {
        match self.run.as_mut().map(|run| run.step(slice)) {
            Some(Step::More) => return Step::More,
            Some(Step::Failed(error)) => return Step::Failed(error),
            Some(Step::Done(_)) | None => {}
        }
        match (self.run.take(), self.version.take()) {
            (Some(run), Some(mut version)) => {
                version.set_effects(run.effects);
                Step::Done(version)
            }
            _ => Step::Failed(ScriptError::of_file(
                self.sketch.display().to_string(),
                "is over",
            )),
        }
    }

    fn begin(&mut self, text: Option<Vec<u8>>, read: Reader) -> Result<(), ScriptError> {
        let project = Project::of(&self.sketch, read)?;
        let version = Version::new(self.core.clone(), project);
        let version = version.map_err(|error| explain(&error, &Nothing))?;
        let version = self.version.insert(version);
        self.modules = Some(version.scope().modules.clone());
        self.compiling = Some(version.sketch(text)?);
        Ok(())
    }

    /// Whether the sketch is compiled.
    fn compile(&mut self, slice: Duration) -> Result<bool, ScriptError> {
        let (Some(mut compiling), Some(version)) = (self.compiling.take(), &self.version) else {
            return Ok(true);
        };
        compiling.wait(slice.min(WAIT));
        if !compiling.is_ready() {
            self.compiling = Some(compiling);
            return Ok(false);
        }
        let chunk = version.chunk(compiling)?;
        let scope = version.scope().clone();
        let name = {
            let project = scope.modules.project();
            project.name(project.sketch()).to_string()
        };
        self.run = Some(Run::new(self.core.clone(), scope, chunk, name)?);
        Ok(true)
    }

    /// Every path that was read or looked for so far, also after a failure; saving any of them
    /// means to try again. After `Done` the [`Version`] knows.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        match &self.modules {
            Some(modules) => modules.paths(),
            None => vec![self.sketch.clone()],
        }
    }

    /// Every path that was read so far, with what was read there.
    #[must_use]
    pub fn read_files(&self) -> Vec<(PathBuf, Rc<[u8]>)> {
        self.modules
            .as_ref()
            .map(|modules| modules.contents())
            .unwrap_or_default()
    }

    /// Runs to the end at once.
    ///
    /// # Errors
    /// What went wrong in it.
    pub fn finish(&mut self) -> Result<Version, ScriptError> {
        loop {
            match self.step(self.core.limits.load) {
                Step::More => {}
                Step::Done(version) => return Ok(version),
                Step::Failed(error) => return Err(error),
            }
        }
    }
}

/// What a typed line came to.
#[derive(Debug, Default)]
pub struct Answer {
    /// The values of an expression.
    pub text: Option<String>,
    /// What it asked of the show, in order. Nothing of it has happened yet.
    pub effects: Vec<Effect>,
}

/// A typed line on its way, under the same limits as a sketch.
pub struct Evaluating {
    core: Rc<Core>,
    run: Result<Run, Option<ScriptError>>,
}

impl Evaluating {
    pub(super) fn new(
        core: Rc<Core>,
        scope: Rc<Scope>,
        chunk: Result<Function, ScriptError>,
    ) -> Self {
        let run = chunk.and_then(|chunk| Run::new(core.clone(), scope, chunk, REPL.into()));
        Self {
            core,
            run: run.map_err(Some),
        }
    }

    /// Runs on for about `slice`. After `Done` or `Failed` it is over: a further step fails.
    pub fn step(&mut self, slice: Duration) -> Step<Answer> {
        let step = match &mut self.run {
            Ok(run) => match run.step(slice) {
                Step::More => return Step::More,
                Step::Failed(error) => Step::Failed(error),
                Step::Done(text) => Step::Done(Answer {
                    text,
                    effects: std::mem::take(&mut run.effects),
                }),
            },
            Err(error) => Step::Failed(
                error
                    .take()
                    .unwrap_or_else(|| ScriptError::of_file(REPL, "is over")),
            ),
        };
        self.run = Err(None);
        self.core.relieve();
        step
    }

    /// Runs to the end at once.
    ///
    /// # Errors
    /// What went wrong in it.
    pub fn finish(&mut self) -> Result<Answer, ScriptError> {
        loop {
            match self.step(self.core.limits.load) {
                Step::More => {}
                Step::Done(answer) => return Ok(answer),
                Step::Failed(error) => return Err(error),
            }
        }
    }
}

/// A coroutine of a version.
struct Run {
    core: Rc<Core>,
    scope: Rc<Scope>,
    /// What errors without a place of their own are about.
    name: String,
    thread: Thread,
    spent: Duration,
    effects: Vec<Effect>,
}

impl Run {
    fn new(
        core: Rc<Core>,
        scope: Rc<Scope>,
        chunk: Function,
        name: String,
    ) -> Result<Self, ScriptError> {
        let thread = core
            .lua
            .create_thread(chunk)
            .and_then(|thread| core.shared.seed(0).map(|()| thread));
        let thread = thread.map_err(|error| core.explain(&error, &scope.modules))?;
        Ok(Self {
            core,
            scope,
            name,
            thread,
            spent: Duration::ZERO,
            effects: Vec::new(),
        })
    }

    fn step(&mut self, slice: Duration) -> Step<Option<String>> {
        let whole = self.core.limits.load;
        let limit = Turn {
            left: whole.saturating_sub(self.spent),
            whole,
        };
        let effects = Some(std::mem::take(&mut self.effects));
        let turn = || self.core.guard.turn::<Value>(&self.thread, slice, limit);
        let ((ran, result), effects) = self.core.shared.within(&self.scope, effects, turn);
        self.effects = effects;
        self.spent += ran;
        match result {
            Ok((yielded, shown)) => match (self.thread.status(), yielded) {
                (ThreadStatus::Resumable, true) => Step::More,
                (ThreadStatus::Resumable, false) => Step::Failed(self.yielded_by_itself()),
                _ => Step::Done(shown.as_string().map(|text| text.to_string_lossy())),
            },
            Err(error) => {
                let mut error = self.core.explain(&error, &self.scope.modules);
                // Running out of memory has no line.
                error.file.get_or_insert_with(|| self.name.clone());
                Step::Failed(error)
            }
        }
    }

    fn yielded_by_itself(&self) -> ScriptError {
        ScriptError {
            cause: Cause::Raised,
            ..ScriptError::of_file(&self.name, "coroutine.yield outside a coroutine")
        }
    }
}
