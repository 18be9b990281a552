//! Functions of numbers that take signals too: `sin(time)` is a signal, `sin(1)` a number.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::construct;
use super::error::OWN;
use crate::graph::{Library, Spec};
use crate::value::Value;

/// The operators of `num` that go by their short name, too. `scripts/signals.lua` has the formula of each that isn't
/// one of Lua's.
const NAMES: [&str; 24] = [
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "ceil",
    "clamp",
    "cos",
    "exp",
    "floor",
    "fract",
    "lerp",
    "log",
    "max",
    "min",
    "mod",
    "pow",
    "round",
    "sign",
    "sin",
    "smoothstep",
    "sqrt",
    "step",
    "tan",
];

/// The operators that are functions of numbers.
pub(crate) fn all(library: &Library) -> impl Iterator<Item = &Rc<Spec>> {
    let find = |name| library.get(&format!("num.{name}"));
    NAMES.into_iter().filter_map(find)
}

/// Whether an operator is a function of numbers, too.
pub(crate) fn contains(spec: &Spec) -> bool {
    let name = spec.name.strip_prefix("num.");
    name.is_some_and(|name| NAMES.contains(&name))
}

/// Puts the functions of numbers into `base`.
pub(crate) fn install(lua: &Lua, base: &Table, library: &Library) -> mlua::Result<()> {
    let defaults = lua.create_table()?;
    for spec in all(library) {
        let of_inputs = spec.inputs.iter().map(|input| match input.default {
            Value::Number(number) => number,
            _ => 0.0,
        });
        defaults.raw_set(spec.short_name(), lua.create_sequence_from(of_inputs)?)?;
    }
    let text = include_str!("../../scripts/signals.lua");
    let chunk = lua.load(text).set_name(format!("={OWN}"));
    chunk.call::<()>((base, defaults))?;
    for spec in all(library) {
        let name = spec.short_name();
        construct::name(lua, &base.raw_get(name)?, name)?;
    }
    Ok(())
}
