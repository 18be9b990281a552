//! One version of a sketch: its environment, its modules, its errors.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value};

use super::compile::{self, Compiling};
use super::convert::got;
use super::error::ScriptError;
use super::hooks::hooks;
use super::loading::Evaluating;
use super::modules::Modules;
use super::project::Project;
use super::{Core, Effect, FrameInfo, callback, source};
use crate::graph::{Key, Spec};
use crate::value::{Kind, Value as GraphValue};

/// The name of typed lines in messages.
pub(super) const REPL: &str = "repl";

/// A sketch and its modules, loaded into an environment of their own.
///
/// Reading a name falls through to what all sketches share; writing one stays here. Dropping it
/// lets go of everything it holds in Lua.
pub struct Version {
    core: Rc<Core>,
    scope: Rc<Scope>,
    context: Table,
    effects: Vec<Effect>,
}

impl Version {
    pub(super) fn new(core: Rc<Core>, project: Project) -> mlua::Result<Self> {
        let modules = Rc::new(Modules::new(project));
        let env = core.lua.create_table()?;
        let hooks = hooks(&core, &modules)?;
        let make: Function = core.prelude.raw_get("environment")?;
        core.guard
            .run(core.limits.load, || make.call::<()>((&env, hooks)))?;
        env.set_safeenv(true);
        let context = core.lua.create_table()?;
        let wrong = core.lua.create_function(|_, (_, name): (Value, Value)| {
            Err::<(), _>(mlua::Error::runtime(callback::no_field(&name.to_string()?)))
        })?;
        let meta = core.lua.create_table()?;
        meta.raw_set("__index", wrong)?;
        context.set_metatable(Some(meta))?;
        let functions = core.lua.create_table()?;
        let scope = Scope {
            modules,
            env,
            functions,
            free: RefCell::default(),
            operators: RefCell::default(),
            lua: core.lua.weak(),
        };
        Ok(Self {
            core,
            scope: Rc::new(scope),
            context,
            effects: Vec::new(),
        })
    }

    pub(super) fn scope(&self) -> &Rc<Scope> {
        &self.scope
    }

    pub(super) fn set_effects(&mut self, effects: Vec<Effect>) {
        self.effects = effects;
    }

    /// What the top level of the sketch asked for, in order. Nothing of it has happened yet.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Reads the sketch and begins to compile it.
    pub(super) fn sketch(&self, text: Option<Vec<u8>>) -> Result<Compiling, ScriptError> {
        let file = self.scope.modules.sketch(text)?;
        self.scope.modules.compiling(&file)
    }

    /// Finishes to compile the sketch.
    pub(super) fn chunk(&self, compiling: Compiling) -> Result<Function, ScriptError> {
        let chunk = compiling.finish(&self.core.lua, &self.scope.env);
        chunk.map_err(|error| self.core.explain(&error, &self.scope.modules))
    }

    /// Compiles a typed line, which sees and changes the sketch's own names.
    pub(super) fn line(&self, line: &str) -> Evaluating {
        Evaluating::new(
            self.core.clone(),
            self.scope.clone(),
            self.compile_line(line),
        )
    }

    fn compile_line(&self, line: &str) -> Result<Function, ScriptError> {
        let (lua, env, modules) = (&self.core.lua, &self.scope.env, &self.scope.modules);
        modules.note_text(REPL, line);
        let name = format!("={REPL}");
        let text = source::text(line.as_bytes()).map_err(|why| ScriptError::of_file(REPL, why))?;
        // The line break keeps a comment at the end from swallowing what follows.
        let expression = compile::now(lua, &format!("return {text}\n"), &name, env);
        let chunk = expression.or_else(|_| compile::now(lua, text, &name, env));
        let show = self.core.prelude.raw_get::<Function>("show");
        let bound = show.and_then(|show| show.bind(chunk?));
        bound.map_err(|error| self.core.explain(&error, modules))
    }

    /// Calls the sketch's `update(ctx)`, where it has one, within the time of this frame; the
    /// graph must not be borrowed meanwhile.
    ///
    /// # Errors
    /// The first cause, at the user's line; [`Cause::Cut`] when the frame's time was spent. What
    /// it asked for until then is left out.
    pub fn update(&self, info: &FrameInfo) -> Result<Vec<Effect>, ScriptError> {
        let shared = &self.core.shared;
        if !self.core.limits.is_live {
            shared.clock.set(Some(info.time));
        }
        let update = match self.scope.env.raw_get("update") {
            Ok(Value::Nil) => return Ok(Vec::new()),
            Ok(Value::Function(update)) => Ok(update),
            Ok(other) => Err(mlua::Error::runtime(format!(
                "update: expected a function, got {}",
                got(&other)
            ))),
            Err(error) => Err(error),
        };
        let call = || {
            shared.seed(info.frame)?;
            self.fill_context(info)?;
            update?.call::<()>(&self.context)
        };
        let (result, effects) =
            shared.within(&self.scope, Some(Vec::new()), || shared.in_frame(call));
        match result {
            Ok(()) => Ok(effects),
            Err(error) => Err(self.core.explain(&error, &self.scope.modules)),
        }
    }

    fn fill_context(&self, info: &FrameInfo) -> mlua::Result<()> {
        let (size, tempo) = match self.core.shared.graph.try_borrow() {
            Ok(graph) => (
                graph.root(&Key::Resolution).cloned(),
                graph.root(&Key::Tempo).cloned(),
            ),
            Err(_) => (None, None),
        };
        let [width, height] = match size {
            Some(GraphValue::Vec2(size)) => size,
            _ => [1280.0, 720.0],
        };
        let tempo = match tempo {
            Some(GraphValue::Number(tempo)) => tempo,
            _ => 120.0,
        };
        let fields = [
            ("time", info.time),
            ("beat", info.beat),
            ("dt", info.dt),
            ("frame", info.frame as f64),
            ("tempo", tempo),
            ("width", width.into()),
            ("height", height.into()),
            ("aspect", f64::from(width) / f64::from(height)),
        ];
        fields
            .into_iter()
            .try_for_each(|(name, value)| self.context.raw_set(name, value))
    }

    /// Every path that was read or looked for on the way here; saving any of them means a reload.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.scope.modules.paths()
    }

    /// Every path that was read, with what was read there.
    #[must_use]
    pub fn read_files(&self) -> Vec<(PathBuf, Rc<[u8]>)> {
        self.scope.modules.contents()
    }
}

/// What code of a version runs in.
pub(crate) struct Scope {
    pub(crate) modules: Rc<Modules>,
    env: Table,
    /// Functions that nodes of the graph call, and tables that these keep.
    functions: Table,
    free: RefCell<Vec<usize>>,
    /// The operators that the sketch declares, by name.
    operators: RefCell<BTreeMap<String, Rc<Spec>>>,
    lua: mlua::WeakLua,
}

impl Scope {
    pub(crate) fn lua(&self) -> mlua::Result<Lua> {
        self.lua
            .try_upgrade()
            .ok_or_else(|| mlua::Error::runtime("the scripts have ended"))
    }

    /// Knows an operator of the sketch by its name; a later one of that name takes its place.
    pub(crate) fn declare(&self, spec: &Rc<Spec>) {
        let mut operators = self.operators.borrow_mut();
        operators.insert(spec.name.clone(), spec.clone());
    }

    /// The operator of the sketch that `value:name()` means for a value of that kind.
    pub(crate) fn method(&self, kind: Kind, name: &str) -> Option<Rc<Spec>> {
        let operators = self.operators.borrow();
        let takes = |spec: &&Rc<Spec>| spec.inputs.first().is_some_and(|i| i.kind.accepts(kind));
        let mut found = operators.values().filter(|spec| spec.short_name() == name);
        found.find(takes).cloned()
    }

    /// Keeps a function or table for as long as this version, or until it is forgotten.
    pub(crate) fn keep(&self, value: Value) -> mlua::Result<usize> {
        let free = self.free.borrow_mut().pop();
        let slot = free.unwrap_or(self.functions.raw_len() + 1);
        self.functions.raw_set(slot, value)?;
        Ok(slot)
    }

    pub(crate) fn kept(&self, slot: usize) -> mlua::Result<Value> {
        self.functions.raw_get(slot)
    }

    pub(crate) fn forget(&self, slot: usize) {
        // `false` keeps the length of the list.
        if self.functions.raw_set(slot, false).is_ok() {
            self.free.borrow_mut().push(slot);
        }
    }
}
