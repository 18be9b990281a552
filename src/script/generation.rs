//! One version of a sketch: its environment, its modules, its errors.

use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaString, Table, Value};

use super::Core;
use super::error::{Cause, ScriptError, explain};
use super::loading::Loading;
use super::modules::{self, Found, Modules, Project, SourceFile};
use super::source;

/// The name of typed lines in messages.
const REPL: &str = "repl";

/// A sketch and its modules in an environment of their own.
///
/// Reading a name falls through to what all sketches share; writing one stays here.
pub struct Generation {
    core: Rc<Core>,
    modules: Rc<Modules>,
    env: Table,
}

impl Generation {
    pub(super) fn new(core: Rc<Core>, project: Project) -> mlua::Result<Self> {
        let modules = Rc::new(Modules::new(project));
        let env = core.lua.create_table()?;
        let hooks = hooks(&core, &modules)?;
        let make: Function = core.prelude.raw_get("environment")?;
        core.guard
            .run(core.limits.call, || make.call::<()>((&env, hooks)))?;
        env.set_safeenv(true);
        Ok(Self { core, modules, env })
    }

    /// Reads and compiles the sketch; it runs in the steps of what this returns.
    ///
    /// # Errors
    /// When the file can't be read, isn't text or isn't Lua.
    pub fn load(&self) -> Result<Loading, ScriptError> {
        let file = self.modules.sketch()?;
        let text = modules::text(&file)?;
        let chunk = compile(&self.core.lua, text, &format!("@{}", file.name), &self.env);
        self.loading(chunk.map_err(|error| self.explain(&error))?, None)
    }

    /// Compiles a typed line, which sees and changes the sketch's own names.
    ///
    /// An expression shows its values. [`Cause::Syntax`] with `incomplete` asks for another line.
    ///
    /// # Errors
    /// When the line isn't Lua.
    pub fn line(&self, line: &str) -> Result<Loading, ScriptError> {
        self.modules.note_text(REPL, line);
        let name = format!("={REPL}");
        let text =
            source::text(line.as_bytes()).map_err(|message| ScriptError::file(REPL, message))?;
        // The line break keeps a comment at the end from swallowing what follows.
        let expression = compile(
            &self.core.lua,
            &format!("return {text}\n"),
            &name,
            &self.env,
        );
        let chunk = expression.or_else(|_| compile(&self.core.lua, text, &name, &self.env));
        let chunk = chunk.map_err(|error| self.explain(&error))?;
        let show = self
            .core
            .prelude
            .raw_get("show")
            .map_err(|error| self.explain(&error))?;
        self.loading(chunk, Some(show))
    }

    fn loading(&self, chunk: Function, show: Option<Function>) -> Result<Loading, ScriptError> {
        let (run, args) = match show {
            Some(show) => (show, Some(chunk)),
            None => (chunk, None),
        };
        let thread = match args {
            Some(chunk) => run
                .bind(chunk)
                .and_then(|run| self.core.lua.create_thread(run)),
            None => self.core.lua.create_thread(run),
        };
        let thread = thread.map_err(|error| self.explain(&error))?;
        Ok(Loading::new(
            self.core.clone(),
            self.modules.clone(),
            thread,
        ))
    }

    /// Runs `call` for `limit` at most and explains what goes wrong in it.
    ///
    /// # Errors
    /// The first cause, at the user's line; [`Cause::Cut`] when the limit was reached.
    pub fn run<R>(
        &self,
        limit: Duration,
        call: impl FnOnce() -> mlua::Result<R>,
    ) -> Result<R, ScriptError> {
        self.core
            .guard
            .run(limit, call)
            .map_err(|error| self.explain(&error))
    }

    /// A function that the sketch defined under this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<Function> {
        match self.env.raw_get(name) {
            Ok(Value::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// Every file that was read for this sketch, also those that turned out not to be scripts.
    #[must_use]
    pub fn files(&self) -> Vec<Rc<SourceFile>> {
        self.modules.files()
    }

    /// Paths that were looked at in vain: a file that appears there means a reload.
    #[must_use]
    pub fn missing(&self) -> Vec<PathBuf> {
        self.modules.missing()
    }

    /// The sketch and its folder.
    #[must_use]
    pub fn project(&self) -> &Project {
        self.modules.project()
    }

    fn explain(&self, error: &mlua::Error) -> ScriptError {
        self.core.explain(error, &self.modules)
    }
}

impl Core {
    pub(super) fn explain(&self, error: &mlua::Error, modules: &Modules) -> ScriptError {
        if let Some((value, shown)) = self.raised.take() {
            modules.note_raised(value, shown);
        }
        explain(error, modules)
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
