//! Which paths a source names, in `use` lines and elsewhere.

use crate::words::{Kind, Token};

/// A path that a source names, with `self` and `super` resolved: its first name is `crate` or an outside crate.
pub(crate) struct Named {
    pub(crate) line: usize,
    pub(crate) names: Vec<String>,
}

/// Every path that a source of this module names.
pub(crate) fn paths(tokens: &[Token], module: &[String]) -> Vec<Named> {
    let mut found = Vec::new();
    // Inline modules that are open here, each with the depth of braces that it lies in.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < tokens.len() {
        let mut here = module.to_vec();
        here.extend(inline.iter().map(|(name, _)| name.clone()));
        match &tokens[at].kind {
            Kind::Sign('{') => depth += 1,
            Kind::Sign('}') => {
                depth -= 1;
                if inline.last().is_some_and(|(_, opened)| *opened == depth) {
                    inline.pop();
                }
            }
            Kind::Word(word) if word == "mod" => {
                if let (Some(Kind::Word(name)), Some(Kind::Sign('{'))) =
                    (kind(tokens, at + 1), kind(tokens, at + 2))
                {
                    inline.push((name.clone(), depth));
                }
            }
            Kind::Word(word) if word == "use" && kind(tokens, at + 1) != Some(&Kind::Sign('<')) => {
                at = use_tree(tokens, at + 1, &[], &mut |line, names| {
                    found.push(resolve(line, names, &here));
                });
                continue;
            }
            Kind::Word(word) if word == "extern" => {
                if let (Some(Kind::Word(word)), Some(Kind::Word(name))) =
                    (kind(tokens, at + 1), kind(tokens, at + 2))
                    && word == "crate"
                {
                    found.push(resolve(tokens[at].line, std::slice::from_ref(name), &here));
                }
            }
            Kind::Word(_) if starts_path(tokens, at) => {
                let start = at;
                let mut names = vec![word(&tokens[at])];
                while kind(tokens, at + 1) == Some(&Kind::Path)
                    && matches!(kind(tokens, at + 2), Some(Kind::Word(_)))
                {
                    at += 2;
                    names.push(word(&tokens[at]));
                }
                found.push(resolve(tokens[start].line, &names, &here));
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn kind(tokens: &[Token], at: usize) -> Option<&Kind> {
    tokens.get(at).map(|token| &token.kind)
}

fn word(token: &Token) -> String {
    match &token.kind {
        Kind::Word(word) => word.clone(),
        other => unreachable!("expected a word, got {other:?}"),
    }
}

/// True for the first word of `a::b`, also when `::` stands before it, but not for the `b` of it or of `x.b::<T>()`.
fn starts_path(tokens: &[Token], at: usize) -> bool {
    let before = |steps: usize| {
        at.checked_sub(steps)
            .and_then(|before| kind(tokens, before))
    };
    if kind(tokens, at + 1) != Some(&Kind::Path) {
        return false;
    }
    match (before(1), before(2)) {
        (Some(Kind::Sign('.')), _) | (Some(Kind::Path), Some(Kind::Word(_))) => false,
        // `-> ::a::b` starts a path, `<T as A>::b` doesn't.
        (Some(Kind::Path), Some(Kind::Sign('>'))) => before(3) == Some(&Kind::Sign('-')),
        _ => true,
    }
}

/// Reads one tree of a `use` line and gives each of its paths; returns where it ends.
fn use_tree(
    tokens: &[Token],
    mut at: usize,
    before: &[String],
    each: &mut dyn FnMut(usize, &[String]),
) -> usize {
    let mut names = before.to_vec();
    while let Some(token) = tokens.get(at) {
        match &token.kind {
            Kind::Word(word) if word == "as" => at += 1,
            Kind::Word(word) if word == "self" && !names.is_empty() => {}
            Kind::Word(word) => names.push(word.clone()),
            Kind::Sign('*') => names.push("*".to_owned()),
            Kind::Sign('{') => {
                at += 1;
                while kind(tokens, at).is_some_and(|kind| *kind != Kind::Sign('}')) {
                    at = use_tree(tokens, at, &names, each);
                    if kind(tokens, at) == Some(&Kind::Sign(',')) {
                        at += 1;
                    }
                }
                return at + 1;
            }
            Kind::Path => {}
            Kind::Sign(_) => break,
        }
        at += 1;
    }
    if let Some(line) = tokens.get(at - 1).map(|token| token.line)
        && !names.is_empty()
    {
        each(line, &names);
    }
    at
}

fn resolve(line: usize, names: &[String], here: &[String]) -> Named {
    let mut base = here.to_vec();
    let mut rest = names;
    let names = match names[0].as_str() {
        // The binary names the library by its crate name.
        "gobo" => [&["crate".to_owned()], &names[1..]].concat(),
        "self" | "super" => {
            while let Some(first) = rest.first() {
                match first.as_str() {
                    "self" => {}
                    "super" => {
                        base.pop();
                    }
                    _ => break,
                }
                rest = &rest[1..];
            }
            [&["crate".to_owned()], &base[..], rest].concat()
        }
        _ => names.to_vec(),
    };
    Named { line, names }
}

/// The names that `#[macro_export]` puts at the root of the crate.
pub(crate) fn exported_macros(tokens: &[Token]) -> Vec<String> {
    let is = |at: usize, word: &str| kind(tokens, at) == Some(&Kind::Word(word.to_owned()));
    let mut names = Vec::new();
    let mut exported = false;
    for at in 0..tokens.len() {
        exported |= is(at, "macro_export");
        if is(at, "macro_rules") && std::mem::take(&mut exported) {
            names.extend(tokens.get(at + 2).map(word));
        }
    }
    names
}

/// The modules that a source declares, which hide outside crates of the same name.
pub(crate) fn declared_modules(tokens: &[Token]) -> Vec<&str> {
    tokens
        .windows(2)
        .filter_map(|pair| match (&pair[0].kind, &pair[1].kind) {
            (Kind::Word(word), Kind::Word(name)) if word == "mod" => Some(name.as_str()),
            _ => None,
        })
        .collect()
}
