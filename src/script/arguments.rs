//! Which input each argument of a call is for: by position, or by name in one table.

use mlua::{Error, MultiValue, Table, Value};

use super::convert::{got, items, takes_list};
use super::node::node_in;
use crate::graph::{InputSpec, Spec, nearest};

/// What was given for an input.
pub(crate) enum Argument {
    /// A value.
    One(Value),
    /// Values in order, for an input that takes any number of them.
    Many(Vec<Value>),
}

/// Which input each argument is for. An input that takes any number of values takes the rest by position, or a list.
pub(crate) fn arguments(spec: &Spec, args: MultiValue) -> mlua::Result<Vec<(usize, Argument)>> {
    let args: Vec<Value> = args.into_iter().collect();
    let names = |positional: usize| match args.get(positional) {
        Some(Value::Table(table)) if args.len() == positional + 1 => {
            let takes_list = spec
                .inputs
                .get(positional)
                .is_some_and(|input| input.is_many || takes_list(input.kind));
            is_named(&spec.name, table, takes_list).map(|is_named| is_named.then(|| table.clone()))
        }
        _ => Ok(None),
    };
    let is_self = args.first().and_then(node_in).is_some();
    for positional in 0..=usize::from(is_self) {
        if let Some(table) = names(positional)? {
            let before = args.into_iter().take(positional);
            let mut found: Vec<_> = before.map(Argument::One).enumerate().collect();
            named(spec, &table, positional, &mut found)?;
            return Ok(found);
        }
    }
    let many = spec.inputs.iter().position(|input| input.is_many);
    let by_one = many.unwrap_or(spec.inputs.len());
    if many.is_none() && args.len() > by_one {
        return Err(Error::runtime(too_many(spec, args.len())));
    }
    let is_mixed = |(index, value): (usize, &Value)| match value {
        Value::Table(table) => {
            !spec
                .inputs
                .get(index)
                .is_some_and(|input| takes_list(input.kind))
                && has_names(table)
        }
        _ => false,
    };
    if args.iter().enumerate().any(is_mixed) {
        let text = format!(
            "{}: give the arguments by position, or all by name in one table",
            spec.name
        );
        return Err(Error::runtime(text));
    }
    let mut args = args.into_iter();
    let first = args.by_ref().take(by_one).map(Argument::One);
    let mut found: Vec<_> = first.enumerate().collect();
    if let Some(many) = many {
        let rest: Vec<Value> = args.collect();
        if !rest.is_empty() {
            found.push((many, several(&spec.inputs[many], rest)?));
        }
    }
    Ok(found)
}

/// The values for an input that takes any number of them: one list of them, or each by itself.
fn several(input: &InputSpec, values: Vec<Value>) -> mlua::Result<Argument> {
    if let [Value::Table(list)] = values.as_slice() {
        let first: Value = list.raw_get(1)?;
        let is_one = takes_list(input.kind) && first.is_number();
        if !is_one && !has_names(list) {
            return items(list).collect::<mlua::Result<_>>().map(Argument::Many);
        }
    }
    Ok(Argument::Many(values))
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
    found: &mut Vec<(usize, Argument)>,
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
            Some(index) if spec.inputs[index].is_many => {
                found.push((index, several(&spec.inputs[index], vec![value])?));
            }
            Some(index) => found.push((index, Argument::One(value))),
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
