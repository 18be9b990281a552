//! What the functions that scripts call share with the host. Holds no way back to Lua, so that a
//! state can end.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use mlua::{Function, Lua};

use super::error::{OWN, ScriptError, explain};
use super::guard::{Guard, Turn};
use super::modules::Modules;
use super::version::Scope;
use super::{Effect, Limits, advice};
use crate::graph::{Graph, Library, NodeId};

/// The most errors that are kept between two frames.
const FAILURES: usize = 100;

pub(crate) struct Shared {
    pub(crate) graph: Rc<RefCell<Graph>>,
    pub(crate) library: Rc<RefCell<Library>>,
    pub(crate) guard: Guard,
    /// The show's time in seconds where it stands for the machine's.
    pub(crate) clock: Cell<Option<f64>>,
    /// The last error value that isn't text, with what it says.
    pub(crate) raised: RefCell<Option<(String, String)>>,
    /// The last name that was read and doesn't exist.
    pub(crate) missing: RefCell<Option<String>>,
    pub(crate) failures: RefCell<Vec<ScriptError>>,
    /// The version whose code runs.
    scope: RefCell<Option<Rc<Scope>>>,
    /// What that code asks of the show; `None` where it may not ask.
    effects: RefCell<Option<Vec<Effect>>>,
    held: RefCell<BTreeMap<NodeId, usize>>,
    /// The time that is left in this frame.
    budget: Cell<Turn>,
    seed: RefCell<Option<Function>>,
}

impl Shared {
    pub(crate) fn new(library: Library, guard: Guard, limits: Limits) -> Self {
        Self {
            graph: Rc::default(),
            library: Rc::new(RefCell::new(library)),
            guard,
            clock: Cell::new((!limits.is_live).then_some(0.0)),
            raised: RefCell::default(),
            missing: RefCell::default(),
            failures: RefCell::default(),
            scope: RefCell::default(),
            effects: RefCell::default(),
            held: RefCell::default(),
            budget: Cell::new(Turn {
                left: limits.frame,
                whole: limits.frame,
            }),
            seed: RefCell::default(),
        }
    }

    pub(crate) fn set_seed(&self, seed: Function) {
        self.seed.replace(Some(seed));
    }

    /// Makes `math.random` start anew from a number, so that the same frame always draws the same.
    pub(crate) fn seed(&self, from: u64) -> mlua::Result<()> {
        let mixed = (from ^ (from >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        match &*self.seed.borrow() {
            Some(seed) => seed.call((mixed >> 33) as u32),
            None => Ok(()),
        }
    }

    /// Runs `call` as code of that version; returns what it asked of the show besides its result.
    ///
    /// `effects` is what it has asked so far, `None` where it may not ask.
    pub(crate) fn within<R>(
        &self,
        scope: &Rc<Scope>,
        effects: Option<Vec<Effect>>,
        call: impl FnOnce() -> R,
    ) -> (R, Vec<Effect>) {
        struct Back<'a>(&'a Shared, Option<Rc<Scope>>, Option<Vec<Effect>>);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                self.0.scope.replace(self.1.take());
                self.0.effects.replace(self.2.take());
            }
        }
        let back = Back(
            self,
            self.scope.replace(Some(scope.clone())),
            self.effects.replace(effects),
        );
        let result = call();
        let effects = self.effects.take().unwrap_or_default();
        drop(back);
        (result, effects)
    }

    /// The version whose code runs.
    pub(crate) fn scope(&self) -> mlua::Result<Rc<Scope>> {
        self.scope
            .borrow()
            .clone()
            .ok_or_else(|| mlua::Error::runtime("no sketch is running"))
    }

    /// Asks something of the show.
    pub(crate) fn ask(&self, name: &str, effect: Effect) -> mlua::Result<()> {
        match &mut *self.effects.borrow_mut() {
            Some(effects) => effects.push(effect),
            None => {
                let text =
                    format!("{name}: not inside a function that is an argument; use update(ctx)");
                return Err(mlua::Error::runtime(text));
            }
        }
        Ok(())
    }

    /// Runs `call` within what is left of this frame's time.
    pub(crate) fn in_frame<R>(&self, call: impl FnOnce() -> mlua::Result<R>) -> mlua::Result<R> {
        let budget = self.budget.get();
        let (ran, result) = self.guard.run_within(budget, call);
        let left = budget.left.saturating_sub(ran);
        self.budget.set(Turn { left, ..budget });
        result
    }

    pub(crate) fn begin_frame(&self, budget: Duration) {
        self.budget.set(Turn {
            left: budget,
            whole: budget,
        });
    }

    pub(crate) fn fail(&self, error: ScriptError) {
        let mut failures = self.failures.borrow_mut();
        if failures.len() < FAILURES && !failures.iter().any(|known| known.key() == error.key()) {
            failures.push(error);
        }
    }

    pub(crate) fn explain(&self, error: &mlua::Error, modules: &Modules) -> ScriptError {
        if let Some((value, shown)) = self.raised.take() {
            modules.note_raised(value, shown);
        }
        let mut error = explain(error, modules);
        advice::give(
            &mut error,
            self.missing.take().as_deref(),
            &self.library.borrow(),
        );
        error
    }

    pub(crate) fn hold(&self, id: NodeId) {
        *self.held.borrow_mut().entry(id).or_default() += 1;
    }

    pub(crate) fn release(&self, id: NodeId) {
        let mut held = self.held.borrow_mut();
        if let Some(count) = held.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                held.remove(&id);
            }
        }
    }

    pub(crate) fn held(&self) -> Vec<NodeId> {
        self.held.borrow().keys().copied().collect()
    }
}

/// The user's line that is running, as a file and its line.
pub(crate) fn place(lua: &Lua) -> Option<(String, usize)> {
    (1..20).find_map(|level| {
        lua.inspect_stack(level, |frame| {
            let source = frame.source();
            let file = source
                .short_src
                .filter(|file| source.what != "C" && file != OWN)?;
            Some((file.into_owned(), frame.current_line()?))
        })?
    })
}
