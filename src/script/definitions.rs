//! The type file from which editors complete and check sketches (luau-lsp).

use std::collections::BTreeMap;
use std::fmt::Write;

use super::help::{Entry, GLOBALS, extra_methods, facts};
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
        let rest = spec.inputs.get(1..).unwrap_or_default();
        let _ = writeln!(
            out,
            "\t{method}: {}",
            call_type(rest, Some(name), output(spec))
        );
    }
    for entry in extra_methods(kind) {
        entry_comment(out, "\t", entry);
        let _ = writeln!(out, "\t{}: {}", entry.name, entry.luau);
    }
    if kind == Kind::Number {
        for operator in ["add", "sub", "mul", "div", "mod", "pow", "idiv"] {
            let _ = writeln!(
                out,
                "\tfunction __{operator}(self, other: Signal | number): Signal"
            );
        }
        out.push_str("\tfunction __unm(self): Signal\n");
    }
    out.push_str("end\n\n");
}

fn output(spec: &Spec) -> &'static str {
    spec.output.luau()
}

/// A node where there are no inputs, else what it is called with: by position or by name.
fn value_type(spec: &Spec) -> String {
    match spec.inputs.is_empty() {
        true => output(spec).to_owned(),
        false => call_type(&spec.inputs, None, output(spec)),
    }
}

fn call_type(inputs: &[InputSpec], this: Option<&str>, gives: &str) -> String {
    let this = this.map(|name| format!("self: {name}"));
    let positional = inputs
        .iter()
        .map(|input| format!("{}: {}?", input.name, input_type(input)));
    let positional: Vec<String> = this.iter().cloned().chain(positional).collect();
    let by_position = format!("({}) -> {gives}", positional.join(", "));
    if inputs.is_empty() {
        return by_position;
    }
    let fields: Vec<String> = inputs
        .iter()
        .map(|input| format!("{}: {}?", input.name, input_type(input)))
        .collect();
    let table = format!("inputs: {{ {} }}", fields.join(", "));
    let by_name: Vec<String> = this.into_iter().chain([table]).collect();
    format!("({by_position}) & (({}) -> {gives})", by_name.join(", "))
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
