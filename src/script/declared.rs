//! `operator{ … }`: an operator that a sketch declares, with inputs, documentation and state like any other.

use std::rc::Rc;

use mlua::{Error, Function, Lua, MultiValue, Table, Value as LuaValue};

use super::callback;
use super::construct::constructor;
use super::convert::{constant, got, is_plain, number};
use super::plain::Plain;
use super::shared::{Shared, place};
use crate::graph::{InputSpec, Spec, nearest};
use crate::value::{Kind, Value};

/// What the table of `operator` may have.
const FIELDS: [&str; 6] = ["name", "doc", "inputs", "output", "state", "update"];
/// What the table of one input may have, besides its name and default by position.
const INPUT_FIELDS: [&str; 8] = [
    "name", "default", "kind", "min", "max", "doc", "choices", "is_rate",
];

/// What an input is written as.
const EXAMPLE: &str = "{ \"amount\", 0.5, min = 0, max = 1 }";

/// Makes the function that makes nodes of a new operator.
pub(crate) fn operator(lua: &Lua, shared: &Rc<Shared>, args: MultiValue) -> mlua::Result<Function> {
    let table = match (args.front(), args.len()) {
        (Some(LuaValue::Table(table)), 1) => table,
        (Some(value), _) => {
            return wrong(format!("operator: expected one table, got {}", got(value)));
        }
        (None, _) => {
            let example = "operator{ name = \"half\", inputs = { { \"value\", 0 } }, update = function(self, ctx) return self.value / 2 end }";
            return wrong(format!("operator: expected a table, such as {example}"));
        }
    };
    only(table, &FIELDS, "operator", 0)?;
    let name = name(shared, table)?;
    let inputs = inputs(&name, table)?;
    let output = kind_field(table, "output", &name)?.unwrap_or(Kind::Number);
    let what = input(&name, output, None);
    let state = match table.raw_get("state")? {
        LuaValue::Nil => None,
        LuaValue::Table(state) => Some(Plain::of_table(&state)),
        other => {
            return wrong(format!(
                "{name}.state: expected a table, got {}",
                got(&other)
            ));
        }
    };
    if let Some(state) = &state
        && let Some(input) = inputs.iter().find(|input| state.has(&input.name))
    {
        let input = &input.name;
        return wrong(format!("{name}.state: {input} is an input, too"));
    }
    let update = match table.raw_get("update")? {
        LuaValue::Function(update) => update,
        other => {
            return wrong(format!(
                "{name}.update: expected a function, got {}",
                got(&other)
            ));
        }
    };
    let origin = place(lua).map(|(file, line)| format!("{file}:{line}"));
    let is_stepped = state.is_some();
    let declared = (name.as_str(), inputs.as_slice(), what);
    let make = callback::update(shared, &update, declared, origin.as_deref(), state)?;
    let spec = Rc::new(Spec {
        doc: text(table, "doc", &name)?.unwrap_or_else(|| "An operator of the sketch.".into()),
        name,
        category: "sketch".into(),
        inputs,
        output,
        is_stepped,
        make,
    });
    shared.scope()?.declare(&spec);
    constructor(lua, shared, &spec)
}

fn wrong<R>(text: String) -> mlua::Result<R> {
    Err(Error::runtime(text))
}

/// Fails on a name that a table may not have; so many items by position are allowed.
fn only(table: &Table, fields: &[&str], of: &str, positional: usize) -> mlua::Result<()> {
    for pair in table.pairs::<LuaValue, LuaValue>() {
        let (key, _) = pair?;
        match &key {
            LuaValue::String(name) => {
                let name = name.to_string_lossy();
                if !fields.contains(&name.as_str()) {
                    let hint = match nearest(&name, fields.iter().copied()) {
                        Some(near) => format!("did you mean {near}?"),
                        None => format!("it takes {}", fields.join(", ")),
                    };
                    return wrong(format!("{of} has no {name}; {hint}"));
                }
            }
            key if number(key).is_some_and(|n| n <= positional as f64) => {}
            key => return wrong(format!("{of}: expected names, got {}", got(key))),
        }
    }
    Ok(())
}

fn text(table: &Table, field: &str, of: &str) -> mlua::Result<Option<String>> {
    match table.raw_get(field)? {
        LuaValue::Nil => Ok(None),
        LuaValue::String(text) => Ok(Some(text.to_string_lossy())),
        other => wrong(format!(
            "{of}.{field}: expected string, got {}",
            got(&other)
        )),
    }
}

/// The name of the operator: a word, or two with a dot between them.
fn name(shared: &Shared, table: &Table) -> mlua::Result<String> {
    let Some(name) = text(table, "name", "operator")? else {
        return wrong("operator.name: expected string, got nil".into());
    };
    let is_word = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .is_some_and(|c| c.is_ascii_lowercase() || c == '_')
            && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    if name.split('.').count() > 2 || !name.split('.').all(is_word) {
        return wrong(format!(
            "operator.name: expected a word of small letters such as \"half\" or \"my.half\", got \"{name}\""
        ));
    }
    match shared.library.borrow().get(&name) {
        Some(_) => wrong(format!("operator.name: {name} is an operator already")),
        None => Ok(name),
    }
}

/// A kind by the name that messages use for it.
fn kind_field(table: &Table, field: &str, of: &str) -> mlua::Result<Option<Kind>> {
    let Some(given) = text(table, field, of)? else {
        return Ok(None);
    };
    let known = Kind::ALL.into_iter().filter(|kind| is_plain(*kind));
    let found = known
        .clone()
        .find(|kind| kind.name() == given || (*kind == Kind::Color && given == "color"));
    match found {
        Some(kind) => Ok(Some(kind)),
        None => {
            let names: Vec<&str> = known.map(Kind::name).collect();
            wrong(format!(
                "{of}.{field}: expected one of {}, got string \"{given}\"",
                names.join(", ")
            ))
        }
    }
}

fn input(name: &str, kind: Kind, range: Option<std::ops::RangeInclusive<f64>>) -> InputSpec {
    InputSpec {
        name: name.into(),
        kind,
        default: Value::empty(kind),
        range,
        choices: Vec::new(),
        is_rate: false,
        is_free: false,
        is_many: false,
        is_optional: false,
        doc: String::new(),
    }
}

fn inputs(operator: &str, table: &Table) -> mlua::Result<Vec<InputSpec>> {
    let list = match table.raw_get("inputs")? {
        LuaValue::Nil => return Ok(Vec::new()),
        LuaValue::Table(list) => list,
        other => {
            return wrong(format!(
                "{operator}.inputs: expected a list, got {}",
                got(&other)
            ));
        }
    };
    for pair in list.pairs::<LuaValue, LuaValue>() {
        if let (LuaValue::String(name), _) = pair? {
            let name = name.to_string_lossy();
            return wrong(format!(
                "{operator}.inputs: expected a list of tables such as {EXAMPLE}, got the name {name}"
            ));
        }
    }
    only(&list, &[], &format!("{operator}.inputs"), list.raw_len())?;
    let mut inputs: Vec<InputSpec> = Vec::new();
    for item in list.sequence_values::<LuaValue>() {
        let item = match item? {
            LuaValue::Table(item) => item,
            other => {
                return wrong(format!(
                    "{operator}.inputs: expected a table such as {EXAMPLE}, got {}",
                    got(&other)
                ));
            }
        };
        let input = one_input(operator, &item)?;
        if inputs.iter().any(|known| known.name == input.name) {
            return wrong(format!("{operator}.inputs: {} is there twice", input.name));
        }
        inputs.push(input);
    }
    Ok(inputs)
}

/// One input from `{ name, default, kind =, min =, max =, doc =, choices =, is_rate = }`.
fn one_input(operator: &str, item: &Table) -> mlua::Result<InputSpec> {
    only(item, &INPUT_FIELDS, &format!("{operator}.inputs"), 2)?;
    let by_position: LuaValue = item.raw_get(1)?;
    let name = match by_position {
        LuaValue::String(name) => name.to_string_lossy(),
        LuaValue::Nil => text(item, "name", &format!("{operator}.inputs"))?
            .ok_or_else(|| Error::runtime(format!("{operator}.inputs: an input has no name")))?,
        other => {
            return wrong(format!(
                "{operator}.inputs: expected a name, got {}",
                got(&other)
            ));
        }
    };
    let full = format!("{operator}.{name}");
    let default = match item.raw_get(2)? {
        LuaValue::Nil => item.raw_get("default")?,
        default => default,
    };
    let choices = choices(item, &full)?;
    let kind = kind_field(item, "kind", &full)?;
    let kind = kind.unwrap_or_else(|| match &default {
        _ if !choices.is_empty() => Kind::Choice,
        LuaValue::Boolean(_) => Kind::Bool,
        LuaValue::String(text) if text.as_bytes().starts_with(b"#") => Kind::Color,
        LuaValue::String(_) => Kind::Text,
        LuaValue::Vector(_) => Kind::Vec3,
        LuaValue::Table(list) => match list.raw_len() {
            2 => Kind::Vec2,
            3 => Kind::Vec3,
            4 => Kind::Vec4,
            _ => Kind::List,
        },
        _ => Kind::Number,
    });
    let bound = |field: &str| match item.raw_get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(None),
        value => match number(&value).filter(|n| n.is_finite()) {
            Some(n) => Ok(Some(n)),
            None => wrong(format!(
                "{full}.{field}: expected number, got {}",
                got(&value)
            )),
        },
    };
    let range = match (bound("min")?, bound("max")?) {
        (Some(min), Some(max)) if min <= max => Some(min..=max),
        (None, None) => None,
        _ => return wrong(format!("{full}: expected min and max, with min below max")),
    };
    let mut input = input(&name, kind, range);
    input.doc = text(item, "doc", &full)?.unwrap_or_else(|| "An input of the sketch.".into());
    input.is_rate = match item.raw_get("is_rate")? {
        LuaValue::Nil => false,
        LuaValue::Boolean(is_rate) => is_rate,
        other => {
            return wrong(format!(
                "{full}.is_rate: expected boolean, got {}",
                got(&other)
            ));
        }
    };
    input.choices = choices;
    if kind == Kind::Choice && input.choices.is_empty() {
        return wrong(format!("{full}: a choice needs choices"));
    }
    if input.is_rate && kind != Kind::Number {
        return wrong(format!("{full}: only a number can be a rate"));
    }
    input.default = match default {
        LuaValue::Nil => match input.choices.first() {
            Some(first) => Value::Text(first.as_str().into()),
            None => Value::empty(kind),
        },
        default => constant(&input, &default)
            .map_err(|why| Error::runtime(format!("{full}.default: {why}")))?,
    };
    Ok(input)
}

/// The names that an input can be.
fn choices(item: &Table, of: &str) -> mlua::Result<Vec<String>> {
    let given: LuaValue = item.raw_get("choices")?;
    let list = match &given {
        LuaValue::Nil => return Ok(Vec::new()),
        LuaValue::Table(list) => list.sequence_values::<LuaValue>(),
        _ => return Err(no_choices(of, &given)),
    };
    list.map(|choice| match choice? {
        LuaValue::String(choice) => Ok(choice.to_string_lossy()),
        _ => Err(no_choices(of, &given)),
    })
    .collect()
}

fn no_choices(of: &str, given: &LuaValue) -> Error {
    let got = got(given);
    Error::runtime(format!(
        "{of}.choices: expected a list of strings, got {got}"
    ))
}
