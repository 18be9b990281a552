//! One way out for everything that is said in the terminal.
//!
//! Whoever prints hands over a text and goes on at once: a thread of its own brings it to the terminal, above the
//! prompt while a line is typed, and plainly otherwise. A terminal that stands still can so never hold a frame up;
//! when too much piles up, lines are left out and counted.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use rustyline::ExternalPrinter;

use super::gate::Gate;
use crate::app::terminal;

/// Texts that may wait before some are left out.
const QUEUE: usize = 1024;
/// Texts are joined up to this size, so that a flood redraws the prompt seldom.
const JOINED_BYTES: usize = 16 << 10;
/// Redraws the prompt: one line up and down again, since the editor ends each text with a new line.
const REPAINT: &str = "\x1b[A\n";

enum Parcel {
    /// An answer, for standard output.
    Answer(String),
    /// A line of the log, for standard error.
    Log(String),
    Repaint,
    Flush(SyncSender<()>),
}

/// How texts reach the terminal.
pub(super) enum Way {
    /// Above the prompt.
    Prompt {
        editor: Box<dyn ExternalPrinter + Send>,
        gate: Arc<Gate>,
        /// Standard error leads elsewhere, and so does the log.
        is_log_apart: bool,
    },
    /// Straight to standard output and standard error.
    Plain,
}

/// Prints in the terminal without ever waiting for it. Clones print through the same queue.
#[derive(Clone)]
pub struct Printer {
    parcels: SyncSender<Parcel>,
    left_out: Arc<AtomicUsize>,
}

impl Printer {
    /// Prints plainly, for when there is no prompt.
    ///
    /// # Errors
    /// When the thread can't be started.
    pub fn plain() -> std::io::Result<Self> {
        Self::start(Way::Plain)
    }

    pub(super) fn start(way: Way) -> std::io::Result<Self> {
        let (parcels, received) = sync_channel(QUEUE);
        let left_out = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&left_out);
        std::thread::Builder::new()
            .name("printer".into())
            .spawn(move || run(way, &received, &count))?;
        Ok(Self { parcels, left_out })
    }

    /// Prints an answer, with a line break after it. Control characters are shown, not sent.
    pub fn print(&self, text: &str) {
        self.send(Parcel::Answer(visible(text)));
    }

    /// Prints a line of the log as it is; false when nothing prints any more.
    pub(in crate::app) fn log(&self, text: String) -> bool {
        self.send(Parcel::Log(text))
    }

    /// Draws the prompt anew, after something else was drawn over it.
    pub(in crate::app) fn repaint(&self) {
        self.send(Parcel::Repaint);
    }

    /// Waits until all that was printed so far is in the terminal, at most so long; whether it is.
    pub fn flush(&self, at_most: Duration) -> bool {
        let start = Instant::now();
        let (done, wait) = sync_channel(1);
        let mut parcel = Parcel::Flush(done);
        loop {
            parcel = match self.parcels.try_send(parcel) {
                Ok(()) => {
                    return wait
                        .recv_timeout(at_most.saturating_sub(start.elapsed()))
                        .is_ok();
                }
                Err(TrySendError::Full(parcel)) if start.elapsed() < at_most => parcel,
                Err(_) => return false,
            };
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn send(&self, parcel: Parcel) -> bool {
        match self.parcels.try_send(parcel) {
            Ok(()) => true,
            Err(TrySendError::Full(_)) => {
                self.left_out.fetch_add(1, Ordering::Relaxed);
                true
            }
            Err(TrySendError::Disconnected(_)) => false,
        }
    }
}

/// Shows control characters instead of sending them, so that no text can move the cursor or colour what follows.
pub(in crate::app) fn visible(text: &str) -> String {
    let is_harmless = |c: char| !c.is_control() || c == '\n' || c == '\t';
    if text.chars().all(is_harmless) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.replace("\r\n", "\n").chars() {
        if is_harmless(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_default());
        }
    }
    shown
}

fn run(mut way: Way, parcels: &Receiver<Parcel>, left_out: &AtomicUsize) {
    let mut next = None;
    while let Some(parcel) = next.take().or_else(|| parcels.recv().ok()) {
        match parcel {
            Parcel::Answer(text) => {
                let (text, other) = gather(text, parcels, |parcel| match parcel {
                    Parcel::Answer(text) => Ok(text),
                    other => Err(other),
                });
                next = other;
                way.print(text, false);
            }
            Parcel::Log(text) => {
                let (text, other) = gather(text, parcels, |parcel| match parcel {
                    Parcel::Log(text) => Ok(text),
                    other => Err(other),
                });
                next = other;
                way.print(text, true);
            }
            Parcel::Repaint => way.repaint(),
            Parcel::Flush(done) => {
                way.flush();
                // Whoever asked may have stopped waiting.
                let _ = done.try_send(());
            }
        }
        let count = left_out.swap(0, Ordering::Relaxed);
        if count > 0 {
            way.print(format!("gobo: {count} lines left out\n"), true);
        }
    }
}

/// Joins what waits and is of the same kind; also the first thing that isn't.
fn gather(
    first: String,
    parcels: &Receiver<Parcel>,
    same: impl Fn(Parcel) -> Result<String, Parcel>,
) -> (String, Option<Parcel>) {
    let mut text = first;
    text.push('\n');
    while text.len() < JOINED_BYTES {
        match parcels.try_recv().map(&same) {
            Ok(Ok(more)) => {
                text.push_str(&more);
                text.push('\n');
            }
            Ok(Err(other)) => return (text, Some(other)),
            Err(_) => break,
        }
    }
    (text, None)
}

impl Way {
    /// A terminal that is gone can't be told so: errors end here.
    fn print(&mut self, text: String, is_log: bool) {
        let mut plain = Self::Plain;
        let way = if terminal::is_restored() {
            &mut plain
        } else {
            self
        };
        match way {
            Self::Prompt {
                is_log_apart: true, ..
            } if is_log => terminal::write_stderr(&text),
            Self::Prompt { editor, gate, .. } => {
                let _ = gate.print(|| editor.print(text));
            }
            Self::Plain if is_log => terminal::write_stderr(&text),
            Self::Plain => {
                let mut out = std::io::stdout().lock();
                let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            }
        }
    }

    fn repaint(&mut self) {
        if let Self::Prompt { editor, gate, .. } = self
            && gate.is_editing()
        {
            let _ = gate.print(|| editor.print(REPAINT.into()));
        }
    }

    /// The editor takes one text at a time: when it has taken a second repaint, all before the first is shown.
    fn flush(&mut self) {
        self.repaint();
        self.repaint();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]

    use super::*;
    use std::sync::Mutex;

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<String>>>);

    impl ExternalPrinter for Page {
        fn print(&mut self, text: String) -> rustyline::Result<()> {
            self.0.lock().unwrap().push(text);
            Ok(())
        }
    }

    fn through_prompt() -> (Printer, Page, Arc<Gate>) {
        let (page, gate) = (Page::default(), Arc::new(Gate::new()));
        let way = Way::Prompt {
            editor: Box::new(page.clone()),
            gate: Arc::clone(&gate),
            is_log_apart: false,
        };
        (Printer::start(way).unwrap(), page, gate)
    }

    #[test]
    fn answers_arrive_in_order() {
        let (printer, page, _gate) = through_prompt();
        for number in 0..500 {
            printer.print(&number.to_string());
        }
        assert!(printer.flush(Duration::from_secs(10)));
        let expected: String = (0..500).map(|number| format!("{number}\n")).collect();
        assert_eq!(page.0.lock().unwrap().concat(), expected);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let (printer, page, gate) = through_prompt();
        gate.enter();
        for number in 0..3000 {
            printer.print(&number.to_string());
        }
        gate.leave();
        assert!(printer.flush(Duration::from_secs(10)));
        printer.print("after");
        assert!(printer.flush(Duration::from_secs(10)));
        let text = page.0.lock().unwrap().concat();
        assert!(text.contains("lines left out\n"), "{text}");
        assert!(text.ends_with("after\n"), "{text}");
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(visible("a\tb\nc ä"), "a\tb\nc ä");
        assert_eq!(visible("a\x1b[2Jb\u{9b}c"), "a\\u{1b}[2Jb\\u{9b}c");
        assert_eq!(visible("a\r\nb\rc"), "a\nb\\rc");
    }
}
