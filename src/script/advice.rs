//! Luau's words for common slips, in place of which a person would say what to write.

use super::error::{Cause, ScriptError};
use super::help;
use super::node::{NO_COMPARISON, TYPE};
use crate::graph::{Library, nearest};

/// Puts better words into an error; `missing` is the last name that was read and doesn't exist.
pub(crate) fn give(error: &mut ScriptError, missing: Option<&str>, library: &Library) {
    if error.cause != Cause::Raised {
        return;
    }
    let line = error.source_line.as_deref().unwrap_or_default();
    let message = error.message.as_str();
    let better = if message.starts_with("attempt to compare")
        && message.split(' ').any(|word| word == TYPE)
    {
        Some(NO_COMPARISON.to_owned())
    } else if message == "attempt to call a nil value" {
        missing
            .filter(|name| is_used(line, name, &["(", "{", "\"", "'", "[["]))
            .map(|name| unknown(name, library))
    } else if message.starts_with("attempt to index nil with") {
        missing
            .filter(|name| is_used(line, name, &[".", ":", "["]))
            .map(|name| unknown(name, library))
    } else if let Some(field) = message.strip_prefix("attempt to index function with ") {
        forgotten_call(line, field.trim_matches('\''), library)
    } else {
        None
    };
    if let Some(better) = better {
        error.message = better;
    }
}

/// `osc:kaleid(3)` where `osc():kaleid(3)` is meant.
fn forgotten_call(line: &str, field: &str, library: &Library) -> Option<String> {
    let names = library.iter().map(|spec| spec.name.as_str());
    let name = names.filter(|name| {
        [":", "."]
            .iter()
            .any(|mark| line.contains(&[name, mark, field].concat()))
    });
    let name = name.max_by_key(|name| name.len())?;
    Some(format!(
        "{name} is a function: write {name}(){field}",
        field = format_args!(":{field}()")
    ))
}

fn unknown(name: &str, library: &Library) -> String {
    let known = help::globals(library);
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("there is no {name}; did you mean {near}?"),
        None => format!("there is no {name}"),
    }
}

/// Whether `name` stands in the line as a whole word, followed by one of `marks`.
fn is_used(line: &str, name: &str, marks: &[&str]) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let after = line[at + name.len()..].trim_start();
        !line[..at].ends_with(is_word) && marks.iter().any(|mark| after.starts_with(mark))
    })
}
