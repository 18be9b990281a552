//! The mode of the terminal and the descriptor of standard error, on Unix.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// What was found at the start; nothing when standard input is no terminal.
static FOUND: OnceLock<Option<Termios>> = OnceLock::new();
/// What was in force when the terminal was restored.
static LEFT: Mutex<Option<Termios>> = Mutex::new(None);
/// Standard error as it was found.
static STDERR: OnceLock<File> = OnceLock::new();
static IS_CAPTURED: AtomicBool = AtomicBool::new(false);

pub(super) fn save() {
    FOUND.get_or_init(|| tcgetattr(io::stdin()).ok());
}

/// Whether the terminal belongs to another program now: using it would stop this one, picture and all.
pub(in crate::app) fn is_in_background() -> bool {
    // After the name in brackets: state, parent, own group, session, terminal, the terminal's group.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<_> = after_name.split_whitespace().collect();
    matches!((fields.get(2), fields.get(5)), (Some(own), Some(front)) if own != front)
}

pub(super) fn restore_mode() {
    let Some(Some(found)) = FOUND.get() else {
        return;
    };
    let Ok(now) = tcgetattr(io::stdin()) else {
        return;
    };
    // A terminal that is gone needs no mode.
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, found);
    if let Ok(mut left) = LEFT.try_lock() {
        *left = Some(now);
    }
}

pub(super) fn resume() {
    let left = LEFT.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(left) = left
        && let Err(error) = tcsetattr(io::stdin(), OptionalActions::Now, &left)
    {
        log::debug!("can't take the terminal back: {error}");
    }
    if STDERR.get().is_some()
        && let Err(error) = capture_stderr()
    {
        log::debug!("can't catch standard error again: {error}");
    }
}

pub(super) fn capture_stderr() -> io::Result<()> {
    if IS_CAPTURED.load(Ordering::Acquire) {
        return Ok(());
    }
    if STDERR.get().is_none() {
        let found = File::from(io::stderr().as_fd().try_clone_to_owned()?);
        // Whoever was first has set the same.
        let _ = STDERR.set(found);
    }
    let (reader, writer) = io::pipe()?;
    std::thread::Builder::new()
        .name("native".into())
        .spawn(move || {
            let mut reader = BufReader::new(reader);
            let mut line = Vec::new();
            while reader
                .read_until(b'\n', &mut line)
                .is_ok_and(|length| length > 0)
            {
                log::debug!("native: {}", String::from_utf8_lossy(&line).trim_end());
                line.clear();
            }
        })?;
    rustix::stdio::dup2_stderr(&writer)?;
    IS_CAPTURED.store(true, Ordering::Release);
    Ok(())
}

pub(super) fn release_stderr() {
    if IS_CAPTURED.swap(false, Ordering::AcqRel)
        && let Some(found) = STDERR.get()
    {
        // There is nowhere left to say that it failed.
        let _ = rustix::stdio::dup2_stderr(found);
    }
}

/// Whether standard error, as it was found, is a terminal.
pub(in crate::app) fn is_stderr_shown() -> bool {
    STDERR
        .get()
        .map_or_else(|| io::stderr().is_terminal(), IsTerminal::is_terminal)
}

/// Writes to standard error as it was found.
pub(in crate::app) fn write_stderr(text: &str) {
    // There is nowhere left to say that it failed.
    let _ = match STDERR.get() {
        Some(mut found) => found.write_all(text.as_bytes()),
        None => io::stderr().write_all(text.as_bytes()),
    };
}
