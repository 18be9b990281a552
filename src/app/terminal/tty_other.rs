//! Where the line editor itself looks after the console's mode, only standard error is left to do.

use std::io::{self, IsTerminal, Write};

pub(super) fn save() {}

pub(in crate::app) fn is_in_background() -> bool {
    false
}

pub(super) fn restore_mode() {
    // Undoes what a prompt set that was not left in order.
    let _ = crossterm::terminal::disable_raw_mode();
}

pub(super) fn resume() {}

/// Libraries on these systems keep quiet.
pub(super) fn capture_stderr() -> io::Result<()> {
    Ok(())
}

pub(super) fn release_stderr() {}

pub(in crate::app) fn is_stderr_shown() -> bool {
    io::stderr().is_terminal()
}

pub(in crate::app) fn write_stderr(text: &str) {
    // There is nowhere left to say that it failed.
    let _ = io::stderr().write_all(text.as_bytes());
}
