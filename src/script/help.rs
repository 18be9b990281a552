//! What there is, for `help` and the prompt's completion.

mod describe;
mod entries;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

use super::numbers;
use crate::graph::{Library, Spec, nearest};
use crate::value::Kind;

pub(crate) use describe::{
    after_self, by_position, calls, default, facts, gives, notes, range, summary, takes,
};
pub(crate) use entries::{Entry, GLOBALS, extra_methods};

/// Every global name, namespaces included.
pub(crate) fn globals(library: &Library) -> Vec<String> {
    let operators = library
        .iter()
        .map(|spec| spec.name.split('.').next().unwrap_or_default());
    let mut names: Vec<String> = operators
        .chain(GLOBALS.iter().map(|entry| entry.name))
        .chain(numbers::all(library).map(|spec| spec.short_name()))
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Names that a prompt can complete.
#[derive(Debug, Clone, Default)]
pub struct Completions {
    /// Global names: functions, nodes and namespaces.
    pub globals: Vec<String>,
    /// The members of each namespace, such as `low` in `audio`.
    pub members: BTreeMap<String, Vec<String>>,
    /// The methods of each kind by its name, such as `picture`.
    pub methods: BTreeMap<String, Vec<String>>,
}

impl Completions {
    pub(crate) fn of(library: &Library) -> Self {
        let mut members: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for spec in library.iter() {
            if let Some((space, name)) = spec.name.split_once('.') {
                members
                    .entry(space.to_owned())
                    .or_default()
                    .push(name.to_owned());
            }
        }
        let methods = Kind::ALL.into_iter().map(|kind| {
            let names = library.methods(kind).into_keys();
            let mut names: Vec<String> = names
                .chain(extra_methods(kind).map(|m| m.name))
                .map(str::to_owned)
                .collect();
            names.sort();
            (kind.name().to_owned(), names)
        });
        Self {
            globals: globals(library),
            members,
            methods: methods.collect(),
        }
    }
}

/// What `help(name)` says: of an operator by its full name, of a method, a group, or a function.
#[must_use]
pub fn reference(library: &Library, name: &str) -> Option<String> {
    let mut numbers = numbers::all(library);
    let number = || numbers.find(|spec| spec.short_name() == name);
    if let Some(spec) = library.get(name).or_else(number) {
        let others = library
            .iter()
            .filter(|other| other.short_name() == name && other.name != spec.name);
        let others: Vec<&str> = others.map(|other| other.name.as_str()).collect();
        let also = if others.is_empty() {
            String::new()
        } else {
            format!("\n\nalso: {}", others.join(", "))
        };
        let group = library.iter().filter(|spec| space(spec) == Some(name));
        let group = members(group).map(|members| format!("\n\n{name} also has\n{members}"));
        return Some(of_spec(spec) + &also + &group.unwrap_or_default());
    }
    let methods = Kind::ALL.into_iter().flat_map(extra_methods);
    if let Some(entry) = GLOBALS
        .iter()
        .chain(methods)
        .find(|entry| entry.name == name)
    {
        return Some(format!("{}\n{}", entry.call, entry.doc));
    }
    let group = groups(library).remove(name).unwrap_or_default();
    if let Some(members) = members(group.into_iter()) {
        return Some(format!("{name}\n{members}"));
    }
    let methods: Vec<_> = library
        .iter()
        .filter(|spec| spec.short_name() == name)
        .map(|spec| of_spec(spec))
        .collect();
    (!methods.is_empty()).then(|| methods.join("\n\n"))
}

/// The part of an operator's name before the dot.
fn space(spec: &Spec) -> Option<&str> {
    spec.name.split_once('.').map(|(space, _)| space)
}

/// Operators by what they are looked for under: the part of the name before the dot, or the category of those
/// without one.
pub(crate) fn groups(library: &Library) -> BTreeMap<&str, Vec<&Rc<Spec>>> {
    let mut groups: BTreeMap<&str, Vec<&Rc<Spec>>> = BTreeMap::new();
    for spec in library.iter() {
        let group = space(spec).unwrap_or(&spec.category);
        groups.entry(group).or_default().push(spec);
    }
    groups
}

/// What a group has, a line each.
fn members<'a>(group: impl Iterator<Item = &'a Rc<Spec>>) -> Option<String> {
    let lines: Vec<String> = group
        .map(|spec| summary_line(&spec.name, &spec.doc))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// What isn't an operator, by the group it is shown in: what a sketch calls, and methods.
pub(crate) fn entries() -> [(&'static str, Vec<&'static Entry>); 2] {
    let mut methods: Vec<&Entry> = Kind::ALL.into_iter().flat_map(extra_methods).collect();
    methods.sort_by_key(|entry| entry.name);
    methods.dedup_by_key(|entry| entry.name);
    [("sketch", GLOBALS.iter().collect()), ("methods", methods)]
}

/// What there is, a line each, by group.
#[must_use]
pub fn listing(library: &Library) -> String {
    let operators = groups(library).into_iter().map(|(group, specs)| {
        let lines = specs.iter().map(|spec| summary_line(&spec.name, &spec.doc));
        (group, lines.collect())
    });
    let others = entries().into_iter().map(|(group, entries)| {
        let lines = entries
            .iter()
            .map(|entry| summary_line(entry.name, entry.doc));
        (group, lines.collect())
    });
    let groups: Vec<(&str, Vec<String>)> = operators.chain(others).collect();
    let groups = groups
        .iter()
        .map(|(group, lines)| format!("{group}\n{}", lines.join("\n")));
    groups.collect::<Vec<_>>().join("\n\n")
}

/// How wide the list of all names may be.
const WIDTH: usize = 100;

/// What `help()` says: all names by group, and how to ask for more.
pub(crate) fn overview(library: &Library) -> String {
    let short = |spec: &Rc<Spec>| spec.short_name().to_owned();
    let operators = groups(library)
        .into_iter()
        .map(|(group, specs)| (group, specs.into_iter().map(short).collect()));
    let numbers = numbers::all(library).map(short).collect();
    let others = entries().into_iter().map(|(group, entries)| {
        let names = entries.iter().map(|entry| entry.name.to_owned());
        (group, names.collect())
    });
    let groups: Vec<(&str, Vec<String>)> = operators
        .chain([("numbers", numbers)])
        .chain(others)
        .collect();
    let indent = groups
        .iter()
        .map(|(group, _)| group.len())
        .max()
        .unwrap_or(0)
        + 2;
    let mut text = String::new();
    for (group, names) in groups {
        let _ = write!(text, "{group:<indent$}");
        let mut column = indent;
        for (index, name) in names.iter().enumerate() {
            if index > 0 && column + 1 + name.len() > WIDTH {
                let _ = write!(text, "\n{:indent$}", "");
                column = indent;
            } else if index > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(name);
            column += name.len();
        }
        text.push('\n');
    }
    text + "\nhelp(lfo) lists a group, help(osc) and help(\"color.mix\") say all about one"
}

/// The name that is near one that doesn't exist, when one is.
#[must_use]
pub fn suggestion(library: &Library, name: &str) -> Option<String> {
    let full = library.iter().map(|spec| spec.name.clone());
    let short = library.iter().map(|spec| spec.short_name().to_owned());
    let known: Vec<String> = full.chain(short).chain(globals(library)).collect();
    nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
}

fn summary_line(name: &str, doc: &str) -> String {
    format!("  {name:<20} {}", summary(doc))
}

/// All about one operator.
pub(crate) fn of_spec(spec: &Spec) -> String {
    let calls = calls(spec);
    let mut calls = calls.iter();
    let first = calls.next().map_or("", String::as_str);
    let mut text = format!("{first} -> {}", gives(spec));
    for call in calls {
        let _ = write!(text, "\n{call}");
    }
    let _ = write!(text, "\n{}", spec.doc.trim());
    if spec.inputs.is_empty() {
        return text;
    }
    text.push('\n');
    let names = spec.inputs.iter().map(|input| input.name.chars().count());
    let width = names.max().unwrap_or(0);
    for input in &spec.inputs {
        let _ = write!(
            text,
            "\n  {:<width$}  {:<28}  {}",
            input.name,
            facts(input),
            input.doc.trim().replace('\n', " ")
        );
    }
    text
}
