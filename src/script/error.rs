//! What went wrong in a script, said once and in the performer's words.
//!
//! Luau and mlua wrap an error at every boundary it crosses: a callback adds a traceback, a
//! coroutine puts its own position in front, a conversion names Rust types. Here all of that is
//! taken off again, so that the first cause is left, at a line of the user's own file.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The name of the chunks that are ours: their lines are never shown to a user.
pub(crate) const OWN: &str = "[gobo]";

/// Why a script failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The text isn't Lua. `incomplete`: more text could still make it so, as in a prompt.
    Syntax {
        /// The text ends in the middle of a statement.
        incomplete: bool,
    },
    /// An error was raised while the script ran.
    Raised,
    /// The script ran for longer than it may.
    Cut {
        /// How long it may run.
        limit: Duration,
    },
    /// The script asked for more memory than there is for scripts.
    Memory,
    /// A shader isn't WGSL, or no function that gobo can use.
    Shader,
    /// A file can't be read, isn't text, or lies outside the project folder.
    File,
}

/// An error of a script: where, what, and the way there.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}{message}", Place(file.as_deref(), *line))]
pub struct ScriptError {
    /// What kind of failure it is.
    pub(super) cause: Cause,
    /// The file, named from the project folder; `repl` for a typed line.
    pub(super) file: Option<String>,
    /// The line in that file, counted from 1.
    pub(super) line: Option<u32>,
    /// What happened, without the position: lower case, no full stop.
    pub(super) message: String,
    /// The text of that line, where the file is known.
    pub(super) source_line: Option<String>,
    /// The user's own frames, innermost first.
    pub(super) traceback: Box<[Frame]>,
}

impl ScriptError {
    /// An error about a file as a whole.
    pub(crate) fn of_file(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            cause: Cause::File,
            file: Some(name.into()),
            line: None,
            message: message.into(),
            source_line: None,
            traceback: Box::default(),
        }
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.cause
    }

    /// The file, named from the sketch's folder; `repl` for a typed line.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The line in that file, counted from 1.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.line
    }

    /// What happened, without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The text of that line, where it is known.
    #[must_use]
    pub fn source_line(&self) -> Option<&str> {
        self.source_line.as_deref()
    }

    /// The user's own frames, innermost first.
    #[must_use]
    pub fn traceback(&self) -> &[Frame] {
        &self.traceback
    }

    /// Equal for the same error at the same place, so that it can be shown once.
    #[must_use]
    pub fn key(&self) -> String {
        self.to_string()
    }

    /// The source line with its number, as shown below the message; empty where it isn't known.
    #[must_use]
    pub fn excerpt(&self) -> String {
        match (self.line, &self.source_line) {
            (Some(line), Some(text)) => format!("{line:>5} | {text}"),
            _ => String::new(),
        }
    }
}

impl From<crate::shader::ShaderError> for ScriptError {
    fn from(error: crate::shader::ShaderError) -> Self {
        Self {
            cause: Cause::Shader,
            file: Some(error.file),
            line: Some(error.line),
            message: error.message,
            source_line: Some(error.source_line),
            traceback: Box::default(),
        }
    }
}

/// One call on the way to an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The file, named from the project folder.
    pub file: String,
    /// The line in that file, counted from 1.
    pub line: u32,
    /// The function, as Lua names it.
    pub function: String,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: in {}", self.file, self.line, self.function)
    }
}

struct Place<'a>(Option<&'a str>, Option<u32>);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: "),
            (Some(file), None) => write!(f, "{file}: "),
            _ => Ok(()),
        }
    }
}

/// Raised by the guard when a budget is spent.
#[derive(Debug, Clone, thiserror::Error)]
#[error("stopped after {}", Millis(*limit))]
pub(crate) struct Stop {
    pub(crate) limit: Duration,
    pub(crate) traceback: Arc<str>,
}

struct Millis(Duration);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis() {
            ms if ms >= 1000 && ms.is_multiple_of(1000) => write!(f, "{} s", ms / 1000),
            ms => write!(f, "{ms} ms"),
        }
    }
}

/// What is known about the scripts that were running.
pub(crate) trait Known {
    /// Whether a chunk of this name was loaded from a file or a prompt.
    fn has(&self, file: &str) -> bool;
    /// The text of a line of it, counted from 1.
    fn line(&self, file: &str, line: u32) -> Option<String>;
    /// What was noted about the error value that prints as `message`.
    fn noted(&self, message: &str) -> Noted;
}

/// What scripts know of an error before it leaves Lua.
#[derive(Debug, Clone, Default)]
pub(crate) struct Noted {
    /// What to show in place of `table: 0x…`.
    pub(crate) shown: Option<String>,
    /// The traceback at the place where it was raised.
    pub(crate) traceback: Option<String>,
}

/// Nothing is known: a chunk is a user's if it isn't ours.
pub(crate) struct Nothing;

impl Known for Nothing {
    fn has(&self, file: &str) -> bool {
        file != OWN && file != "[C]"
    }
    fn line(&self, _: &str, _: u32) -> Option<String> {
        None
    }
    fn noted(&self, _: &str) -> Noted {
        Noted::default()
    }
}

/// Finds the first cause in an error that came out of Lua.
pub(crate) fn explain(error: &mlua::Error, known: &dyn Known) -> ScriptError {
    let mut root = Root::default();
    root.dig(error);
    if let Some(done) = root.done {
        return done;
    }
    let (mut message, own_traceback) = split_traceback(&root.message);
    let noted = known.noted(&message);
    let traceback = noted.traceback.as_deref().or(own_traceback.as_deref());
    let traceback = frames(traceback.unwrap_or(&root.traceback), known);
    let mut place = None;
    while let Some((file, line, rest)) = position(&message) {
        if known.has(file) {
            place = Some((file.to_owned(), line));
        } else if file != OWN {
            break;
        }
        message = rest.to_owned();
    }
    let place = place.or_else(|| traceback.first().map(|f| (f.file.clone(), f.line)));
    let message = match (&root.cause, noted.shown) {
        (Cause::Memory, _) => "out of memory for scripts".to_owned(),
        (_, Some(shown)) => shown,
        _ => plain(&message),
    };
    let (file, line) = place.unzip();
    let source_line = file.as_deref().zip(line);
    let source_line = source_line.and_then(|(file, line)| known.line(file, line));
    let message = [&root.context, message.trim()].concat();
    ScriptError {
        cause: root.cause,
        file,
        line,
        message,
        source_line,
        traceback,
    }
}

struct Root {
    cause: Cause,
    message: String,
    context: String,
    traceback: String,
    done: Option<ScriptError>,
}

impl Default for Root {
    fn default() -> Self {
        let empty = String::new;
        Self {
            cause: Cause::Raised,
            message: empty(),
            context: empty(),
            traceback: empty(),
            done: None,
        }
    }
}

impl Root {
    fn dig(&mut self, error: &mlua::Error) {
        use mlua::Error;
        match error {
            Error::CallbackError { traceback, cause } => {
                self.traceback.clone_from(traceback);
                self.dig(cause);
            }
            Error::WithContext { context, cause } => {
                self.context.push_str(context);
                self.context.push_str(": ");
                self.dig(cause);
            }
            Error::BadArgument {
                to,
                pos,
                name,
                cause,
            } => {
                let argument = name.clone().unwrap_or_else(|| format!("argument {pos}"));
                let to = to.as_ref().map(|to| format!("{to}: ")).unwrap_or_default();
                self.context.push_str(&format!("{to}{argument}: "));
                self.dig(cause);
            }
            Error::FromLuaConversionError { from, to, message } => {
                self.message = format!("expected {}, got {from}", lua_name(to));
                if let Some(message) = message {
                    self.message += &format!(" ({message})");
                }
            }
            Error::SyntaxError {
                message,
                incomplete_input,
            } => {
                self.cause = Cause::Syntax {
                    incomplete: *incomplete_input,
                };
                self.message.clone_from(message);
            }
            Error::RuntimeError(message) => self.message.clone_from(message),
            Error::MemoryError(_) => self.cause = Cause::Memory,
            Error::ExternalError(inner) => {
                if let Some(stop) = inner.downcast_ref::<Stop>() {
                    self.cause = Cause::Cut { limit: stop.limit };
                    self.traceback = stop.traceback.to_string();
                }
                self.done = inner.downcast_ref::<ScriptError>().cloned();
                self.message = inner.to_string();
            }
            other => self.message = other.to_string(),
        }
    }
}

/// Lua's word for a Rust type that mlua names.
fn lua_name(rust: &str) -> &str {
    match rust {
        "f32" | "f64" | "number" => "number",
        "bool" => "boolean",
        "String" | "&str" | "LuaString" | "str" => "string",
        "Table" => "table",
        "Function" => "function",
        other if other.starts_with(['i', 'u']) && other.len() <= 5 => "whole number",
        other => other,
    }
}

/// Luau's own sentences begin with a capital letter; ours don't.
fn plain(message: &str) -> String {
    if message.starts_with("table: 0x") || message.starts_with("userdata: 0x") {
        let kind = message.split(':').next().unwrap_or_default();
        return format!("an error was raised with a {kind}, not a message");
    }
    let mut chars = message.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => first
            .to_lowercase()
            .chain(message.chars().skip(1))
            .collect(),
        _ => message.to_owned(),
    }
}

fn split_traceback(message: &str) -> (String, Option<String>) {
    match message.split_once("\nstack traceback:") {
        Some((message, traceback)) => (message.to_owned(), Some(traceback.to_owned())),
        None => (message.to_owned(), None),
    }
}

/// Splits `file:12: rest`.
fn position(text: &str) -> Option<(&str, u32, &str)> {
    for (at, _) in text.match_indices(':') {
        let rest = &text[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if at > 0 && digits > 0 && rest[digits..].starts_with(": ") {
            let line = rest[..digits].parse().ok()?;
            return Some((&text[..at], line, &rest[digits + 2..]));
        }
        if text[..at].contains('\n') {
            break;
        }
    }
    None
}

fn frames(traceback: &str, known: &dyn Known) -> Box<[Frame]> {
    let lines = traceback.lines().filter_map(|line| {
        let (file, line, function) = position(line.trim())?;
        let function = function.trim_start_matches("in ").to_owned();
        known.has(file).then(|| Frame {
            file: file.to_owned(),
            line,
            function,
        })
    });
    lines.collect()
}
