//! The type file from which editors complete and check sketches (luau-lsp).

use std::collections::BTreeMap;
use std::fmt::Write;

use super::help::{Entry, GLOBALS, after_self, by_position, extra_methods, facts};
use super::numbers;
use crate::graph::{InputSpec, Library, Spec};
use crate::value::Kind;

/// The text of `scripts/types/gobo.d.luau`.
#[must_use]
pub fn definitions(library: &Library) -> String {
    let mut out = String::from(
        "-- Made by gobo from its own declarations; do not edit.\n\n\
         type Context = {\n\ttime: number,\n\tbeat: number,\n\tframe: number,\n\tdt: number,\n\ttempo: number,\n\
         \twidth: number,\n\theight: number,\n\taspect: number,\n}\n\n",
    );
    for kind in Kind::ALL {
        if kind != Kind::Any {
            class(&mut out, library, kind, kind.luau());
        }
    }
    aliases(&mut out);
    let mut spaces: BTreeMap<&str, Vec<&Spec>> = BTreeMap::new();
    let mut functions: Vec<&Spec> = Vec::new();
    for spec in library.iter() {
        match spec.name.split_once('.') {
            Some((space, _)) => spaces.entry(space).or_default().push(spec),
            None => functions.push(spec),
        }
    }
    for spec in functions {
        comment(&mut out, "", spec);
        let _ = write!(out, "declare {}: {}", spec.name, value_type(spec));
        // A name may be both: what is called, and a group.
        match spaces.remove(&*spec.name) {
            Some(members) => group(&mut out, " & ", &members),
            None => out.push_str("\n\n"),
        }
    }
    for (space, members) in spaces {
        group(&mut out, &format!("declare {space}: "), &members);
    }
    for entry in GLOBALS
        .iter()
        .filter(|entry| !["print", "require"].contains(&entry.name))
    {
        entry_comment(&mut out, "", entry);
        let _ = writeln!(out, "declare {}: {}\n", entry.name, entry.luau);
    }
    for spec in numbers::all(library) {
        comment(&mut out, "", spec);
        let name = spec.short_name();
        let inputs = spec
            .inputs
            .iter()
            .map(|input| format!("{}: number?", input.name));
        let inputs: Vec<String> = inputs.collect();
        let numbers = format!("({}) -> number", inputs.join(", "));
        let _ = writeln!(out, "declare {name}: ({numbers}) & {}\n", value_type(spec));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The type of a namespace, after what stands before it.
fn group(out: &mut String, before: &str, members: &[&Spec]) {
    let _ = writeln!(out, "{before}{{");
    for spec in members {
        comment(out, "\t", spec);
        let _ = writeln!(out, "\t{}: {},", spec.short_name(), value_type(spec));
    }
    out.push_str("}\n\n");
}

fn class(out: &mut String, library: &Library, kind: Kind, name: &str) {
    let _ = writeln!(out, "declare extern type {name} with");
    for (method, spec) in library.methods(kind) {
        comment(out, "\t", spec);
        let _ = writeln!(out, "\t{method}: {}", method_type(spec, name));
    }
    for entry in extra_methods(kind) {
        entry_comment(out, "\t", entry);
        let _ = writeln!(out, "\t{}: {}", entry.name, entry.luau);
    }
    arithmetic(out, library, kind);
    out.push_str("end\n\n");
}

/// The signs of Lua that stand for operators of a kind.
fn arithmetic(out: &mut String, library: &Library, kind: Kind) {
    use Kind::*;
    const VECTORS: [Kind; 5] = [Vec2, Vec3, Vec4, Color, List];
    let is_number = matches!(kind, Number | Int);
    if !is_number && !VECTORS.contains(&kind) {
        return;
    }
    let spec = |kind: Kind, name: &str| {
        let space = kind.namespace()?;
        library.get(&format!("{space}.{name}"))
    };
    for sign in ["add", "sub", "mul", "div", "mod", "pow", "idiv"] {
        let operator = if sign == "idiv" { "floor" } else { sign };
        let mut sides = vec![(kind, "Signal | IntSignal | number".to_owned())];
        if is_number {
            let others = VECTORS
                .into_iter()
                .map(|kind| (kind, kind.luau().to_owned()));
            sides.extend(others);
        } else {
            sides[0].1 = format!("{} | {}", kind.luau(), sides[0].1);
        }
        for (kind, other) in sides {
            if let Some(spec) = spec(kind, operator) {
                let gives = spec.output.luau();
                let _ = writeln!(out, "\tfunction __{sign}(self, other: {other}): {gives}");
            }
        }
    }
    if let Some(spec) = spec(kind, "neg") {
        let _ = writeln!(out, "\tfunction __unm(self): {}", spec.output.luau());
    }
}

/// A node where there are no inputs, else what it is called with: by position or by name.
fn value_type(spec: &Spec) -> String {
    match spec.inputs.is_empty() {
        true => spec.output.luau().to_owned(),
        false => call_type(None, by_position(spec).0, &spec.inputs, spec.output.luau()),
    }
}

/// What an operator is as a method of a type. One that gives what it is given gives that type.
fn method_type(spec: &Spec, this: &str) -> String {
    let of_any = |input: &InputSpec| input.kind == Kind::Any && !input.is_free;
    let gives = match spec.output {
        Kind::Any if spec.inputs.first().is_some_and(of_any) => this,
        kind => kind.luau(),
    };
    let by_name = spec.inputs.get(1..).unwrap_or_default();
    call_type(Some(this), after_self(spec), by_name, gives)
}

/// The type of a call: by position or by name, and with a list for what takes any number of values.
fn call_type(
    this: Option<&str>,
    by_position: &[InputSpec],
    by_name: &[InputSpec],
    gives: &str,
) -> String {
    let this: Vec<String> = this.iter().map(|name| format!("self: {name}")).collect();
    let function =
        |inputs: &[String]| format!("({}) -> {gives}", [&this, inputs].concat().join(", "));
    let positional: Vec<String> = by_position.iter().map(parameter).collect();
    let mut calls = vec![function(&positional)];
    if let [before @ .., many] = by_position
        && many.is_many
    {
        let list = format!("{}: {}", many.name, list_type(many));
        let before = before.iter().map(parameter);
        calls.push(function(&before.chain([list]).collect::<Vec<_>>()));
    }
    if !by_name.is_empty() {
        let fields = by_name.iter().map(|input| match input.is_many {
            true => format!("{}: {}?", input.name, list_type(input)),
            false => parameter(input),
        });
        let fields: Vec<String> = fields.collect();
        calls.push(function(&[format!("inputs: {{ {} }}", fields.join(", "))]));
    }
    match calls.as_slice() {
        [call] => call.clone(),
        calls => {
            let calls: Vec<String> = calls.iter().map(|call| format!("({call})")).collect();
            calls.join(" & ")
        }
    }
}

fn parameter(input: &InputSpec) -> String {
    match input.is_many {
        true => format!("...{}", input_type(input)),
        false => format!("{}: {}?", input.name, input_type(input)),
    }
}

fn list_type(input: &InputSpec) -> String {
    format!("{{ {} }}", input_type(input))
}

fn input_type(input: &InputSpec) -> String {
    if input.kind != Kind::Choice {
        return alias(input.kind).0.to_owned();
    }
    let choices: Vec<_> = input
        .choices
        .iter()
        .map(|choice| format!("\"{choice}\""))
        .collect();
    let choices = choices.join(" | ");
    format!("({choices} | TextSignal | ((ctx: Context) -> ({choices})))")
}

/// The name of what an input of that kind takes, and the constants among it.
fn alias(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Number => ("NumberInput", "number | IntSignal"),
        Kind::Int => ("IntInput", "number"),
        Kind::Bool => ("BoolInput", "boolean"),
        Kind::Text | Kind::Choice => ("TextInput", "string"),
        Kind::Vec2 => ("Vec2Input", "number | Signal | { number }"),
        Kind::Vec3 => ("Vec3Input", "number | Signal | vector | { number }"),
        Kind::Vec4 => ("Vec4Input", "number | Signal | ColorSignal | { number }"),
        Kind::Color => (
            "ColorInput",
            "string | number | Signal | Vec3Signal | Vec4Signal | { number }",
        ),
        Kind::Quaternion => ("QuaternionInput", "{ number }"),
        Kind::Mat4 => ("Mat4Input", "{ number }"),
        Kind::List => ("ListInput", "number | Signal | { number }"),
        other => (other.luau(), ""),
    }
}

fn aliases(out: &mut String) {
    for kind in Kind::ALL {
        let (name, constants) = alias(kind);
        if !constants.is_empty() && kind != Kind::Choice {
            let signal = kind.luau();
            let _ = writeln!(
                out,
                "type {name} = {constants} | {signal} | ((ctx: Context) -> ({constants}))"
            );
        }
    }
    out.push('\n');
}

fn comment(out: &mut String, indent: &str, spec: &Spec) {
    for line in spec.doc.trim().lines() {
        let _ = writeln!(out, "{indent}--- {line}");
    }
    for input in &spec.inputs {
        let doc = input.doc.trim().replace('\n', " ");
        let _ = writeln!(
            out,
            "{indent}--- @param {} {doc} ({})",
            input.name,
            facts(input)
        );
    }
    trim_comments(out);
}

fn entry_comment(out: &mut String, indent: &str, entry: &Entry) {
    for line in entry.doc.lines() {
        let _ = writeln!(out, "{indent}--- {line}");
    }
    trim_comments(out);
}

/// An empty comment line has no blank at its end.
fn trim_comments(out: &mut String) {
    while let Some(at) = out.find("--- \n") {
        out.replace_range(at..at + 5, "---\n");
    }
}
