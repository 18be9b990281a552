//! A call of an operator's name becomes a node.

use std::rc::Rc;

use mlua::{AnyUserData, Error, Function, Lua, MultiValue, Table, Value};

use super::callback;
use super::convert::{Given, convert, got, input_name};
use super::node::{Node, node_in};
use super::shared::{Shared, place};
use crate::graph::{Source, Spec, nearest};
use crate::value::Kind;

/// Where constructors are known by function, in the registry.
const CONSTRUCTORS: &str = "gobo.constructors";

/// What stands behind a constructor.
pub(crate) struct Constructor(pub(crate) Rc<Spec>);

/// Makes room for what knows our constructors.
pub(crate) fn prepare(lua: &Lua) -> mlua::Result<()> {
    let weak = lua.create_table()?;
    let mode = lua.create_table()?;
    mode.raw_set("__mode", "k")?;
    weak.set_metatable(Some(mode))?;
    lua.set_named_registry_value(CONSTRUCTORS, weak)
}

/// The function that makes nodes of an operator, as a global, a member or a method.
pub(crate) fn constructor(
    lua: &Lua,
    shared: &Rc<Shared>,
    spec: &Rc<Spec>,
) -> mlua::Result<Function> {
    let (shared, made) = (shared.clone(), spec.clone());
    let function =
        lua.create_function(move |lua, args: MultiValue| construct(lua, &shared, &made, args))?;
    let known: Table = lua.named_registry_value(CONSTRUCTORS)?;
    known.raw_set(
        &function,
        lua.create_any_userdata(Constructor(spec.clone()))?,
    )?;
    Ok(function)
}

/// Makes a function known as one of ours that makes no nodes.
pub(crate) fn name(lua: &Lua, function: &Function, name: &str) -> mlua::Result<()> {
    let known: Table = lua.named_registry_value(CONSTRUCTORS)?;
    known.raw_set(function, name)
}

/// The name of a function of ours.
pub(crate) fn name_of(lua: &Lua, function: &Function) -> Option<String> {
    if let Some(spec) = spec_of(lua, function) {
        return Some(spec.name.clone());
    }
    let known: Table = lua.named_registry_value(CONSTRUCTORS).ok()?;
    known.raw_get::<Option<String>>(function).ok()?
}

/// The operator that a function makes nodes of.
pub(crate) fn spec_of(lua: &Lua, function: &Function) -> Option<Rc<Spec>> {
    let known: Table = lua.named_registry_value(CONSTRUCTORS).ok()?;
    let data: AnyUserData = known.raw_get(function).ok()?;
    data.borrow::<Constructor>()
        .ok()
        .map(|constructor| constructor.0.clone())
}

/// Makes a node from the arguments of a call.
///
/// # Errors
/// Which argument was expected and what came.
pub(crate) fn construct(
    lua: &Lua,
    shared: &Rc<Shared>,
    spec: &Rc<Spec>,
    args: MultiValue,
) -> mlua::Result<Node> {
    let mut given: Vec<(usize, Given)> = Vec::new();
    for (index, value) in arguments(spec, args)? {
        let input = &spec.inputs[index];
        let value = convert(input, &value, |function| name_of(lua, function))
            .map_err(|why| Error::runtime(format!("{}: {why}", input_name(spec, input))))?;
        given.push((index, value));
    }
    let mut graph = shared.graph.try_borrow_mut().map_err(|_| {
        let text = format!(
            "{}: no nodes can be made inside a function that is an argument",
            spec.name
        );
        Error::runtime(text)
    })?;
    let origin = place(lua).map(|(file, line)| format!("{file}:{line}"));
    let id = graph.add(spec);
    if let Some(origin) = &origin {
        graph.set_origin(id, origin.as_str().into());
    }
    for (index, given) in given {
        let source = match given {
            Given::Constant(value) => Source::Constant(value),
            Given::Node(node) => Source::Node(node.id()),
            Given::Function(function) => {
                let callback = callback::spec(shared, spec, index, &function, origin.as_deref())?;
                let source = graph.add(&Rc::new(callback));
                if let Some(origin) = &origin {
                    graph.set_origin(source, origin.as_str().into());
                }
                Source::Node(source)
            }
        };
        graph
            .set(id, index, source)
            .map_err(|error| Error::runtime(error.to_string()))?;
    }
    let kind = graph.kind(id).unwrap_or(spec.output);
    drop(graph);
    Ok(Node::new(shared, id, kind))
}

/// Which input each argument is for: by position, or by name in one table.
fn arguments(spec: &Spec, args: MultiValue) -> mlua::Result<Vec<(usize, Value)>> {
    let args: Vec<Value> = args.into_iter().collect();
    let names = |positional: usize| match args.get(positional) {
        Some(Value::Table(table)) if args.len() == positional + 1 => {
            let takes_list = spec
                .inputs
                .get(positional)
                .is_some_and(|input| takes_list(input.kind));
            is_named(&spec.name, table, takes_list).map(|is_named| is_named.then(|| table.clone()))
        }
        _ => Ok(None),
    };
    let is_self = args.first().and_then(node_in).is_some();
    for positional in 0..=usize::from(is_self) {
        if let Some(table) = names(positional)? {
            let mut found: Vec<_> = args.into_iter().take(positional).enumerate().collect();
            named(spec, &table, positional, &mut found)?;
            return Ok(found);
        }
    }
    if args.len() > spec.inputs.len() {
        return Err(Error::runtime(too_many(spec, args.len())));
    }
    for (index, value) in args.iter().enumerate() {
        if let Value::Table(table) = value
            && !takes_list(spec.inputs[index].kind)
            && has_names(table)
        {
            let text = format!(
                "{}: give the arguments by position, or all by name in one table",
                spec.name
            );
            return Err(Error::runtime(text));
        }
    }
    Ok(args.into_iter().enumerate().collect())
}

fn takes_list(kind: Kind) -> bool {
    matches!(kind, Kind::Vec2 | Kind::Vec3 | Kind::Vec4 | Kind::Color)
}

fn has_names(table: &Table) -> bool {
    table
        .pairs::<Value, Value>()
        .flatten()
        .any(|(key, _)| key.is_string())
}

fn is_named(operator: &str, table: &Table, takes_list: bool) -> mlua::Result<bool> {
    let (has_names, has_list) = (has_names(table), table.raw_len() > 0);
    if has_names && has_list {
        return Err(Error::runtime(format!(
            "{operator}: a table holds a list or names, not both"
        )));
    }
    Ok(has_names || (!has_list && !takes_list))
}

fn named(
    spec: &Spec,
    table: &Table,
    positional: usize,
    found: &mut Vec<(usize, Value)>,
) -> mlua::Result<()> {
    let mut pairs = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let Value::String(key) = key else {
            let text = format!(
                "{}: expected names of arguments, got {}",
                spec.name,
                got(&key)
            );
            return Err(Error::runtime(text));
        };
        pairs.push((key.to_string_lossy(), value));
    }
    // The order of a table's names isn't fixed; errors and nodes come in the order of the inputs.
    pairs.sort_by_key(|(name, _)| spec.inputs.iter().position(|input| input.name == *name));
    for (name, value) in pairs {
        match spec.inputs.iter().position(|input| input.name == name) {
            Some(index) if index < positional => {
                let text = format!(
                    "{}.{name}: given twice, before the colon and by name",
                    spec.name
                );
                return Err(Error::runtime(text));
            }
            Some(index) => found.push((index, value)),
            None => return Err(Error::runtime(no_input(spec, &name))),
        }
    }
    Ok(())
}

fn input_names(spec: &Spec) -> Vec<&str> {
    spec.inputs
        .iter()
        .map(|input| input.name.as_str())
        .collect()
}

fn no_input(spec: &Spec, name: &str) -> String {
    let names = input_names(spec);
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) => format!("; did you mean {near}?"),
        None if names.is_empty() => "; it takes none".to_owned(),
        None => format!("; it takes {}", names.join(", ")),
    };
    format!("{} has no argument {name}{hint}", spec.name)
}

fn too_many(spec: &Spec, count: usize) -> String {
    let names = input_names(spec);
    let takes = match names.len() {
        0 => "no arguments".to_owned(),
        1 => format!("1 argument ({})", names[0]),
        n => format!("{n} arguments ({})", names.join(", ")),
    };
    format!("{} takes {takes}, got {count}", spec.name)
}
