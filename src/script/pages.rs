//! The reference as Markdown: a page for each group of operators, and an index.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::help::{self, Entry, calls, default, entries, gives, groups, notes, range, summary};
use crate::graph::{InputSpec, Library, Spec};
use crate::value::Kind;

/// What stands above every page.
const MADE: &str = "<!-- Made by gobo from its own declarations; do not edit. -->\n\n";

/// The reference: the text of each page by the name of its file. A group is what stands before the dot of a name, so
/// that `color.mix` is found in `color.md`; operators without a dot go by their category. Each has a heading.
#[must_use]
pub fn pages(library: &Library) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut index = String::from(
        "# Reference\n\nAll that a sketch can call. The same is told by `gobo docs` and, at the prompt, by `help()`.\n",
    );
    let mut add = |group: &str, items: Vec<Item>| {
        let file = format!("{group}.md");
        let _ = writeln!(index, "\n## [{group}]({file})\n");
        let mut links = Vec::new();
        for item in &items {
            let (name, anchor) = (&item.name, anchor(&item.name));
            let _ = writeln!(index, "* [`{name}`]({file}#{anchor}): {}", item.summary);
            links.push(format!("[`{name}`](#{anchor})"));
        }
        let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
        let (links, texts) = (links.join(" · "), texts.join("\n"));
        let text =
            format!("{MADE}# {group}\n\n{links}\n\nAll groups: [index](README.md)\n\n{texts}");
        pages.insert(file, text);
    };
    for (group, specs) in groups(library) {
        add(
            group,
            specs.iter().map(|spec| Item::of_spec(spec)).collect(),
        );
    }
    for (group, entries) in entries() {
        add(group, entries.into_iter().map(Item::of_entry).collect());
    }
    pages.insert("README.md".into(), format!("{MADE}{index}"));
    pages
}

/// One heading of a page.
struct Item {
    name: String,
    summary: String,
    text: String,
}

impl Item {
    fn of_spec(spec: &Spec) -> Self {
        let calls = calls(spec).join("\n");
        let doc = spec.doc.trim();
        let gives = match spec.output {
            Kind::Any => format!("a value {}", gives(spec)),
            _ => with_article(&gives(spec)),
        };
        let mut text = format!(
            "## `{}`\n\n```lua\n{calls}\n```\n\nGives {gives}.\n\n{doc}\n",
            spec.name
        );
        if !spec.inputs.is_empty() {
            text.push_str(
                "\n| input | kind | default | range | meaning |\n| --- | --- | --- | --- | --- |\n",
            );
            spec.inputs.iter().for_each(|input| row(&mut text, input));
        }
        Self {
            name: spec.name.clone(),
            summary: summary(doc),
            text,
        }
    }

    fn of_entry(entry: &Entry) -> Self {
        let (name, call, doc) = (entry.name, entry.call, entry.doc);
        Self {
            name: name.into(),
            summary: summary(doc),
            text: format!("## `{name}`\n\n```lua\n{call}\n```\n\n{doc}\n"),
        }
    }
}

/// `a number signal`, `an output`.
fn with_article(noun: &str) -> String {
    let article = match noun.starts_with(['a', 'e', 'i', 'o']) {
        true => "an",
        false => "a",
    };
    format!("{article} {noun}")
}

fn row(text: &mut String, input: &InputSpec) {
    let takes = match input.kind {
        Kind::Choice => {
            let choices = input.choices.iter().map(|choice| format!("`\"{choice}\"`"));
            format!("one of {}", choices.collect::<Vec<_>>().join(", "))
        }
        _ => help::takes(input),
    };
    let notes = notes(input).map(str::to_owned);
    let kind: Vec<String> = [takes].into_iter().chain(notes).collect();
    let code = |value: Option<String>| value.map_or(String::new(), |value| format!("`{value}`"));
    let cells = [
        format!("`{}`", input.name),
        kind.join(", "),
        code(default(input)),
        range(input).unwrap_or_default(),
        input.doc.trim().replace('\n', " "),
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

/// The anchor that GitHub gives to a heading: small letters, without punctuation.
pub(crate) fn anchor(heading: &str) -> String {
    let letters = heading.to_lowercase();
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-');
    letters.chars().filter(is_kept).collect()
}
