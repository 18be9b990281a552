//! The terminal as it was found, and as it must be left.
//!
//! A prompt changes the terminal's mode, a picture in the terminal its scroll region, and the noise that libraries
//! write to standard error is caught meanwhile. However the program ends, [`restore`] undoes all of it: at the end
//! of main by the guard that [`install`] returns, in a panic, and when a signal comes for the second time.

mod signals;
#[cfg_attr(not(unix), path = "terminal/tty_other.rs")]
mod tty;

use std::io::Write;
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

pub use signals::Stop;

pub(super) use signals::{interrupt_editor, stop};
pub(super) use tty::{is_in_background, is_stderr_shown, write_stderr};

/// How long a picture that is being drawn is waited for.
const DRAWING: Duration = Duration::from_millis(200);

static IS_PROMPT_UP: AtomicBool = AtomicBool::new(false);
/// Nobody else has changed the terminal's mode if not.
static WAS_PROMPT_UP: AtomicBool = AtomicBool::new(false);
static IS_RESTORED: AtomicBool = AtomicBool::new(false);
static WAS_PANIC: AtomicBool = AtomicBool::new(false);
/// Top and bottom row of the scroll region, each in 16 bits; 0 without one.
static REGION: AtomicU32 = AtomicU32::new(0);
/// Held while a picture is drawn.
static DRAWN: Mutex<()> = Mutex::new(());

/// Restores the terminal when it is dropped.
#[must_use = "the terminal is restored when this is dropped"]
pub struct Terminal {
    stops: Receiver<Stop>,
}

impl Terminal {
    /// Where requests to stop arrive. The second SIGINT or SIGTERM restores the terminal and exits at once, with
    /// 128 and the signal's number.
    pub fn stops(&self) -> &Receiver<Stop> {
        &self.stops
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Remembers the terminal's state, installs the panic hook and turns signals into messages; to be called first, on
/// the main thread, and once.
///
/// A panic on this thread restores the terminal before the usual text is printed. One on any other thread leaves
/// the show running, so it becomes an error in the log.
///
/// # Errors
/// When the system refuses to report signals, or when it was called before.
pub fn install() -> std::io::Result<Terminal> {
    tty::save();
    let stops = signals::listen()?;
    let main = std::thread::current().id();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name() == Some(crate::gpu::COMPILER) {
            // It catches what a driver does with a shader, and says so itself.
            return;
        }
        let is_logged = log::max_level() >= log::LevelFilter::Error;
        if std::thread::current().id() != main && is_logged {
            log::error!("{}", describe(info));
            return;
        }
        WAS_PANIC.store(true, Ordering::Release);
        restore();
        usual(info);
    }));
    Ok(Terminal { stops })
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("without a name");
    let text = info.payload_as_str().unwrap_or("no text");
    let place = info
        .location()
        .map(|place| format!(" ({place})"))
        .unwrap_or_default();
    format!("the thread {name} failed: {text}{place}")
}

/// Leaves the terminal as it was found. Harmless when there is nothing to restore, and when called again.
pub fn restore() {
    if IS_RESTORED.swap(true, Ordering::AcqRel) {
        return;
    }
    // A picture half drawn would be finished after the region is gone; a thread that hangs is not waited for.
    let _drawn = try_lock_for(&DRAWN, DRAWING);
    if WAS_PROMPT_UP.load(Ordering::Acquire) {
        tty::restore_mode();
    }
    let mut text = String::new();
    if let Some((_, bottom)) = region() {
        text.push_str(&format!("\x1b[r\x1b[0m\x1b[?25h\x1b[{bottom};1H"));
    }
    let is_prompt_up = IS_PROMPT_UP.load(Ordering::Acquire);
    if is_prompt_up {
        text.push_str("\x1b[?2004l");
    }
    if !text.is_empty() {
        text.push('\n');
        write(&text);
    }
    tty::release_stderr();
}

/// Whether the terminal was given back.
pub(super) fn is_restored() -> bool {
    IS_RESTORED.load(Ordering::Acquire)
}

/// Takes the terminal back after a panic that was caught. True when it did something.
pub(super) fn resume() -> bool {
    if !WAS_PANIC.swap(false, Ordering::AcqRel) {
        return false;
    }
    tty::resume();
    // The next picture sets its region anew.
    REGION.store(0, Ordering::Release);
    IS_RESTORED.store(false, Ordering::Release);
    true
}

/// Catches what libraries write to standard error and logs it at debug level, until the terminal is restored. What
/// is meant for a person goes through the log, so nothing is lost on them, wherever standard error leads.
///
/// # Errors
/// When the system refuses.
pub(super) fn capture_stderr() -> std::io::Result<()> {
    tty::capture_stderr()
}

/// Notes whether a line is being edited.
pub(super) fn set_prompt(is_up: bool) {
    IS_PROMPT_UP.store(is_up, Ordering::Release);
    if is_up {
        WAS_PROMPT_UP.store(true, Ordering::Release);
    }
}

/// Top and bottom row of the scroll region, from 1.
pub(super) fn region() -> Option<(u16, u16)> {
    let packed = REGION.load(Ordering::Acquire);
    let [top_high, top_low, bottom_high, bottom_low] = packed.to_be_bytes();
    let rows = (
        u16::from_be_bytes([top_high, top_low]),
        u16::from_be_bytes([bottom_high, bottom_low]),
    );
    (packed != 0).then_some(rows)
}

/// Draws, unless the terminal was given back. `region` is what the text sets the scroll region to.
pub(super) fn draw(text: &str, region: Option<(u16, u16)>) {
    let _drawn = DRAWN
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if is_restored() {
        return;
    }
    if let Some((top, bottom)) = region {
        REGION.store(u32::from(top) << 16 | u32::from(bottom), Ordering::Release);
    }
    write(text);
}

/// Writes to the terminal in one piece; a terminal that is gone can't be told so.
fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn try_lock_for<T>(mutex: &Mutex<T>, at_most: Duration) -> Option<MutexGuard<'_, T>> {
    let start = std::time::Instant::now();
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if start.elapsed() > at_most => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}
