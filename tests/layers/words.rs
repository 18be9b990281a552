//! The words and signs of a Rust source.

/// A piece of a source.
#[derive(Debug, PartialEq)]
pub(crate) enum Kind {
    Word(String),
    Path,
    Sign(char),
}

/// A piece and the line that it stands in, counted from 1.
#[derive(Debug)]
pub(crate) struct Token {
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

/// The words, `::` and signs of a source, without comments, text and numbers.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let get = |at: usize| chars.get(at).copied().unwrap_or('\0');
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let start = at;
        match chars[at] {
            '/' if get(at + 1) == '/' => {
                while at < chars.len() && chars[at] != '\n' {
                    at += 1;
                }
            }
            '/' if get(at + 1) == '*' => at = after_block_comment(&chars, at),
            '"' => at = after_text(&chars, at),
            'r' | 'b' | 'c' if after_prefixed_text(&chars, at).is_some() => {
                at = after_prefixed_text(&chars, at).unwrap();
            }
            '\'' if get(at + 1) == '\\' => {
                at += 3;
                while at < chars.len() && chars[at] != '\'' {
                    at += 1;
                }
                at += 1;
            }
            '\'' if get(at + 2) == '\'' => at += 3,
            ':' if get(at + 1) == ':' => {
                found.push(Token {
                    line,
                    kind: Kind::Path,
                });
                at += 2;
            }
            first if first.is_alphanumeric() || first == '_' => {
                while get(at).is_alphanumeric() || get(at) == '_' {
                    at += 1;
                }
                if !first.is_ascii_digit() {
                    let kind = Kind::Word(chars[start..at].iter().collect());
                    found.push(Token { line, kind });
                }
            }
            sign => {
                if !sign.is_whitespace() {
                    found.push(Token {
                        line,
                        kind: Kind::Sign(sign),
                    });
                }
                at += 1;
            }
        }
        line += chars[start..at.min(chars.len())]
            .iter()
            .filter(|passed| **passed == '\n')
            .count();
    }
    found
}

fn after_block_comment(chars: &[char], start: usize) -> usize {
    let (mut at, mut depth) = (start + 2, 1);
    while at < chars.len() && depth > 0 {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (at, depth) = (at + 2, depth + 1),
            ('*', Some('/')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    at
}

fn after_text(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// The end of `r"…"`, `r#"…"#`, `b"…"`, `br"…"`, `c"…"`, where one starts here.
fn after_prefixed_text(chars: &[char], start: usize) -> Option<usize> {
    if start > 0 && (chars[start - 1].is_alphanumeric() || chars[start - 1] == '_') {
        return None;
    }
    let mut at = start;
    while at < start + 2 && matches!(chars.get(at), Some('r' | 'b' | 'c')) {
        at += 1;
    }
    let raw = chars[start..at].contains(&'r');
    let quotes = at;
    while raw && chars.get(at) == Some(&'#') {
        at += 1;
    }
    let hashes = at - quotes;
    if chars.get(at) != Some(&'"') {
        return None;
    }
    if !raw {
        return Some(after_text(chars, at));
    }
    at += 1;
    while at < chars.len() {
        let closes =
            chars[at] == '"' && (1..=hashes).all(|ahead| chars.get(at + ahead) == Some(&'#'));
        at += 1;
        if closes {
            return Some(at + hashes);
        }
    }
    Some(at)
}
