//! Whose turn it is to write to the terminal: the prompt's or the printer's.
//!
//! While a line is edited, text must go through the editor, which moves the prompt out of the way; while none is,
//! it goes straight to the terminal. The editor's own printer decides by a flag that changes while the prompt is
//! being drawn or taken away, so text could land in between. The gate closes these two moments.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// No moment between prompts takes this long; if the editor changed its mind, text goes on after it.
const MOMENT: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No prompt.
    Away,
    /// A line is edited.
    Editing,
    /// The prompt is about to appear or to go.
    Between,
}

struct State {
    phase: Phase,
    is_printing: bool,
}

/// One for each prompt, shared by the thread that edits and the thread that prints.
pub(super) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

impl Gate {
    pub(super) fn new() -> Self {
        let state = State {
            phase: Phase::Away,
            is_printing: false,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, phase: Phase) {
        let mut state = self.lock();
        if state.phase != phase {
            state.phase = phase;
            self.changed.notify_all();
        }
    }

    /// The prompt is about to appear.
    pub(super) fn enter(&self) {
        self.set(Phase::Between);
    }

    /// The prompt is up and takes text.
    pub(super) fn open(&self) {
        self.set(Phase::Editing);
    }

    /// The line was accepted: the prompt is about to go. Waits for text that is on its way.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.phase = Phase::Between;
        // A printer that waits for the editor is past the point that matters.
        drop(
            self.changed
                .wait_timeout_while(state, MOMENT, |state| state.is_printing),
        );
    }

    /// The prompt is gone.
    pub(super) fn leave(&self) {
        self.set(Phase::Away);
    }

    /// Whether a line is being edited.
    pub(super) fn is_editing(&self) -> bool {
        self.lock().phase == Phase::Editing
    }

    /// Prints at a moment when it can't fall between the prompt and its line.
    pub(super) fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        let state = self.lock();
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, MOMENT, |state| state.phase == Phase::Between)
            .unwrap_or_else(PoisonError::into_inner);
        if state.phase == Phase::Away {
            return print();
        }
        state.is_printing = true;
        drop(state);
        let result = print();
        self.lock().is_printing = false;
        self.changed.notify_all();
        result
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]

    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn text_waits_while_the_prompt_appears() {
        let gate = Gate::new();
        gate.enter();
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            scope.spawn(|| gate.print(|| sender.send(gate.is_printing_now()).unwrap()));
            gate.open();
            assert!(receiver.recv().unwrap(), "printed through the open prompt");
        });
    }

    #[test]
    fn a_blocked_printer_does_not_hold_up_the_prompt() {
        let gate = Gate::new();
        gate.open();
        let (started, wait_started) = channel();
        let (release, wait_release) = channel();
        std::thread::scope(|scope| {
            let gate = &gate;
            scope.spawn(move || {
                gate.print(|| {
                    started.send(()).unwrap();
                    wait_release.recv().unwrap();
                });
            });
            wait_started.recv().unwrap();
            gate.close();
            gate.leave();
            release.send(()).unwrap();
        });
        assert!(!gate.is_editing());
    }

    #[test]
    fn nothing_waits_for_ever() {
        let gate = Gate::new();
        gate.enter();
        assert_eq!(gate.print(|| 5), 5);
    }

    impl Gate {
        fn is_printing_now(&self) -> bool {
            self.lock().is_printing
        }
    }
}
