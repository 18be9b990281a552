//! Signals that ask the program to stop.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};

/// The terminal may hang; a program that was asked to stop at once does not wait for it longer than this.
const AT_ONCE: Duration = Duration::from_millis(300);

static SENDER: OnceLock<SyncSender<Stop>> = OnceLock::new();
static WAS_ASKED: AtomicBool = AtomicBool::new(false);
/// The next SIGINT is one that we sent to ourselves.
static IS_OURS: AtomicBool = AtomicBool::new(false);

/// Who asked the program to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// SIGINT, as Ctrl-C sends it when no prompt is up.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGHUP: the terminal was closed.
    HangUp,
}

impl Stop {
    fn signal(self) -> i32 {
        match self {
            Self::Interrupt => SIGINT,
            Self::Terminate => SIGTERM,
            Self::HangUp => 1,
        }
    }
}

/// Turns signals into messages.
pub(super) fn listen() -> io::Result<Receiver<Stop>> {
    let (sender, receiver) = sync_channel(4);
    if SENDER.set(sender).is_err() {
        return Err(io::Error::other("signals are handled already"));
    }
    register()?;
    Ok(receiver)
}

/// Makes the line editor let go of the terminal. While it reads, it handles SIGINT itself and returns; should it
/// have returned already, the signal comes to this module, which lets one pass, whenever its thread gets to it.
/// True when there is something to wait for.
pub(in crate::app) fn interrupt_editor() -> bool {
    // Without our handler the signal would end the program.
    if !cfg!(unix) || SENDER.get().is_none() {
        return false;
    }
    IS_OURS.store(true, Ordering::Release);
    if let Err(error) = signal_hook::low_level::raise(SIGINT) {
        IS_OURS.store(false, Ordering::Release);
        log::debug!("can't interrupt the prompt: {error}");
    }
    true
}

/// Asks the program to stop, as the signal would.
pub(in crate::app) fn stop(stop: Stop) {
    if stop == Stop::Interrupt && IS_OURS.swap(false, Ordering::AcqRel) {
        return;
    }
    let was_asked = WAS_ASKED.swap(true, Ordering::AcqRel);
    if was_asked && stop != Stop::HangUp {
        exit_at_once(stop);
    }
    if let Some(sender) = SENDER.get() {
        // A full channel has been asked often enough.
        let _ = sender.try_send(stop);
    }
}

fn exit_at_once(stop: Stop) -> ! {
    let (done, wait) = sync_channel(1);
    let restoring = std::thread::Builder::new().spawn(move || {
        super::restore();
        done.send(())
    });
    if restoring.is_ok() {
        // Exits either way.
        let _ = wait.recv_timeout(AT_ONCE);
    }
    // Not through the handlers of `exit`: a graphics driver may hang in its own.
    signal_hook::low_level::exit(128 + stop.signal());
}

#[cfg(unix)]
fn register() -> io::Result<()> {
    use signal_hook::consts::SIGHUP;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                stop(match signal {
                    SIGTERM => Stop::Terminate,
                    SIGHUP => Stop::HangUp,
                    _ => Stop::Interrupt,
                });
            }
        })?;
    Ok(())
}

#[cfg(not(unix))]
fn register() -> io::Result<()> {
    use std::sync::Arc;
    let flags = [(SIGINT, Stop::Interrupt), (SIGTERM, Stop::Terminate)].map(|(signal, stop)| {
        let flag = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal, Arc::clone(&flag)).map(|_| (flag, stop))
    });
    let flags: Vec<_> = flags.into_iter().collect::<Result<_, _>>()?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(50));
                flags
                    .iter()
                    .filter(|(flag, _)| flag.swap(false, Ordering::AcqRel))
                    .for_each(|(_, asked)| stop(*asked));
            }
        })?;
    Ok(())
}
