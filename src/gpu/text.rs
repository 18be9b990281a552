//! The text of a program: what must not stand in it, and where the thing stands that an error speaks of.

use super::error::ShaderError;

/// What wgpu lets pass and the software adapter dies of.
pub(super) fn forbidden(text: &str) -> Option<ShaderError> {
    const WORD: &str = "workgroup";
    let code = without_comments(text);
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let at = code.match_indices(WORD).map(|(at, _)| at).find(|at| {
        !code[..*at].ends_with(part_of_name) && !code[at + WORD.len()..].starts_with(part_of_name)
    })?;
    let line = code[..at].matches('\n').count() as u32 + 1;
    let column = code[..at].rfind('\n').map_or(at, |end| at - end - 1) as u32 + 1;
    Some(ShaderError::at(
        "memory of a workgroup exists in compute shaders only",
        text,
        line,
        column,
    ))
}

/// The same text with spaces in place of every comment, so that positions stay.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let (mut rest, mut depth, mut line_comment) = (text, 0_usize, false);
    while let Some(c) = rest.chars().next() {
        let mut step = c.len_utf8();
        if c == '\n' {
            line_comment = false;
        } else if line_comment {
        } else if rest.starts_with("/*") {
            depth += 1;
            step = 2;
        } else if depth > 0 && rest.starts_with("*/") {
            depth -= 1;
            step = 2;
            code.push_str("  ");
            rest = &rest[step..];
            continue;
        } else if depth == 0 && rest.starts_with("//") {
            line_comment = true;
        }
        if c != '\n' && (line_comment || depth > 0) {
            code.extend(std::iter::repeat_n(' ', step));
        } else {
            code.push(c);
        }
        rest = &rest[step..];
    }
    code
}

/// An error without a place: looks for the declaration of what the message names.
pub(super) fn placed(message: &str, text: &str) -> ShaderError {
    match declaration(message).and_then(|declared| find_line(text, &declared)) {
        Some((line, column)) => ShaderError::at(message, text, line, column),
        None => ShaderError::general(message),
    }
}

/// The text that declares what a message is about: a binding by number, or a function by name.
fn declaration(message: &str) -> Option<String> {
    let after = |mark: &str| message.split_once(mark).map(|(_, rest)| rest);
    if let Some(rest) = after("binding: ") {
        return Some(format!(
            "@binding({})",
            rest.chars()
                .take_while(char::is_ascii_digit)
                .collect::<String>()
        ));
    }
    let name = after("Entry point ")
        .or_else(|| after("Function [").and_then(|rest| Some(rest.split_once('\'')?.1)))?;
    Some(format!(
        "fn {}(",
        name.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    ))
}

/// Line and column, from 1, of the first place where `wanted` stands.
fn find_line(text: &str, wanted: &str) -> Option<(u32, u32)> {
    let mut lines = text.lines().enumerate();
    lines.find_map(|(index, line)| Some((index as u32 + 1, line.find(wanted)? as u32 + 1)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing test should panic")]
mod tests {
    use super::*;

    #[test]
    fn an_error_about_a_binding_points_at_its_declaration() {
        let text = "// nothing\n@group(0) @binding(7) var t: texture_2d<f32>;\n";
        let error = placed("ResourceBinding { group: 0, binding: 7 } is missing", text);
        assert_eq!((error.line, error.column), (Some(2), Some(11)));
        assert_eq!(placed("something else", text).line, None);
    }

    #[test]
    fn comments_are_blanked_without_moving_anything() {
        let text = "a // b é\nc /* d /* e */ f\n */ g";
        let code = without_comments(text);
        assert_eq!(code.len(), text.len());
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "c", "g"]);
        assert_eq!(code.find('g'), text.find('g'));
    }

    #[test]
    fn memory_of_a_workgroup_is_refused_where_it_stands() {
        let error = forbidden("// workgroup\nvar < workgroup > w: f32;").unwrap();
        assert_eq!((error.line, error.column), (Some(2), Some(7)));
        assert_eq!(
            forbidden("/* var<workgroup> */ let workgroup_size = 1; let my_workgroup = 2;"),
            None
        );
    }

    #[test]
    fn an_error_about_a_function_points_at_its_declaration() {
        let text = "fn a(x: f32) -> f32 { }\n  fn fragment() -> vec4f { }";
        assert_eq!(
            placed("Entry point fragment at Fragment is invalid", text).line,
            Some(2)
        );
        assert_eq!(placed("Function [3] 'a' is invalid", text).line, Some(1));
    }
}
