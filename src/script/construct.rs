//! A call of an operator's name becomes a node.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{AnyUserData, Error, Function, Lua, MultiValue, Table, Value};

use super::arguments::{Argument, arguments};
use super::callback;
use super::convert::{Given, convert, input_name};
use super::node::Node;
use super::shared::{Shared, place};
use crate::graph::{NodeId, Source, Spec};

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
    for (index, values) in arguments(spec, args)? {
        let input = &spec.inputs[index];
        let read = |value: &Value| {
            convert(input, value, |function| name_of(lua, function))
                .map_err(|why| Error::runtime(format!("{}: {why}", input_name(spec, input))))
        };
        let value = match values {
            Argument::One(value) => read(&value)?,
            Argument::Many(values) => {
                Given::Many(values.iter().map(read).collect::<mlua::Result<_>>()?)
            }
        };
        given.push((index, value));
    }
    let busy = |_| {
        let text = format!(
            "{}: no nodes can be made inside a function that is an argument",
            spec.name
        );
        Error::runtime(text)
    };
    let origin: Option<Arc<str>> = place(lua).map(|(file, line)| format!("{file}:{line}").into());
    let id = shared.graph.try_borrow_mut().map_err(busy)?.add(spec);
    let made = Made {
        lua,
        shared,
        spec,
        origin,
    };
    made.note_origin(id);
    for (index, given) in given {
        let (source, nodes) = made.source(index, given)?;
        let mut graph = shared.graph.try_borrow_mut().map_err(busy)?;
        graph
            .set(id, index, source)
            .map_err(|error| Error::runtime(error.to_string()))?;
        drop(graph);
        drop(nodes);
    }
    let kind = shared.graph.borrow().kind(id).unwrap_or(spec.output);
    Ok(Node::new(shared, id, kind))
}

/// The node that is being made.
struct Made<'a> {
    lua: &'a Lua,
    shared: &'a Rc<Shared>,
    spec: &'a Rc<Spec>,
    origin: Option<Arc<str>>,
}

impl Made<'_> {
    fn note_origin(&self, id: NodeId) {
        if let Some(origin) = &self.origin {
            self.shared
                .graph
                .borrow_mut()
                .set_origin(id, origin.clone());
        }
    }

    /// What feeds an input, with the nodes that must not end before it does.
    fn source(&self, index: usize, given: Given) -> mlua::Result<(Source, Vec<Node>)> {
        Ok(match given {
            Given::Constant(value) => (Source::Constant(value), Vec::new()),
            Given::Node(node) => (Source::Node(node.id()), vec![node]),
            Given::Function(function) => {
                let origin = self.origin.as_deref();
                let callback = callback::spec(self.shared, self.spec, index, &function, origin)?;
                let id = self.shared.graph.borrow_mut().add(&Rc::new(callback));
                self.note_origin(id);
                (Source::Node(id), Vec::new())
            }
            Given::Composed(operator, items) => {
                let spec = self.shared.library.borrow().get(operator).cloned();
                let spec = spec.ok_or_else(|| Error::runtime(format!("there is no {operator}")))?;
                let node = construct(self.lua, self.shared, &spec, items.into_iter().collect())?;
                (Source::Node(node.id()), vec![node])
            }
            Given::Many(items) => {
                let (mut sources, mut nodes) = (Vec::new(), Vec::new());
                for item in items {
                    let (source, more) = self.source(index, item)?;
                    sources.push(source);
                    nodes.extend(more);
                }
                (Source::Many(sources.into()), nodes)
            }
        })
    }
}
