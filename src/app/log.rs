//! The log: what the program says without being asked.
//!
//! A line reads `gobo: text`. A warning or error that repeats, sixty times a second at worst, is shown once and
//! then with a count each time the count has grown tenfold, until [`forget`] is called. `GOBO_LOG` sets how much is
//! said: `off`, `error`, `warn`, `info` (the default), `debug` or `trace`. What the libraries have to say can't be
//! acted on by a performer and is shown from `debug` on.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

use log::{Level, LevelFilter, Log, Metadata, Record};

use super::repl::{LAST_WORDS, Printer, visible};
use super::terminal;

/// So many different messages are told apart before the count begins anew.
const MAX_SEEN: usize = 1000;

static LOGGER: OnceLock<Logger> = OnceLock::new();

/// Starts logging to standard error. Calling it again changes nothing.
pub fn install() {
    let asked = std::env::var("GOBO_LOG").ok();
    let level = asked
        .as_deref()
        .map_or(Some(LevelFilter::Info), |level| level.parse().ok());
    let logger = LOGGER.get_or_init(|| Logger {
        level: level.unwrap_or(LevelFilter::Info),
        is_coloured: std::io::stderr().is_terminal()
            && is_colour_wanted(|name| std::env::var_os(name)),
        seen: Mutex::default(),
        printer: RwLock::new(None),
    });
    if log::set_logger(logger).is_ok() {
        log::set_max_level(logger.level);
        if level.is_none() {
            let asked = asked.unwrap_or_default();
            log::warn!("GOBO_LOG: expected off, error, warn, info, debug or trace, got {asked:?}");
        }
    }
}

/// Logs through this printer from now on.
pub fn print_through(printer: &Printer) {
    if let Some(logger) = LOGGER.get() {
        *logger
            .printer
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Some(printer.clone());
    }
}

/// Shows warnings and errors that were shown before anew, since what they spoke of was changed.
pub fn forget() {
    if let Some(logger) = LOGGER.get() {
        logger
            .seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .clear();
    }
}

fn is_colour_wanted(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> bool {
    let is_refused = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    !is_refused && variable("TERM").is_some_and(|value| !value.is_empty() && value != "dumb")
}

/// Counts equal messages.
#[derive(Default)]
struct Seen(HashMap<String, u64>);

impl Seen {
    /// The count, when it is time to show the message.
    fn count(&mut self, text: &str) -> Option<u64> {
        if self.0.len() >= MAX_SEEN {
            self.0.clear();
        }
        let count = match self.0.get_mut(text) {
            Some(count) => count,
            None => self.0.entry(text.to_owned()).or_default(),
        };
        *count += 1;
        let is_power_of_ten = 10_u64.pow(count.ilog10()) == *count;
        is_power_of_ten.then_some(*count)
    }
}

struct Logger {
    level: LevelFilter,
    is_coloured: bool,
    seen: Mutex<Seen>,
    printer: RwLock<Option<Printer>>,
}

/// How much libraries may say at a level of ours.
fn of_libraries(level: LevelFilter) -> LevelFilter {
    match level {
        LevelFilter::Debug => LevelFilter::Warn,
        LevelFilter::Trace => LevelFilter::Info,
        _ => LevelFilter::Off,
    }
}

fn line(level: Level, text: &str, count: u64, is_coloured: bool) -> String {
    let text = visible(text);
    let text = text.trim_end();
    let times = if count > 1 {
        format!(" (×{count})")
    } else {
        String::new()
    };
    let plain = format!("gobo: {text}{times}");
    let colour = match level {
        Level::Error => "31",
        Level::Warn => "33",
        _ => return plain,
    };
    if is_coloured {
        format!("\x1b[{colour}m{plain}\x1b[0m")
    } else {
        plain
    }
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let target = metadata.target();
        let is_ours = target == "gobo" || target.starts_with("gobo::");
        // The editor logs each key; printing that would make it log again.
        let is_editor = target.starts_with("rustyline");
        let level = if is_ours {
            self.level
        } else {
            of_libraries(self.level)
        };
        metadata.level() <= level && !is_editor
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let text = record.args().to_string();
        let count = if record.level() <= Level::Warn {
            self.seen
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .count(&text)
        } else {
            Some(1)
        };
        let Some(count) = count else { return };
        let line = line(record.level(), &text, count, self.is_coloured);
        let printer = self.printer.read().unwrap_or_else(PoisonError::into_inner);
        if !printer
            .as_ref()
            .is_some_and(|printer| printer.log(line.clone()))
        {
            terminal::write_stderr(&format!("{line}\n"));
        }
    }

    /// Waits until what was logged has been shown, a second at the most.
    fn flush(&self) {
        let printer = self.printer.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(printer) = printer.as_ref() {
            printer.flush(LAST_WORDS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_shown_once_and_then_at_each_tenfold() {
        let mut seen = Seen::default();
        let shown: Vec<_> = (0..1000).filter_map(|_| seen.count("a")).collect();
        assert_eq!(shown, [1, 10, 100, 1000]);
        assert_eq!(seen.count("b"), Some(1));
    }

    #[test]
    fn different_messages_without_end_take_bounded_memory() {
        let mut seen = Seen::default();
        (0..10 * MAX_SEEN).for_each(|number| assert_eq!(seen.count(&number.to_string()), Some(1)));
        assert!(seen.0.len() <= MAX_SEEN);
    }

    #[test]
    fn a_line_names_the_program() {
        assert_eq!(
            line(Level::Info, "reloaded a.lua", 1, true),
            "gobo: reloaded a.lua"
        );
        assert_eq!(
            line(Level::Error, "a.lua:3: no\n", 1, false),
            "gobo: a.lua:3: no"
        );
        assert_eq!(line(Level::Error, "no", 1, true), "\x1b[31mgobo: no\x1b[0m");
        assert_eq!(line(Level::Warn, "no", 10, false), "gobo: no (×10)");
        assert_eq!(line(Level::Info, "a\x1b[2J", 1, true), "gobo: a\\u{1b}[2J");
    }

    #[test]
    fn colour_is_for_terminals_that_want_it() {
        let wanted = |variables: &[(&str, &str)]| {
            is_colour_wanted(|name| {
                variables
                    .iter()
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| value.into())
            })
        };
        assert!(wanted(&[("TERM", "xterm")]));
        assert!(wanted(&[("TERM", "xterm"), ("NO_COLOR", "")]));
        assert!(!wanted(&[("TERM", "xterm"), ("NO_COLOR", "1")]));
        assert!(!wanted(&[("TERM", "dumb")]));
        assert!(!wanted(&[]));
    }

    #[test]
    fn libraries_are_heard_from_debug_on() {
        let logger = |level| Logger {
            level,
            is_coloured: false,
            seen: Mutex::default(),
            printer: RwLock::new(None),
        };
        let hears = |level, target: &str, of| {
            logger(level).enabled(&Metadata::builder().target(target).level(of).build())
        };
        assert!(hears(LevelFilter::Info, "gobo::app", Level::Info));
        assert!(!hears(LevelFilter::Info, "gobo::app", Level::Debug));
        assert!(!hears(LevelFilter::Info, "wgpu_hal", Level::Error));
        assert!(!hears(LevelFilter::Info, "gobolin", Level::Error));
        assert!(hears(LevelFilter::Debug, "wgpu_hal", Level::Warn));
        assert!(!hears(LevelFilter::Trace, "rustyline", Level::Error));
    }
}
