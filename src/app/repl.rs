//! The prompt: lines typed while the show runs, and everything that is said below it.
//!
//! The editor, the printer and the show each have a thread; lines come to the show through a bounded channel, and
//! what the show says goes out through a [`Printer`] that never waits. Without a terminal, lines are read as they
//! come and answers go to standard output.

mod completion;
mod gate;
mod history;
mod lua;
mod plain;
mod printer;
mod prompt;

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::sync::{Arc, RwLock};
use std::time::Duration;

pub use completion::Completions;
pub use lua::is_incomplete;
pub use printer::Printer;

pub(in crate::app) use printer::visible;

use super::{log as app_log, terminal};
use gate::Gate;
use printer::Way;
use prompt::Prompt;

/// Entries that may wait before the editor does.
const QUEUE: usize = 64;
/// How long a slow terminal is waited for at the end.
pub(in crate::app) const LAST_WORDS: Duration = Duration::from_secs(1);

/// What came from the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A finished piece of Lua, of one line or several.
    Line(String),
    /// The end of the input: a pipe ran dry, or Ctrl-D on an empty line. Nothing follows.
    Eof,
    /// Ctrl-C twice on an empty line. Nothing follows.
    Interrupt,
}

/// Why there is no prompt.
#[derive(Debug, thiserror::Error)]
pub enum ReplError {
    /// A thread did not start.
    #[error("can't start the prompt: {0}")]
    Thread(#[from] std::io::Error),
    /// The editor did not start.
    #[error("can't start the line editor: {0}")]
    Editor(#[from] rustyline::error::ReadlineError),
}

/// The running prompt.
pub struct Repl {
    entries: Receiver<Entry>,
    printer: Printer,
    completions: Arc<RwLock<Completions>>,
    is_interactive: bool,
    /// Closes when the prompt's thread ends.
    ended: Receiver<()>,
}

impl Repl {
    /// Shows the prompt where standard input and output are a terminal; reads standard input plainly otherwise.
    /// The log is printed above the prompt from now on.
    ///
    /// # Errors
    /// When a thread or the editor can't be started.
    pub fn start() -> Result<Self, ReplError> {
        let (sender, entries) = sync_channel(QUEUE);
        let (running, ended) = sync_channel::<()>(0);
        let completions = Arc::new(RwLock::new(Completions::default()));
        terminal::capture_stderr()?;
        let is_typed = std::io::stdin().is_terminal();
        let is_interactive =
            is_typed && std::io::stdout().is_terminal() && !terminal::is_in_background();
        let thread = std::thread::Builder::new().name("prompt".into());
        let printer = if is_interactive {
            let gate = Arc::new(Gate::new());
            let mut prompt = Prompt::new(
                Arc::clone(&completions),
                Arc::clone(&gate),
                history::prepare(),
            )?;
            let way = match prompt.external_printer() {
                Ok(editor) => Way::Prompt {
                    editor,
                    gate,
                    is_log_apart: !terminal::is_stderr_shown(),
                },
                // A terminal without escape codes.
                Err(_) => Way::Plain,
            };
            let printer = Printer::start(way)?;
            let own_printer = printer.clone();
            thread.spawn(move || {
                prompt.run(&sender, &own_printer);
                drop(running);
            })?;
            printer
        } else {
            // In the background, reading what is typed would stop the program.
            if !(is_typed && terminal::is_in_background()) {
                thread.spawn(move || plain::read(std::io::stdin().lock(), &sender))?;
            }
            Printer::plain()?
        };
        app_log::print_through(&printer);
        Ok(Self {
            entries,
            printer,
            completions,
            is_interactive,
            ended,
        })
    }

    /// Where entries arrive.
    pub fn entries(&self) -> &Receiver<Entry> {
        &self.entries
    }

    /// Prints answers.
    pub fn printer(&self) -> &Printer {
        &self.printer
    }

    /// What Tab completes; to be filled by whoever loads sketches.
    pub fn completions(&self) -> &Arc<RwLock<Completions>> {
        &self.completions
    }

    /// Whether somebody can type, so that [`Entry::Eof`] means that they want to leave.
    pub fn is_interactive(&self) -> bool {
        self.is_interactive
    }

    /// Takes the terminal back when a panic that was caught has given it away; to be called once a frame.
    pub fn resume(&self) {
        if terminal::resume() {
            self.printer.repaint();
        }
    }
}

impl Drop for Repl {
    /// Shows what was printed so far and takes the prompt away; printers go on printing plainly.
    fn drop(&mut self) {
        if !self.is_interactive || terminal::is_restored() {
            self.printer.flush(LAST_WORDS);
            return;
        }
        self.printer.flush(LAST_WORDS);
        let has_ended = matches!(self.ended.try_recv(), Err(TryRecvError::Disconnected));
        if !has_ended && terminal::interrupt_editor() {
            // The thread ends by closing the channel; one that hangs in its terminal is left behind.
            let _ = self.ended.recv_timeout(LAST_WORDS);
        }
    }
}
