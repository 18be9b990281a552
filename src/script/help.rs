//! What there is, for `help`, the prompt's completion and the reference.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::node::kind_name;
use crate::graph::{InputSpec, Library, Spec, nearest};
use crate::value::Kind;

/// A function of ours that isn't an operator.
pub(crate) struct Entry {
    /// Its name, with the kind in front where it is a method.
    pub(crate) name: &'static str,
    /// How it is called.
    pub(crate) call: &'static str,
    /// Its Luau type.
    pub(crate) luau: &'static str,
    /// What it does; the first line is the summary.
    pub(crate) doc: &'static str,
}

/// Global functions and values that aren't operators.
pub(crate) const GLOBALS: &[Entry] = &[
    Entry {
        name: "render",
        call: "render(output)",
        luau: "(output: Picture?) -> ()",
        doc: "Chooses what the window shows: one output, or all four without an argument.",
    },
    Entry {
        name: "hush",
        call: "hush()",
        luau: "() -> ()",
        doc: "Makes every output dark.",
    },
    Entry {
        name: "bpm",
        call: "bpm(tempo)",
        luau: "(tempo: number?) -> number",
        doc: "Sets the tempo in beats per minute, from 1 to 999; without an argument it gives the tempo.",
    },
    Entry {
        name: "shader",
        call: "shader(file)",
        luau: "(file: string) -> (...any) -> Picture",
        doc: "Makes a function of a WGSL file beside the sketch, which is then called like any other.",
    },
    Entry {
        name: "operator",
        call: "operator{ name =, inputs =, update = }",
        luau: "(declaration: { [string]: any }) -> (...any) -> any",
        doc: "Declares an operator of the sketch and gives the function that makes nodes of it.\n\n\
              inputs is a list such as { { \"amount\", 0.5, min = 0, max = 1, doc = \"how much\" } }; update(self, ctx) \
              finds them on self and returns the value. output names its kind, number unless said otherwise. With \
              state = { … }, self is kept from frame to frame and update runs once in each; without, it runs when an \
              input or what it reads from ctx changes.",
    },
    Entry {
        name: "stats",
        call: "stats()",
        luau: "() -> { updated: number, reused: number, failed: number, nodes: number, frame: number }",
        doc: "Counts of the last frame: operators that ran, results that were still valid, failures, nodes.",
    },
    Entry {
        name: "help",
        call: "help(what)",
        luau: "(what: any?) -> ()",
        doc: "Explains a function, a name or a node; without an argument it lists all there is.",
    },
    Entry {
        name: "print",
        call: "print(...)",
        luau: "(...any) -> ()",
        doc: "Writes values to the log.",
    },
    Entry {
        name: "require",
        call: "require(name)",
        luau: "(name: string) -> any",
        doc: "Loads a file of the project once and gives what it returns.\n\n\
              `require(\"lib.tint\")` is `lib/tint.lua` beside this file, beside the sketch, or in its `scripts` folder.",
    },
    Entry {
        name: "update",
        call: "function update(ctx)",
        luau: "((ctx: Context) -> ())?",
        doc: "Define it, and it is called once a frame, before the pictures are drawn.\n\n\
              ctx has time, beat, dt, frame, tempo, width, height and aspect. A signal is read with :value().",
    },
    Entry {
        name: "o0",
        call: "o0",
        luau: "Picture",
        doc: "The first output: what it showed in the last frame.",
    },
    Entry {
        name: "o1",
        call: "o1",
        luau: "Picture",
        doc: "The second output: what it showed in the last frame.",
    },
    Entry {
        name: "o2",
        call: "o2",
        luau: "Picture",
        doc: "The third output: what it showed in the last frame.",
    },
    Entry {
        name: "o3",
        call: "o3",
        luau: "Picture",
        doc: "The fourth output: what it showed in the last frame.",
    },
    Entry {
        name: "deg",
        call: "deg",
        luau: "number",
        doc: "One degree in radians: `90 * deg` is a right angle.",
    },
    Entry {
        name: "turn",
        call: "turn",
        luau: "number",
        doc: "One full turn in radians.",
    },
    number(
        "sin",
        "sin(x)",
        "The sine of an angle in radians; of a signal it is a signal.",
    ),
    number(
        "cos",
        "cos(x)",
        "The cosine of an angle in radians; of a signal it is a signal.",
    ),
    number(
        "abs",
        "abs(x)",
        "A number without its sign; of a signal it is a signal.",
    ),
    number(
        "floor",
        "floor(x)",
        "The largest whole number that is not above; of a signal it is a signal.",
    ),
    number(
        "ceil",
        "ceil(x)",
        "The smallest whole number that is not below; of a signal it is a signal.",
    ),
    number(
        "sqrt",
        "sqrt(x)",
        "The square root, 0 below 0; of a signal it is a signal.",
    ),
    numbers(
        "min",
        "min(a, b)",
        "The smaller of two numbers; with a signal it is a signal.",
    ),
    numbers(
        "max",
        "max(a, b)",
        "The larger of two numbers; with a signal it is a signal.",
    ),
];

const fn number(name: &'static str, call: &'static str, doc: &'static str) -> Entry {
    Entry {
        name,
        call,
        luau: "((x: number) -> number) & ((x: Signal) -> Signal)",
        doc,
    }
}

const fn numbers(name: &'static str, call: &'static str, doc: &'static str) -> Entry {
    let luau = "((a: number, b: number) -> number) & ((a: Signal, b: Signal | number) -> Signal) \
                & ((a: number, b: Signal) -> Signal)";
    Entry {
        name,
        call,
        luau,
        doc,
    }
}

/// The methods of a kind that aren't operators.
pub(crate) fn extra_methods(kind: Kind) -> impl Iterator<Item = &'static Entry> {
    const OUT: Entry = Entry {
        name: "out",
        call: "picture:out(output)",
        luau: "(self: Picture, output: Picture?) -> ()",
        doc: "Sends a picture to an output: o0 unless another is given.",
    };
    const VALUE: Entry = Entry {
        name: "value",
        call: "signal:value()",
        luau: "(self: any) -> any",
        doc: "What a signal is now: in update(ctx), at the prompt, or while the sketch loads.",
    };
    const ALL: [Entry; 4] = [
        Entry {
            name: "bypass",
            call: "node:bypass(on)",
            luau: "<T>(self: T, on: boolean?) -> T",
            doc: "Lets the first input of a node's kind pass through; bypass(false) has it run again.",
        },
        Entry {
            name: "disable",
            call: "node:disable(on)",
            luau: "<T>(self: T, on: boolean?) -> T",
            doc: "Holds a node at its last value; disable(false) has it run again.",
        },
        Entry {
            name: "always",
            call: "node:always(on)",
            luau: "<T>(self: T, on: boolean?) -> T",
            doc: "Has a node run in each frame, for what gobo can't see change; always(false) ends that.",
        },
        Entry {
            name: "status",
            call: "node:status()",
            luau: "(self: any) -> { [string]: any }",
            doc: "How a node is doing: runs in the frame last_run, cost of a run in seconds, memos, mode, origin, error.",
        },
    ];
    let own: &Entry = if kind == Kind::Image { &OUT } else { &VALUE };
    std::iter::once(own).chain(&ALL)
}

/// Every global name, namespaces included.
pub(crate) fn globals(library: &Library) -> Vec<String> {
    let operators = library
        .iter()
        .map(|spec| spec.name.split('.').next().unwrap_or_default());
    let mut names: Vec<String> = operators
        .chain(GLOBALS.iter().map(|entry| entry.name))
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

/// What `help(name)` says: of an operator by its full name, of a method, a namespace, or a function.
#[must_use]
pub fn reference(library: &Library, name: &str) -> Option<String> {
    if let Some(spec) = library.get(name) {
        let others = library
            .iter()
            .filter(|other| other.short_name() == name && other.name != name);
        let others: Vec<&str> = others.map(|other| other.name.as_str()).collect();
        let also = if others.is_empty() {
            String::new()
        } else {
            format!("\n\nalso: {}", others.join(", "))
        };
        let group = members(library, name).map(|members| format!("\n\n{name} also has\n{members}"));
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
    if let Some(members) = members(library, name) {
        return Some(format!("{name}\n{members}"));
    }
    let methods: Vec<_> = library
        .iter()
        .filter(|spec| spec.short_name() == name)
        .map(|spec| of_spec(spec))
        .collect();
    (!methods.is_empty()).then(|| methods.join("\n\n"))
}

/// What a namespace has, a line each.
fn members(library: &Library, space: &str) -> Option<String> {
    let members = library.iter().filter(|spec| {
        let name = spec.name.split_once('.');
        name.is_some_and(|(of, _)| of == space)
    });
    let lines: Vec<String> = members
        .map(|spec| summary_line(&spec.name, spec.summary()))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// What there is, a line each, by category.
#[must_use]
pub fn listing(library: &Library) -> String {
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for spec in library.iter() {
        groups
            .entry(&spec.category)
            .or_default()
            .push(summary_line(&spec.name, spec.summary()));
    }
    let summary =
        |entry: &Entry| summary_line(entry.name, entry.doc.lines().next().unwrap_or_default());
    groups.insert("sketch", GLOBALS.iter().map(summary).collect());
    let extra = Kind::ALL.into_iter().flat_map(extra_methods).map(summary);
    let mut methods: Vec<String> = extra.collect();
    methods.sort();
    methods.dedup();
    groups.insert("methods", methods);
    let groups = groups
        .iter()
        .map(|(name, lines)| format!("{name}\n{}", lines.join("\n")));
    groups.collect::<Vec<_>>().join("\n\n")
}

/// The name that is near one that doesn't exist, when one is.
#[must_use]
pub fn suggestion(library: &Library, name: &str) -> Option<String> {
    let full = library.iter().map(|spec| spec.name.clone());
    let short = library.iter().map(|spec| spec.short_name().to_owned());
    let known: Vec<String> = full.chain(short).chain(globals(library)).collect();
    nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
}

fn summary_line(name: &str, summary: &str) -> String {
    format!("  {name:<20} {summary}")
}

pub(crate) fn of_spec(spec: &Spec) -> String {
    let names: Vec<&str> = spec
        .inputs
        .iter()
        .map(|input| input.name.as_str())
        .collect();
    let mut text = match names.is_empty() {
        true => format!("{} -> {}", spec.name, kind_name(spec.output)),
        false => format!(
            "{}({}) -> {}",
            spec.name,
            names.join(", "),
            kind_name(spec.output)
        ),
    };
    if let [first, rest @ ..] = names.as_slice()
        && spec
            .inputs
            .first()
            .is_some_and(|input| input.kind == spec.output || input.kind == Kind::Image)
    {
        let _ = write!(text, "\n{first}:{}({})", spec.short_name(), rest.join(", "));
    }
    let _ = write!(text, "\n{}", spec.doc.trim());
    if spec.inputs.is_empty() {
        return text;
    }
    text.push('\n');
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    for input in &spec.inputs {
        let facts = facts(input);
        let _ = write!(
            text,
            "\n  {:<width$}  {:<24}  {}",
            input.name,
            facts,
            input.doc.trim().replace('\n', " ")
        );
    }
    text
}

/// `number 60, 0..200`.
pub(crate) fn facts(input: &InputSpec) -> String {
    if input.kind == Kind::Image {
        return "picture".to_owned();
    }
    let mut facts = format!("{} {}", input.kind.name(), input.default);
    if input.kind == Kind::Choice {
        facts = format!("{} of {}", input.default, input.choices.join(", "));
    }
    if let Some(range) = &input.range {
        let _ = write!(facts, ", {}..{}", range.start(), range.end());
    }
    if input.is_rate {
        facts.push_str(", per second");
    }
    facts
}
