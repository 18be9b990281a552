//! One version of a sketch: its environment, its modules, its errors.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaString, Table, Value};

use super::convert::got;
use super::error::{Cause, ScriptError, explain};
use super::loading::Evaluating;
use super::modules::{self, Found, Modules, Project};
use super::{Core, Effect, FrameInfo, callback, source};
use crate::graph::Key;
use crate::value::Value as GraphValue;

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

    /// Reads and compiles the sketch.
    pub(super) fn sketch(&self, text: Option<Vec<u8>>) -> Result<Function, ScriptError> {
        let file = self.scope.modules.sketch(text)?;
        let text = modules::text(&file)?;
        let chunk = compile(
            &self.core.lua,
            text,
            &format!("@{}", file.name),
            &self.scope.env,
        );
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
        let expression = compile(lua, &format!("return {text}\n"), &name, env);
        let chunk = expression.or_else(|_| compile(lua, text, &name, env));
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
    /// Functions that nodes of the graph call.
    functions: Table,
    free: RefCell<Vec<usize>>,
    lua: mlua::WeakLua,
}

impl Scope {
    pub(crate) fn lua(&self) -> mlua::Result<Lua> {
        self.lua
            .try_upgrade()
            .ok_or_else(|| mlua::Error::runtime("the scripts have ended"))
    }

    /// Keeps a function for as long as this version, or until it is forgotten.
    pub(crate) fn keep(&self, function: &Function) -> mlua::Result<usize> {
        let free = self.free.borrow_mut().pop();
        let slot = free.unwrap_or(self.functions.raw_len() + 1);
        self.functions.raw_set(slot, function)?;
        Ok(slot)
    }

    pub(crate) fn kept(&self, slot: usize) -> mlua::Result<Function> {
        self.functions.raw_get(slot)
    }

    pub(crate) fn forget(&self, slot: usize) {
        // `false` keeps the length of the list.
        if self.functions.raw_set(slot, false).is_ok() {
            self.free.borrow_mut().push(slot);
        }
    }
}

fn compile(lua: &Lua, text: &str, name: &str, env: &Table) -> mlua::Result<Function> {
    let chunk = lua.load(text).set_name(name).set_mode(ChunkMode::Text);
    chunk.set_environment(env.clone()).into_function()
}

/// What the Lua half of an environment asks of the host.
///
/// None of these may hold a Lua value: Lua could never collect a generation that the host holds.
fn hooks(core: &Core, modules: &Rc<Modules>) -> mlua::Result<Table> {
    let lua = &core.lua;
    let hooks = lua.create_table()?;

    let (known, guard) = (modules.clone(), core.guard.clone());
    let find = lua.create_function(move |lua, (name, env): (LuaString, Table)| {
        let from = caller(lua);
        guard.outside(|| find(lua, &known, &name.to_string_lossy(), from.as_deref(), &env))
    })?;
    hooks.raw_set("find", find)?;

    let known = modules.clone();
    let finish = lua.create_function(move |_, (id, ok): (usize, bool)| {
        known.finish(id, ok);
        Ok(())
    })?;
    hooks.raw_set("finish", finish)?;

    let known = modules.clone();
    let note = lua.create_function(move |lua, error: Value| {
        if let Value::String(message) = &error {
            let traceback = lua.traceback(None, 0)?.to_string_lossy();
            known.note_traceback(message.to_string_lossy(), traceback);
        }
        Ok(error)
    })?;
    hooks.raw_set("note", note)?;

    let (known, guard) = (modules.clone(), core.guard.clone());
    let load = lua.create_function(
        move |lua, (text, name, env): (Value, Option<LuaString>, Table)| {
            guard.outside(|| load(lua, &known, &text, name, &env))
        },
    )?;
    hooks.raw_set("compile", load)?;

    let slow = lua.create_function(|_, env: Table| {
        env.set_safeenv(false);
        Ok(())
    })?;
    hooks.raw_set("slow", slow)?;
    Ok(hooks)
}

type Opened = (Option<usize>, Value, bool);

/// `id, chunk` of a fresh module, `id, nil` of a loaded one, else `nil, message, broken`.
fn find(
    lua: &Lua,
    modules: &Modules,
    name: &str,
    from: Option<&str>,
    env: &Table,
) -> mlua::Result<Opened> {
    let message = |text: String| lua.create_string(text).map(Value::String);
    let (id, file) = match modules.find(name, from) {
        Ok(Found::Known(id)) => return Ok((Some(id), Value::Nil, false)),
        Ok(Found::Fresh(id, file)) => (id, file),
        Err(text) => return Ok((None, message(text)?, false)),
    };
    let chunk = match modules::text(&file) {
        Ok(text) => compile(lua, text, &format!("@{}", file.name), env),
        Err(error) => {
            modules.finish(id, false);
            return Ok((None, message(error.to_string())?, true));
        }
    };
    match chunk {
        Ok(chunk) => Ok((Some(id), Value::Function(chunk), false)),
        Err(error) => {
            modules.finish(id, false);
            match explain(&error, modules) {
                error @ ScriptError {
                    cause: Cause::Syntax { .. },
                    ..
                } => Ok((None, message(error.to_string())?, true)),
                _ => Err(error),
            }
        }
    }
}

/// `load(text, name)`: a function, or nothing and the reason.
fn load(
    lua: &Lua,
    modules: &Modules,
    text: &Value,
    name: Option<LuaString>,
    env: &Table,
) -> mlua::Result<(Option<Function>, Option<String>)> {
    let Value::String(bytes) = text else {
        return Ok((
            None,
            Some(format!("load: expected text, got {}", text.type_name())),
        ));
    };
    let bytes = bytes.as_bytes();
    let text = match source::text(&bytes) {
        Ok(text) => text,
        Err(why) => return Ok((None, Some(format!("load: the text {why}")))),
    };
    let name = name.map(|name| {
        name.to_string_lossy()
            .trim_start_matches(['=', '@'])
            .to_owned()
    });
    let name = name.unwrap_or_else(|| "load".to_owned());
    modules.note_text(&name, text);
    match compile(lua, text, &format!("={name}"), env) {
        Ok(chunk) => Ok((Some(chunk), None)),
        Err(error) => Ok((None, Some(explain(&error, modules).to_string()))),
    }
}

/// The chunk that called `require`: the innermost that isn't ours.
fn caller(lua: &Lua) -> Option<String> {
    (1..20).find_map(|level| {
        let name = lua.inspect_stack(level, |frame| {
            let source = frame.source();
            source
                .source
                .filter(|_| source.what != "C")
                .map(|name| name.into_owned())
        })??;
        name.strip_prefix('@').map(str::to_owned)
    })
}
