//! Whether a text only lacks its end.

use mlua::Error;
use mlua::chunk::Compiler;

/// What the compiler came to instead of what it expected, where only the end is missing. It also *expects* an end,
/// of a text that goes on too long.
const END: &str = "got <eof>";

/// Whether more lines could make a piece of Lua out of `text`, as an expression or as statements. Needs no show, so
/// any thread may ask.
#[must_use]
pub fn can_be_finished(text: &str) -> bool {
    [format!("return {text}\n"), format!("{text}\n")]
        .iter()
        .any(|text| match Compiler::new().compile(text) {
            Ok(_) => true,
            Err(Error::SyntaxError { message, .. }) => message.contains(END),
            Err(_) => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lacks_its_end_can_be_finished() {
        for text in [
            "osc(10)",
            "osc(",
            "osc(20):",
            "1 +",
            "x =",
            "x = {",
            "t[",
            "local",
            "local function f(a)",
            "for i = 1, 3 do",
            "for i = 1, 3",
            "while x",
            "if a then b() else",
            "repeat",
            "f(function() if a then",
            "x = if a then 1",
        ] {
            assert!(can_be_finished(text), "{text:?}");
        }
    }

    #[test]
    fn what_is_wrong_before_its_end_can_not() {
        for text in ["osc(:out()", "solid(0, 1", "x = = {", "for for", "f(]"] {
            assert_eq!(can_be_finished(text), text == "solid(0, 1", "{text:?}");
        }
        let deep = "(".repeat(100_000);
        assert!(!can_be_finished(&deep));
    }
}
