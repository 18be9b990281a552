//! How an operator is told: its calls, what it gives, and what its inputs take.

use super::super::node::kind_name;
use super::super::numbers;
use crate::graph::{InputSpec, Spec};
use crate::value::{Kind, Value};

/// How an operator is called, a line each: as a function, as a method, by name where not all goes by position.
pub(crate) fn calls(spec: &Spec) -> Vec<String> {
    let call = |name: &str, inputs: &[InputSpec]| {
        let names: Vec<String> = inputs.iter().map(argument).collect();
        format!("{name}({})", names.join(", "))
    };
    if spec.inputs.is_empty() {
        return vec![spec.name.clone()];
    }
    let (by_position, by_name) = by_position(spec);
    let mut calls = vec![call(&spec.name, by_position)];
    if let Some(first) = by_position.first().filter(|_| is_method(spec)) {
        let value = match first.is_many {
            true => first.kind.namespace().unwrap_or(&first.name),
            false => &first.name,
        };
        let name = format!("{value}:{}", spec.short_name());
        calls.push(call(&name, after_self(spec)));
    }
    if !by_name.is_empty() {
        let given = spec.inputs.iter().map(|input| match input.is_many {
            true => format!("{} = {{…}}", input.name),
            false => format!("{} = …", input.name),
        });
        let given: Vec<String> = given.collect();
        calls.push(format!("{}{{ {} }}", spec.name, given.join(", ")));
    }
    if numbers::contains(spec) {
        let call = call(spec.short_name(), by_position);
        calls.push(format!("{call} -- a number where only numbers are given"));
    }
    calls
}

/// The inputs that go by position, and those that go by name only: what comes after one that takes all the rest.
pub(crate) fn by_position(spec: &Spec) -> (&[InputSpec], &[InputSpec]) {
    let many = spec.inputs.iter().position(|input| input.is_many);
    let count = many.map_or(spec.inputs.len(), |many| many + 1);
    spec.inputs
        .split_at_checked(count)
        .unwrap_or((&spec.inputs, &[]))
}

/// The inputs that go by position after the value before the colon, which may be the first of many.
pub(crate) fn after_self(spec: &Spec) -> &[InputSpec] {
    match by_position(spec).0 {
        [first, rest @ ..] if !first.is_many => rest,
        all => all,
    }
}

/// Whether an operator is also a method of what its first input takes.
fn is_method(spec: &Spec) -> bool {
    let Some(first) = spec.inputs.first() else {
        return false;
    };
    // What a sketch brings along is called by the name that the sketch gives it.
    let is_ours = spec.category != "sketch";
    let space = spec.name.split_once('.').map(|(space, _)| space);
    let mut kinds = Kind::ALL.into_iter();
    let of_any = first.kind == Kind::Any && space.is_none();
    is_ours && (of_any || kinds.any(|kind| kind.namespace() == space && first.kind.accepts(kind)))
}

fn argument(input: &InputSpec) -> String {
    let more = if input.is_many { "…" } else { "" };
    format!("{}{more}", input.name)
}

/// What an operator gives, such as `number signal`, or `of the kind of source`.
pub(crate) fn gives(spec: &Spec) -> String {
    let of: Vec<&str> = spec
        .inputs
        .iter()
        .filter(|input| input.kind == Kind::Any && !input.is_free)
        .map(|input| input.name.as_str())
        .collect();
    match spec.output {
        Kind::Any if !of.is_empty() => format!("of the kind of {}", of.join(" and ")),
        kind => kind_name(kind),
    }
}

/// What an input takes: `number`, `any kind`, `one of up, down`.
pub(crate) fn takes(input: &InputSpec) -> String {
    match input.kind {
        Kind::Any => "any kind".to_owned(),
        Kind::Choice => format!("one of {}", input.choices.join(", ")),
        kind => kind.name().to_owned(),
    }
}

/// What is special about an input.
pub(crate) fn notes(input: &InputSpec) -> impl Iterator<Item = &'static str> {
    let notes = [
        (input.is_rate, "per second"),
        (input.is_many, "any number of them"),
        (input.is_optional, "optional"),
    ];
    notes
        .into_iter()
        .filter_map(|(is_so, note)| is_so.then_some(note))
}

/// What an input has when nothing is given, where a sketch can write that down.
pub(crate) fn default(input: &InputSpec) -> Option<String> {
    use Value::*;
    let is_written = matches!(
        input.default,
        Number(_)
            | Int(_)
            | Bool(_)
            | Text(_)
            | Vec2(_)
            | Vec3(_)
            | Vec4(_)
            | Color(_)
            | Quaternion(_)
            | List(_)
    );
    let is_given = is_written && !input.is_many && !input.is_optional;
    is_given.then(|| input.default.to_string())
}

/// The range that makes sense for an input.
pub(crate) fn range(input: &InputSpec) -> Option<String> {
    let range = input.range.as_ref()?;
    Some(format!("{}..{}", range.start(), range.end()))
}

/// An input in a few words: `number 60, 0..200`.
pub(crate) fn facts(input: &InputSpec) -> String {
    let takes = takes(input);
    let first = match (default(input), input.kind) {
        (Some(default), Kind::Choice) => format!("{default} of {}", input.choices.join(", ")),
        (Some(default), kind) if kind != Kind::Any => format!("{takes} {default}"),
        _ => takes,
    };
    let notes = notes(input).map(str::to_owned);
    let facts: Vec<String> = [first]
        .into_iter()
        .chain(range(input))
        .chain(notes)
        .collect();
    facts.join(", ")
}

/// The first sentence of a documentation, in one line.
pub(crate) fn summary(doc: &str) -> String {
    let paragraph = doc.trim().split("\n\n").next().unwrap_or_default();
    let line = paragraph.replace('\n', " ");
    // A stop within a sentence, as in `Rec. 709`, has no capital after it.
    let mut stops = line.match_indices(". ").map(|(at, _)| at);
    let end = stops.find(|at| line[at + 2..].starts_with(char::is_uppercase));
    match end {
        Some(end) => line[..=end].to_owned(),
        None => line,
    }
}
