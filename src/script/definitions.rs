//! The type file from which editors complete and check sketches (luau-lsp).

use std::collections::BTreeMap;
use std::fmt::Write;

use super::help::{Entry, GLOBALS, KINDS, extra_methods, facts};
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
    for (kind, name) in KINDS {
        class(&mut out, library, kind, name);
    }
    let mut spaces: BTreeMap<&str, Vec<&Spec>> = BTreeMap::new();
    for spec in library.iter() {
        match spec.name.split_once('.') {
            Some((space, _)) => spaces.entry(space).or_default().push(spec),
            None => {
                comment(&mut out, "", spec);
                let _ = writeln!(out, "declare {}: {}\n", spec.name, value_type(spec));
            }
        }
    }
    for (space, members) in spaces {
        let _ = writeln!(out, "declare {space}: {{");
        for spec in members {
            comment(&mut out, "\t", spec);
            let _ = writeln!(out, "\t{}: {},", spec.short_name(), value_type(spec));
        }
        out.push_str("}\n\n");
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

fn class(out: &mut String, library: &Library, kind: Kind, name: &str) {
    let _ = writeln!(out, "declare class {name}");
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
    let found = KINDS.iter().find(|(kind, _)| *kind == spec.output);
    found.map_or("any", |(_, name)| *name)
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
    let vector = "{ number }";
    let (signal, constants): (&str, Vec<String>) = match input.kind {
        Kind::Number => ("Signal", vec!["number".into()]),
        Kind::Bool => ("BoolSignal", vec!["boolean".into()]),
        Kind::Text => ("TextSignal", vec!["string".into()]),
        Kind::Vec2 => ("Vec2Signal", vec!["number".into(), vector.into()]),
        Kind::Vec3 => (
            "Vec3Signal",
            vec!["number".into(), "vector".into(), vector.into()],
        ),
        Kind::Vec4 => ("Vec4Signal", vec!["number".into(), vector.into()]),
        Kind::Color => (
            "ColorSignal",
            vec!["string".into(), "number".into(), vector.into()],
        ),
        Kind::Image => return "Picture".to_owned(),
        Kind::Choice => (
            "TextSignal",
            input
                .choices
                .iter()
                .map(|choice| format!("\"{choice}\""))
                .collect(),
        ),
    };
    let constants = constants.join(" | ");
    format!("({constants} | {signal} | (ctx: Context) -> ({constants}))")
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
