//! What the Lua half of an environment (`scripts/prelude.lua`) asks of the host.

use std::rc::Rc;

use mlua::{Function, Lua, LuaString, Table, Value};

use super::error::{Cause, ScriptError, explain};
use super::modules::{Found, Modules};
use super::{Core, compile, source};

/// The functions that an environment is made with.
///
/// None of these may hold a Lua value: Lua could never collect a version that the host holds.
pub(super) fn hooks(core: &Core, modules: &Rc<Modules>) -> mlua::Result<Table> {
    let lua = &core.lua;
    let hooks = lua.create_table()?;

    let (known, guard) = (modules.clone(), core.guard.clone());
    let find = lua.create_function(move |lua, (name, env, yields): (LuaString, Table, bool)| {
        let from = caller(lua);
        let name = name.to_string_lossy();
        let may_wait = yields && guard.may_wait(lua);
        let before = known.count();
        let found = guard.outside(|| {
            let found = find(lua, &known, &name, from.as_deref(), &env, may_wait);
            (found, known.count() > before)
        })?;
        if matches!(found, (Some(0), ..)) {
            guard.wait();
        }
        Ok(found)
    })?;
    hooks.raw_set("find", find)?;

    let known = modules.clone();
    let finish = lua.create_function(move |_, (id, ok): (usize, bool)| {
        known.finish(id.saturating_sub(1), ok);
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

    let known = modules.clone();
    let load = lua.create_function(
        move |lua, (text, name, env): (Value, Option<LuaString>, Table)| {
            load(lua, &known, &text, name, &env)
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

/// `id, chunk` of a fresh module, counted from 1; `id, nil` of a loaded one; 0 of one that is being compiled; else
/// `nil, message, broken`.
fn find(
    lua: &Lua,
    modules: &Modules,
    name: &str,
    from: Option<&str>,
    env: &Table,
    may_wait: bool,
) -> mlua::Result<Opened> {
    let message = |text: String| lua.create_string(text).map(Value::String);
    let (id, file) = match modules.find(name, from) {
        Ok(Found::Known(id)) => return Ok((Some(id + 1), Value::Nil, false)),
        Ok(Found::Fresh(id, file)) => (id, file),
        Err(text) => return Ok((None, message(text)?, false)),
    };
    let chunk = match modules.compiling(&file) {
        Ok(mut compiling) => {
            if may_wait && !compiling.is_ready() {
                modules.put_off(id, compiling);
                return Ok((Some(0), Value::Nil, false));
            }
            compiling.finish(lua, env)
        }
        Err(error) => {
            modules.finish(id, false);
            return Ok((None, message(error.to_string())?, true));
        }
    };
    match chunk {
        Ok(chunk) => Ok((Some(id + 1), Value::Function(chunk), false)),
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
    match compile::now(lua, text, &format!("={name}"), env) {
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
