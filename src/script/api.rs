//! The names that sketches see.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use mlua::{Error, Function, Lua, MultiValue, Table, Value as LuaValue};

use super::construct::{self, constructor, spec_of};
use super::convert::{got, number, to_lua};
use super::declared::operator;
use super::error::ScriptError;
use super::help::{self, extra_methods};
use super::inspect;
use super::modules::{self, Modules};
use super::node::{METHODS, Node, node_in};
use super::printer::Printer;
use super::shared::{Shared, place};
use super::{Effect, Shown};
use crate::graph::{Key, Source, Spec, nearest};
use crate::ops::output::OUTPUTS;
use crate::value::{Kind, Value};

/// Puts every operator and function of ours into `base`.
pub(crate) fn install(
    lua: &Lua,
    base: &Table,
    shared: &Rc<Shared>,
    printer: &Rc<Printer>,
) -> mlua::Result<()> {
    construct::prepare(lua)?;
    operators(lua, base, shared)?;
    methods(lua, shared)?;
    outputs(lua, base, shared)?;
    let functions = [
        ("render", lua.create_function(with(shared, render))?),
        ("hush", lua.create_function(with(shared, hush))?),
        ("bpm", lua.create_function(with(shared, bpm))?),
        ("shader", lua.create_function(with(shared, shader))?),
        ("operator", lua.create_function(with(shared, operator))?),
        ("stats", lua.create_function(with(shared, inspect::stats))?),
        ("help", lua.create_function(help(shared, printer))?),
    ];
    for (name, function) in functions {
        base.raw_set(name, &function)?;
        construct::name(lua, &function, name)?;
    }
    Ok(())
}

/// A function of ours as Lua calls it.
fn with<R: 'static>(
    shared: &Rc<Shared>,
    call: fn(&Lua, &Rc<Shared>, MultiValue) -> mlua::Result<R>,
) -> impl Fn(&Lua, MultiValue) -> mlua::Result<R> + 'static {
    let shared = shared.clone();
    move |lua, args| call(lua, &shared, args)
}

fn wrong<R>(text: String) -> mlua::Result<R> {
    Err(Error::runtime(text))
}

fn operators(lua: &Lua, base: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let specs: Vec<Rc<Spec>> = shared.library.borrow().iter().cloned().collect();
    let mut spaces: BTreeMap<String, Vec<(String, LuaValue)>> = BTreeMap::new();
    for spec in &specs {
        let value = member(lua, shared, spec)?;
        match spec.name.split_once('.') {
            Some((space, name)) => spaces
                .entry(space.to_owned())
                .or_default()
                .push((name.to_owned(), value)),
            None => base.raw_set(spec.name.as_str(), value)?,
        }
    }
    for (space, members) in spaces {
        let names: Rc<Vec<String>> =
            Rc::new(members.iter().map(|(name, _)| name.clone()).collect());
        let table = lua.create_table_from(members)?;
        let meta = strict(lua, &space, names)?;
        // A name may be both, as `color` is: what it does to a picture, and the group of what makes colours.
        if let Some(spec) = specs.iter().find(|spec| spec.name == space) {
            let (shared, spec) = (shared.clone(), spec.clone());
            let call = lua.create_function(move |lua, mut args: MultiValue| {
                args.pop_front();
                construct::construct(lua, &shared, &spec, args)
            })?;
            meta.raw_set("__call", call)?;
        }
        table.set_metatable(Some(meta))?;
        table.set_readonly(true);
        base.raw_set(space, table)?;
    }
    Ok(())
}

/// A node where the operator takes nothing, else the function that makes nodes of it.
fn member(lua: &Lua, shared: &Rc<Shared>, spec: &Rc<Spec>) -> mlua::Result<LuaValue> {
    if !spec.inputs.is_empty() {
        return constructor(lua, shared, spec).map(LuaValue::Function);
    }
    let id = shared.graph.borrow_mut().add(spec);
    lua.create_userdata(Node::new(shared, id, spec.output))
        .map(LuaValue::UserData)
}

/// How a namespace is shown, and what it says about names it doesn't have.
fn strict(lua: &Lua, space: &str, names: Rc<Vec<String>>) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    let (of, known) = (space.to_owned(), names.clone());
    let index = lua.create_function(move |_, (_, name): (LuaValue, LuaValue)| {
        let name = name.to_string()?;
        let hint = match nearest(&name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {of}.{near}?"),
            None => format!("it has {}", known.join(", ")),
        };
        wrong::<()>(format!("{of} has no {name}; {hint}"))
    })?;
    meta.raw_set("__index", index)?;
    let shown = format!("{space}: a group of {}", names.join(", "));
    meta.raw_set(
        "__tostring",
        lua.create_function(move |_, _: MultiValue| Ok(shown.clone()))?,
    )?;
    meta.raw_set("__name", space)?;
    let of = space.to_owned();
    let call = lua.create_function(move |_, _: MultiValue| {
        let example = names.first().map_or("", String::as_str);
        wrong::<()>(format!(
            "{of} is a group of functions: write {of}.{example}"
        ))
    })?;
    meta.raw_set("__call", call)?;
    Ok(meta)
}

fn methods(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let by_kind = lua.create_table()?;
    for kind in Kind::ALL {
        let table = lua.create_table()?;
        for (name, spec) in shared.library.borrow().methods(kind) {
            table.raw_set(name, constructor(lua, shared, spec)?)?;
        }
        for entry in extra_methods(kind) {
            let function = match entry.name {
                "out" => lua.create_function(with(shared, out))?,
                "bypass" => lua.create_function(with(shared, inspect::bypass))?,
                "disable" => lua.create_function(with(shared, inspect::disable))?,
                "always" => lua.create_function(with(shared, inspect::always))?,
                "status" => lua.create_function(with(shared, inspect::status))?,
                _ => lua.create_function(with(shared, value))?,
            };
            construct::name(lua, &function, entry.name)?;
            table.raw_set(entry.name, function)?;
        }
        by_kind.raw_set(kind.name(), table)?;
    }
    lua.set_named_registry_value(METHODS, by_kind)
}

fn outputs(lua: &Lua, base: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let Some(spec) = shared.library.borrow().get("output").cloned() else {
        return Ok(());
    };
    for index in 0..OUTPUTS {
        let mut graph = shared.graph.borrow_mut();
        let id = graph.add(&spec);
        let index_source = Source::Constant(Value::Number(index as f64));
        graph
            .set(id, 0, index_source)
            .map_err(|error| Error::runtime(error.to_string()))?;
        drop(graph);
        base.raw_set(
            format!("o{index}"),
            lua.create_userdata(Node::new(shared, id, spec.output))?,
        )?;
    }
    Ok(())
}

/// Which output a value is.
fn output(shared: &Shared, value: &LuaValue) -> Option<usize> {
    let node = node_in(value)?;
    let graph = shared.graph.try_borrow().ok()?;
    if graph.spec(node.id())?.name != "output" {
        return None;
    }
    match graph.input(node.id(), 0)? {
        Source::Constant(Value::Number(index)) => {
            Some((index.round().max(0.0) as usize).min(OUTPUTS - 1))
        }
        _ => None,
    }
}

fn optional_output(
    shared: &Shared,
    name: &str,
    args: &MultiValue,
    at: usize,
) -> mlua::Result<Option<usize>> {
    let given = args.iter().nth(at);
    if args.len() > at + 1 {
        return wrong(format!(
            "{name} takes one output, got {} values",
            args.len() - at
        ));
    }
    match given.map(|value| (value, output(shared, value))) {
        None => Ok(None),
        Some((_, Some(output))) => Ok(Some(output)),
        Some((value, None)) => wrong(format!(
            "{name}: expected an output such as o1, got {}",
            got(value)
        )),
    }
}

fn out(_: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<()> {
    let first = args.front().cloned().unwrap_or(LuaValue::Nil);
    let Some(node) = node_in(&first).filter(|node| node.kind() == Kind::Image) else {
        return wrong(format!(
            "out: expected a picture, got {}; write picture:out()",
            got(&first)
        ));
    };
    let output = optional_output(shared, "out", &args, 1)?.unwrap_or(0);
    shared.ask("out", Effect::Out { output, node })
}

fn render(_: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<()> {
    let shown = optional_output(shared, "render", &args, 0)?.map_or(Shown::Grid, Shown::One);
    shared.ask("render", Effect::Render(shown))
}

fn hush(_: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<()> {
    match args.front() {
        None => shared.ask("hush", Effect::Hush),
        Some(value) => wrong(format!("hush takes no arguments, got {}", got(value))),
    }
}

fn bpm(_: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<f64> {
    if args.len() > 1 {
        return wrong(format!("bpm takes one tempo, got {} values", args.len()));
    }
    let Some(given) = args.front() else {
        let graph = shared.graph.try_borrow().map_err(Error::runtime)?;
        return Ok(match graph.root(&Key::Tempo) {
            Some(Value::Number(tempo)) => *tempo,
            _ => 120.0,
        });
    };
    match number(given).filter(|tempo| (1.0..=999.0).contains(tempo)) {
        Some(tempo) => shared.ask("bpm", Effect::Tempo(tempo)).map(|()| tempo),
        None => wrong(format!(
            "bpm.tempo: expected beats per minute from 1 to 999, got {}",
            got(given)
        )),
    }
}

/// What a signal is in the context of the show.
fn value(lua: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<LuaValue> {
    let first = args.front().cloned().unwrap_or(LuaValue::Nil);
    let Some(node) = node_in(&first).filter(|node| node.kind() != Kind::Image) else {
        return wrong(format!(
            "value: expected a signal, got {}; write signal:value()",
            got(&first)
        ));
    };
    let Ok(mut graph) = shared.graph.try_borrow_mut() else {
        return wrong(
            "value: not inside a function that is an argument; use ctx, or read it in update(ctx)"
                .to_owned(),
        );
    };
    let value = graph.eval(node.id());
    if let Some((_, error)) = graph.error(node.id()) {
        return wrong(format!("value: {error}"));
    }
    drop(graph);
    value.map_or(Ok(LuaValue::Nil), |value| to_lua(lua, &value))
}

fn shader(lua: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<Function> {
    let first = args.front().cloned().unwrap_or(LuaValue::Nil);
    let LuaValue::String(name) = &first else {
        return wrong(format!("shader.file: expected string, got {}", got(&first)));
    };
    let name = name.to_string_lossy();
    let scope = shared.scope()?;
    let from = place(lua).map(|(file, _)| file);
    let before = scope.modules.count();
    let made = shared.guard.outside(|| {
        let made = read_shader(&scope.modules, &name, from.as_deref());
        (made, scope.modules.count() > before)
    });
    constructor(lua, shared, &Rc::new(made?))
}

fn read_shader(modules: &Modules, name: &str, from: Option<&str>) -> mlua::Result<Spec> {
    let read = modules.read_beside(name, from);
    let file = read.map_err(|why| Error::runtime(format!("shader.file: {why}")))?;
    let text = modules::text(&file).map_err(Error::external)?;
    let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
    let spec = crate::shader::pixel_spec(&file.name, &identifier(&stem), text)
        .map_err(|error| Error::external(ScriptError::from(error)))?;
    Ok(Spec {
        category: "sketch".into(),
        ..spec
    })
}

/// A name that WGSL and messages can use, from a file's.
fn identifier(stem: &str) -> String {
    let letters = stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let name: String = letters.collect();
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("shader_{name}"),
    }
}

fn help(
    shared: &Rc<Shared>,
    printer: &Rc<Printer>,
) -> impl Fn(&Lua, MultiValue) -> mlua::Result<()> + 'static {
    let (shared, printer) = (shared.clone(), printer.clone());
    move |lua, args| {
        let library = shared.library.borrow();
        let text = match args.front() {
            None => Some(help::overview(&library)),
            Some(LuaValue::String(name)) => {
                let name = name.to_string_lossy();
                let known = help::reference(&library, &name);
                let hint =
                    help::suggestion(&library, &name).map(|near| format!("; did you mean {near}?"));
                let unknown = || format!("there is no {name}{}", hint.unwrap_or_default());
                Some(known.unwrap_or_else(unknown))
            }
            Some(LuaValue::Function(function)) => match spec_of(lua, function) {
                Some(spec) => Some(help::of_spec(&spec)),
                None => construct::name_of(lua, function)
                    .and_then(|name| help::reference(&library, &name)),
            },
            Some(LuaValue::Table(space)) => space
                .metatable()
                .and_then(|meta| meta.raw_get::<Option<String>>("__name").ok()?)
                .and_then(|name| help::reference(&library, &name)),
            Some(value) => node_in(value).and_then(|node| of_node(&shared, &node)),
        };
        let text = text.unwrap_or_else(|| {
            let what = args.front().map(got).unwrap_or_default();
            format!("{what}: no function of gobo; help() lists what there is")
        });
        printer.answer(&text, Instant::now());
        Ok(())
    }
}

fn of_node(shared: &Shared, node: &Node) -> Option<String> {
    let library = shared.library.borrow();
    let spec = shared.graph.try_borrow().ok()?.spec(node.id())?.clone();
    let operators = library.methods(node.kind()).into_keys();
    let mut names: Vec<&str> = operators
        .chain(extra_methods(node.kind()).map(|entry| entry.name))
        .collect();
    names.sort_unstable();
    Some(format!(
        "{}\n\nmethods: {}",
        help::of_spec(&spec),
        names.join(", ")
    ))
}
