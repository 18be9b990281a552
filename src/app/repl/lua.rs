//! Reads Lua just well enough to know whether a text is finished and where in it one is typing.
//!
//! The prompt runs on its own thread and never touches the interpreter, so this decides from the words: open blocks,
//! brackets, long strings and comments, or an operator at the end wait for another line. A text that no further line
//! can put right, which the compiler knows, counts as finished, so that the interpreter can say what is wrong with it.

use crate::script::can_be_finished;

/// Where a text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Between words.
    Code,
    /// In a string of one line.
    Text,
    /// In a comment of one line.
    Comment,
    /// In a long string, a long comment or an expression within a string.
    Long,
}

/// One word or sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    /// A number, a string or `...`.
    Literal,
    Sign(&'a str),
}

/// Whether more lines must come before `text` can run.
///
/// ```
/// use gobo::app::repl::is_incomplete;
/// assert!(is_incomplete("for i = 1, 3 do"));
/// assert!(!is_incomplete("osc(20):rotate(0.3):out()"));
/// ```
pub fn is_incomplete(text: &str) -> bool {
    let (tokens, end) = scan(text);
    match end {
        End::Long => true,
        End::Text => false,
        End::Comment | End::Code => match is_open(&tokens) {
            Some(is_open) => {
                (is_open || tokens.last().is_some_and(|token| is_awaiting(*token)))
                    && can_be_finished(text)
            }
            None => false,
        },
    }
}

/// Where `text` ends: completion is of use in code only.
pub(super) fn end(text: &str) -> End {
    scan(text).1
}

/// After this something must follow.
fn is_awaiting(token: Token<'_>) -> bool {
    match token {
        Token::Word(word) => matches!(word, "and" | "or" | "not" | "local" | "in" | "else"),
        Token::Literal => false,
        Token::Sign(sign) => !matches!(sign, ")" | "]" | "}" | ";" | "::"),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Closed by `end`.
    Block,
    /// `while` or `for` before its `do`.
    Loop,
    /// Closed by `until`.
    Repeat,
    /// An `if` that is a value: closed by `else`.
    Choice,
    Bracket(&'static str),
}

/// Whether a block or bracket stays open; nothing when something closes what was not open.
fn is_open(tokens: &[Token<'_>]) -> Option<bool> {
    let mut open = Vec::new();
    let mut is_value_next = false;
    for &token in tokens {
        let is_in_choice = open.last() == Some(&Open::Choice);
        let is_closed_well = match token {
            Token::Word("if") if is_value_next => {
                open.push(Open::Choice);
                true
            }
            Token::Word("if" | "function") => {
                open.push(Open::Block);
                true
            }
            Token::Word("while" | "for") => {
                open.push(Open::Loop);
                true
            }
            Token::Word("do") => {
                open.pop_if(|top| *top == Open::Loop);
                open.push(Open::Block);
                true
            }
            Token::Word("repeat") => {
                open.push(Open::Repeat);
                true
            }
            Token::Word("else") => {
                open.pop_if(|top| *top == Open::Choice).is_some()
                    || open.last() == Some(&Open::Block)
            }
            Token::Word("end") => open.pop_if(|top| *top == Open::Block).is_some(),
            Token::Word("until") => open.pop_if(|top| *top == Open::Repeat).is_some(),
            Token::Sign("(") => {
                open.push(Open::Bracket(")"));
                true
            }
            Token::Sign("[") => {
                open.push(Open::Bracket("]"));
                true
            }
            Token::Sign("{") => {
                open.push(Open::Bracket("}"));
                true
            }
            Token::Sign(sign @ (")" | "]" | "}")) => open
                .pop_if(|top| matches!(top, Open::Bracket(closing) if *closing == sign))
                .is_some(),
            _ => true,
        };
        if !is_closed_well {
            return None;
        }
        is_value_next = match token {
            Token::Word("then" | "elseif" | "else") => is_in_choice,
            Token::Word(word) => matches!(word, "and" | "or" | "not" | "return" | "in"),
            Token::Sign(sign) => !matches!(sign, ")" | "]" | "}" | ";" | "::"),
            Token::Literal => false,
        };
    }
    Some(!open.is_empty())
}

const SIGNS: [&str; 17] = [
    "..=", "//=", "==", "~=", "<=", ">=", "..", "::", "->", "+=", "-=", "*=", "/=", "%=", "^=",
    "//", "=",
];

fn scan(text: &str) -> (Vec<Token<'_>>, End) {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        let start = at;
        match byte {
            b'-' if rest.starts_with("--") => match skip_comment(rest) {
                Ok(length) => at += length,
                Err(end) => return (tokens, end),
            },
            b'"' | b'\'' => match skip_string(&bytes[at..]) {
                Some(length) => {
                    at += length;
                    tokens.push(Token::Literal);
                }
                None => return (tokens, End::Text),
            },
            b'`' => match skip_interpolated(&bytes[at..]) {
                Ok(length) => {
                    at += length;
                    tokens.push(Token::Literal);
                }
                Err(end) => return (tokens, end),
            },
            b'[' if long_level(rest).is_some() => match skip_long(rest) {
                Some(length) => {
                    at += length;
                    tokens.push(Token::Literal);
                }
                None => return (tokens, End::Long),
            },
            b'.' if rest.starts_with("...") => {
                at += 3;
                tokens.push(Token::Literal);
            }
            _ if byte.is_ascii_digit() => {
                at += number_length(rest);
                tokens.push(Token::Literal);
            }
            _ if byte == b'_' || byte.is_ascii_alphabetic() || !byte.is_ascii() => {
                let is_part = |b: &u8| *b == b'_' || b.is_ascii_alphanumeric() || !b.is_ascii();
                at += bytes[at..].iter().take_while(|b| is_part(b)).count();
                tokens.push(Token::Word(&text[start..at]));
            }
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let long = SIGNS
                    .iter()
                    .find(|sign| rest.starts_with(**sign))
                    .map(|sign| sign.len());
                at += long.unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8));
                tokens.push(Token::Sign(&text[start..at]));
            }
        }
    }
    (tokens, End::Code)
}

fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let is_sign_of_exponent = matches!(byte, b'+' | b'-')
            && !rest.starts_with("0x")
            && length > 0
            && matches!(bytes[length - 1], b'e' | b'E');
        let is_point = byte == b'.' && bytes.get(length + 1) != Some(&b'.');
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || is_point || is_sign_of_exponent) {
            break;
        }
        length += 1;
    }
    length
}

/// The length of the comment that `rest` begins with.
fn skip_comment(rest: &str) -> Result<usize, End> {
    let body = &rest[2..];
    if long_level(body).is_some() {
        return skip_long(body).map(|length| length + 2).ok_or(End::Long);
    }
    rest.find('\n').ok_or(End::Comment)
}

/// The number of `=` in the `[==[` that `rest` begins with.
fn long_level(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('[')?;
    let level = inner.bytes().take_while(|b| *b == b'=').count();
    inner[level..].starts_with('[').then_some(level)
}

fn skip_long(rest: &str) -> Option<usize> {
    let closing = format!("]{}]", "=".repeat(long_level(rest)?));
    rest.find(&closing).map(|at| at + closing.len())
}

fn skip_string(bytes: &[u8]) -> Option<usize> {
    let quote = *bytes.first()?;
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return Some(at),
            byte => {
                at += 1;
                if byte == quote {
                    return Some(at);
                }
            }
        }
    }
}

fn skip_interpolated(bytes: &[u8]) -> Result<usize, End> {
    let mut at = 1;
    let mut depth = 0_usize;
    loop {
        let unfinished = if depth > 0 { End::Long } else { End::Text };
        match *bytes.get(at).ok_or(unfinished)? {
            b'\\' => at += 2,
            b'{' => {
                depth += 1;
                at += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'`' if depth == 0 => return Ok(at + 1),
            b'`' => at += skip_interpolated(&bytes[at..])?,
            b'"' | b'\'' if depth > 0 => at += skip_string(&bytes[at..]).ok_or(End::Text)?,
            b'\n' if depth == 0 => return Ok(at),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn these_are_finished() {
        for text in [
            "",
            "osc()",
            "osc(20):rotate(0.3):out()",
            "for i = 1, 3 do print(i) end",
            "while true do break end",
            "repeat x = 1 until x",
            "if a then b() elseif c then d() else e() end",
            "x = if a then 1 else 2",
            "x = if a then 1 elseif b then 2 else if c then 3 else 4",
            "x = if a then if b then 1 else 2 else 3",
            "if a then if b then c() end else if d then e() end end",
            "f(if a then 1 else 2)",
            "local function f() return if a then 1 else 2 end",
            "return",
            "function f() while true do if x then break end end end",
            "t = { 1, 2, { 3 } }",
            "s = [[ long \n string ]]",
            "s = [==[ ]] ]==]",
            "--[[ comment ]] x = 1",
            "x = 1 -- do (",
            "x = \"do (\" .. 'then {'",
            "x = \"\\\"do\"",
            "s = `a {f(\"}\")} b`",
            "s = `a {`b {c}`} d`",
            "x = ...",
            "x = 1..2",
            "x = 1e-3 x += 2",
            "goto_end = 1",
            "doing = 1 ending = 2",
            "::label::",
            "for i = 1, 3 do f(function() end) end",
            "x = \"größer\"",
            "ä",
        ] {
            assert!(!is_incomplete(text), "{text:?} is finished");
        }
    }

    #[test]
    fn these_wait_for_more() {
        for text in [
            "for i = 1, 3 do",
            "for i = 1, 3",
            "while x",
            "if a",
            "if a then",
            "if a then b() else",
            "x = if a then 1",
            "x = if a then 1 else",
            "function f()",
            "f(function()",
            "f(function() end",
            "repeat",
            "repeat x = 1",
            "osc(20",
            "t = { 1,",
            "t[",
            "x =",
            "x = 1 +",
            "x = a and",
            "local",
            "osc(20):",
            "s = [[ long",
            "--[[ comment",
            "--[==[ ]]",
            "s = `a {f(",
            "do x = 1 -- end",
        ] {
            assert!(is_incomplete(text), "{text:?} waits for more");
        }
    }

    #[test]
    fn what_is_plainly_wrong_is_not_waited_for() {
        for text in [
            "end",
            "osc(20))",
            "x = (1]",
            "until x",
            "f(} do",
            "x = \"open",
            "else",
            "osc(:out()",
            "x = {,",
        ] {
            assert!(!is_incomplete(text), "{text:?} is an error to show at once");
        }
    }

    #[test]
    fn completion_knows_strings_and_comments() {
        assert_eq!(end("osc("), End::Code);
        assert_eq!(end("x = \"os"), End::Text);
        assert_eq!(end("-- os"), End::Comment);
        assert_eq!(end("x = 1 -- a\nos"), End::Code);
        assert_eq!(end("[[ os"), End::Long);
    }
}
