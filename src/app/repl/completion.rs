//! What the prompt can complete.

use std::collections::BTreeMap;

use super::lua::{self, End};

/// Names that the prompt completes; the show fills it whenever a sketch was loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// Global names, such as `osc`.
    pub names: Vec<String>,
    /// What may follow a colon, such as `rotate`.
    pub methods: Vec<String>,
    /// What may follow `name.`, by name; names of nested tables are written with dots.
    pub fields: BTreeMap<String, Vec<String>>,
}

impl Completions {
    /// Where the word before byte `at` of `line` begins, and all words it may become, in order.
    pub fn candidates(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let before = &line[..at];
        if lua::end(before) != End::Code {
            return (at, Vec::new());
        }
        let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let start = before.trim_end_matches(is_part).len();
        let (path, word) = before.split_at(start);
        let known = if path.ends_with(':') && !path.ends_with("::") {
            self.methods.as_slice()
        } else if let Some(table) = path.strip_suffix('.').filter(|table| !table.ends_with('.')) {
            let table = &table[table.trim_end_matches(|c| is_part(c) || c == '.').len()..];
            self.fields.get(table).map_or(&[][..], Vec::as_slice)
        } else if word.is_empty() {
            &[]
        } else {
            self.names.as_slice()
        };
        let mut found: Vec<_> = known
            .iter()
            .filter(|name| name.starts_with(word))
            .cloned()
            .collect();
        found.sort_unstable();
        found.dedup();
        (start, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completions() -> Completions {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Completions {
            names: owned(&["osc", "noise", "out", "o0"]),
            methods: owned(&["rotate", "repeat_x", "out"]),
            fields: [
                ("midi".into(), owned(&["note", "cc"])),
                ("a.b".into(), owned(&["c"])),
            ]
            .into(),
        }
    }

    fn complete(line: &str) -> (usize, Vec<String>) {
        completions().candidates(line, line.len())
    }

    #[test]
    fn names_complete_from_their_first_letter() {
        assert_eq!(
            complete("osc(o"),
            (4, vec!["o0".into(), "osc".into(), "out".into()])
        );
        assert_eq!(complete("x = noi"), (4, vec!["noise".into()]));
        assert_eq!(complete("zz").1, Vec::<String>::new());
        assert_eq!(complete("osc()\n  no"), (8, vec!["noise".into()]));
    }

    #[test]
    fn methods_complete_after_a_colon() {
        assert_eq!(
            complete("osc():r"),
            (6, vec!["repeat_x".into(), "rotate".into()])
        );
        assert_eq!(complete("osc():").1.len(), 3);
    }

    #[test]
    fn fields_complete_after_their_table() {
        assert_eq!(complete("osc(midi."), (9, vec!["cc".into(), "note".into()]));
        assert_eq!(complete("midi.n"), (5, vec!["note".into()]));
        assert_eq!(complete("a.b."), (4, vec!["c".into()]));
        assert_eq!(complete("other.").1, Vec::<String>::new());
        assert_eq!(complete("1 ..o").1.len(), 3);
    }

    #[test]
    fn nothing_completes_in_strings_and_comments() {
        assert_eq!(complete("src(\"o").1, Vec::<String>::new());
        assert_eq!(complete("-- o").1, Vec::<String>::new());
        assert_eq!(complete("").1, Vec::<String>::new());
    }

    #[test]
    fn only_what_stands_before_the_cursor_counts() {
        assert_eq!(
            completions().candidates("noX():out()", 2),
            (0, vec!["noise".into()])
        );
        assert_eq!(
            completions().candidates("ä noi", "ä noi".len()),
            (3, vec!["noise".into()])
        );
    }
}
