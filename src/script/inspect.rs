//! What a sketch can ask of nodes as such: how they are doing, and whether they run at all.

use std::rc::Rc;

use mlua::{Error, Lua, MultiValue, Table, Value as LuaValue};

use super::convert::got;
use super::node::{Node, node_in};
use super::shared::Shared;
use crate::graph::{Mode, Trigger};

fn node(name: &str, args: &MultiValue) -> mlua::Result<Node> {
    let first = args.front().cloned().unwrap_or(LuaValue::Nil);
    node_in(&first).ok_or_else(|| {
        let text = format!(
            "{name}: expected a node, got {}; write node:{name}()",
            got(&first)
        );
        Error::runtime(text)
    })
}

/// The one argument after the node, true when there is none.
fn switch(name: &str, args: &MultiValue) -> mlua::Result<bool> {
    match args.get(1) {
        None => Ok(true),
        Some(LuaValue::Boolean(on)) => Ok(*on),
        Some(other) => Err(Error::runtime(format!(
            "{name}.on: expected boolean, got {}",
            got(other)
        ))),
    }
}

fn busy(name: &str) -> Error {
    Error::runtime(format!(
        "{name}: not inside a function that is an argument; use update(ctx)"
    ))
}

fn set_mode(shared: &Shared, name: &str, args: &MultiValue, mode: Mode) -> mlua::Result<Node> {
    let (node, is_on) = (node(name, args)?, switch(name, args)?);
    let mut graph = shared.graph.try_borrow_mut().map_err(|_| busy(name))?;
    graph.set_mode(node.id(), if is_on { mode } else { Mode::Active });
    Ok(node)
}

/// Lets the first input of a node's kind pass through, or has it run again.
pub(crate) fn bypass(_: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<Node> {
    set_mode(shared, "bypass", &args, Mode::Bypassed)
}

/// Holds a node at its last value, or has it run again.
pub(crate) fn disable(_: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<Node> {
    set_mode(shared, "disable", &args, Mode::Disabled)
}

/// Has a node run in each frame, or only when it must.
pub(crate) fn always(_: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<Node> {
    let (node, is_on) = (node("always", &args)?, switch("always", &args)?);
    let trigger = if is_on {
        Trigger::Always
    } else {
        Trigger::None
    };
    let mut graph = shared.graph.try_borrow_mut().map_err(|_| busy("always"))?;
    graph.set_trigger(node.id(), trigger);
    Ok(node)
}

/// How a node is doing, as a table.
pub(crate) fn status(lua: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<Table> {
    let node = node("status", &args)?;
    let graph = shared.graph.try_borrow().map_err(|_| busy("status"))?;
    let table = lua.create_table()?;
    let Some(status) = graph.status(node.id()) else {
        return Ok(table);
    };
    table.raw_set("runs", status.runs)?;
    table.raw_set("last_run", status.last_run)?;
    table.raw_set("cost", status.cost.map(|cost| cost.as_secs_f64()))?;
    table.raw_set("memos", status.memos)?;
    table.raw_set("error", status.error.map(ToString::to_string))?;
    table.raw_set("origin", status.origin)?;
    let mode = match status.mode {
        Mode::Active => "active",
        Mode::Bypassed => "bypassed",
        Mode::Disabled => "disabled",
    };
    table.raw_set("mode", mode)?;
    Ok(table)
}

/// Counts of the last whole frame, as a table.
pub(crate) fn stats(lua: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<Table> {
    if let Some(value) = args.front() {
        let text = format!("stats takes no arguments, got {}", got(value));
        return Err(Error::runtime(text));
    }
    let graph = shared.graph.try_borrow().map_err(|_| busy("stats"))?;
    let (last, table) = (graph.last_stats(), lua.create_table()?);
    for (name, count) in [
        ("updated", last.updated),
        ("reused", last.reused),
        ("failed", last.failed),
        ("nodes", graph.len()),
    ] {
        table.raw_set(name, count)?;
    }
    table.raw_set("frame", graph.frame())?;
    Ok(table)
}
