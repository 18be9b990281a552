//! The line editor: reads lines on its own thread until the performer leaves.

use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Editor, Event, EventContext,
    EventHandler, ExternalPrinter, Helper, KeyEvent, RepeatCount,
};

use super::gate::Gate;
use super::printer::Printer;
use super::{Completions, Entry, lua};
use crate::app::terminal::{self, Stop};

const FIRST: &str = "gobo> ";
const NEXT: &str = "  ... ";
const HISTORY_LINES: usize = 2000;

/// The line that was typed when Ctrl-C was pressed.
type Aborted = Arc<Mutex<Option<String>>>;

/// The prompt, before its thread runs.
pub(super) struct Prompt {
    editor: Editor<Assistant, FileHistory>,
    history: Option<PathBuf>,
    gate: Arc<Gate>,
    aborted: Aborted,
}

impl Prompt {
    pub(super) fn new(
        completions: Arc<RwLock<Completions>>,
        gate: Arc<Gate>,
        history: Option<PathBuf>,
    ) -> rustyline::Result<Self> {
        let config = Config::builder()
            .max_history_size(HISTORY_LINES)?
            .completion_type(CompletionType::List)
            // While the list is asked for by a second key, nothing could be printed.
            .completion_show_all_if_ambiguous(true)
            .completion_prompt_limit(usize::MAX)
            .bell_style(rustyline::config::BellStyle::None)
            .build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Assistant {
            completions,
            gate: Arc::clone(&gate),
        }));
        let aborted = Aborted::default();
        let key = |handler| {
            EventHandler::Conditional(Box::new(Key {
                handler,
                gate: Arc::clone(&gate),
                aborted: Arc::clone(&aborted),
            }))
        };
        editor.bind_sequence(KeyEvent::ctrl('C'), key(Handler::Interrupt));
        editor.bind_sequence(KeyEvent::ctrl('D'), key(Handler::End));
        editor.bind_sequence(KeyEvent::ctrl('L'), key(Handler::Clear));
        editor.bind_sequence(
            KeyEvent(rustyline::KeyCode::Tab, rustyline::Modifiers::NONE),
            key(Handler::Tab),
        );
        if let Some(path) = &history
            && let Err(error) = editor.load_history(path)
        {
            log::debug!("history: {}: {error}", path.display());
        }
        Ok(Self {
            editor,
            history,
            gate,
            aborted,
        })
    }

    /// Prints above the prompt; an error where the terminal can't.
    pub(super) fn external_printer(
        &mut self,
    ) -> rustyline::Result<Box<dyn ExternalPrinter + Send>> {
        Ok(Box::new(self.editor.create_external_printer()?))
    }

    /// Reads until the performer leaves or nobody listens.
    pub(super) fn run(mut self, entries: &SyncSender<Entry>, printer: &Printer) {
        let last = self.read(entries, printer);
        self.gate.leave();
        terminal::set_prompt(false);
        if let Some(last) = last {
            // Nobody listening is the other way to end.
            let _ = entries.send(last);
        }
    }

    fn read(&mut self, entries: &SyncSender<Entry>, printer: &Printer) -> Option<Entry> {
        let mut text = String::new();
        let mut interrupts = 0;
        loop {
            let prompt = GatedPrompt {
                text: if text.is_empty() { FIRST } else { NEXT },
                gate: &self.gate,
            };
            self.gate.enter();
            let line = self.editor.readline(&prompt);
            terminal::set_prompt(false);
            self.gate.leave();
            match line {
                Ok(line) => {
                    interrupts = 0;
                    text.push_str(&line);
                    if lua::is_incomplete(&text) {
                        text.push('\n');
                        continue;
                    }
                    let whole = std::mem::take(&mut text);
                    let whole = whole.trim_end();
                    if whole.trim().is_empty() {
                        continue;
                    }
                    self.remember(whole);
                    entries.send(Entry::Line(whole.to_owned())).ok()?;
                }
                Err(ReadlineError::Interrupted) => {
                    let Some(line) = self
                        .aborted
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .take()
                    else {
                        // No key: the editor has caught the signal in our place.
                        terminal::stop(Stop::Interrupt);
                        return None;
                    };
                    text.push_str(&line);
                    let aborted = std::mem::take(&mut text);
                    if !aborted.trim().is_empty() {
                        interrupts = 0;
                        self.remember(aborted.trim_end());
                        continue;
                    }
                    interrupts += 1;
                    if interrupts == 2 {
                        return Some(Entry::Interrupt);
                    }
                    printer.print("Ctrl-C once more stops the show");
                }
                Err(ReadlineError::Eof) if !text.is_empty() => text.clear(),
                Err(ReadlineError::Signal(_)) => {}
                Err(ReadlineError::Io(error))
                    if error.kind() == std::io::ErrorKind::InvalidData => {}
                Err(ReadlineError::Eof) => return Some(Entry::Eof),
                Err(error) => {
                    log::debug!("the prompt ended: {error}");
                    return Some(Entry::Eof);
                }
            }
        }
    }

    fn remember(&mut self, text: &str) {
        let result = self
            .editor
            .add_history_entry(text)
            .and_then(|is_new| match &self.history {
                Some(path) if is_new => self.editor.append_history(path),
                _ => Ok(()),
            });
        if let Err(error) = result {
            log::debug!("history: {error}");
        }
    }
}

/// A prompt that opens the gate when it is drawn: the editor is ready for text from elsewhere then.
struct GatedPrompt<'a> {
    text: &'static str,
    gate: &'a Gate,
}

impl rustyline::Prompt for GatedPrompt<'_> {
    fn raw(&self) -> &str {
        terminal::set_prompt(true);
        self.gate.open();
        self.text
    }
}

struct Assistant {
    completions: Arc<RwLock<Completions>>,
    gate: Arc<Gate>,
}

impl Helper for Assistant {}
impl Highlighter for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self
            .completions
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .candidates(line, at))
    }
}

impl Validator for Assistant {
    fn validate(&self, _: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        self.gate.close();
        Ok(ValidationResult::Valid(None))
    }
}

enum Handler {
    Interrupt,
    End,
    Clear,
    Tab,
}

struct Key {
    handler: Handler,
    gate: Arc<Gate>,
    aborted: Aborted,
}

impl ConditionalEventHandler for Key {
    fn handle(
        &self,
        _: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        match self.handler {
            Handler::Interrupt => {
                *self.aborted.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(context.line().to_owned());
                self.gate.close();
                None
            }
            Handler::End => {
                if context.line().is_empty() {
                    self.gate.close();
                }
                None
            }
            Handler::Clear => {
                let (top, _) = terminal::region()?;
                let mut out = std::io::stdout().lock();
                let _ = write!(out, "\x1b[{top};1H\x1b[J").and_then(|()| out.flush());
                Some(Cmd::Repaint)
            }
            Handler::Tab => {
                let before = context.line().get(..context.pos())?;
                let line = before.rsplit('\n').next()?;
                line.trim().is_empty().then(|| Cmd::Insert(1, "  ".into()))
            }
        }
    }
}
