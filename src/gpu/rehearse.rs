//! A second device on which programs are compiled and drawn before the first one meets them.
//!
//! The software adapter compiles at the first draw, on the thread of the queue: every frame behind that draw waits
//! for it (1.1 s for a heavy program, measured; with a second device no frame was later than 4 ms). A second device
//! has a queue of its own, and leaves the machine code in the driver's cache on disk, where the first finds it in
//! some milliseconds. The driver writes that cache on yet another thread, so the rehearsal goes on until it is seen
//! to be quick. OpenGL drivers compile under the lock of their one context, so that there the second device needs
//! a context of its own. Drivers of graphics cards compile on the calling thread and need none of this.

use std::time::{Duration, Instant};

use crate::shader::Program;
use crate::value::Size;

use super::adapter::{AdapterChoice, AdapterKind, AdapterReport, Found, find};
use super::card::Card;
use super::compile::{Role, Trouble, compile};
use super::error::ShaderError;

/// A program that was compiled in less than this needs no second look.
const QUICK: Duration = Duration::from_millis(20);
/// How often a slow program is tried again.
const TRIES: u32 = 4;
/// How long the driver gets to write its cache between two tries.
const PAUSE: Duration = Duration::from_millis(30);
/// After so many programs in a row that never became quick there is no cache, and rehearsing is a waste.
const FRUITLESS: u32 = 2;

/// Where second devices come from.
#[derive(Clone)]
pub(super) struct Understudy {
    adapter: wgpu::Adapter,
    report: AdapterReport,
}

impl Understudy {
    /// `None` on adapters that need no second device.
    pub(super) fn of(found: &Found) -> Option<Self> {
        let needed = found.report.backend == "gl" || found.report.kind == AdapterKind::Software;
        needed.then(|| Self {
            adapter: found.adapter.clone(),
            report: found.report.clone(),
        })
    }

    fn open(&self) -> Option<Card> {
        let opened = if self.report.backend == "gl" {
            let choice = AdapterChoice {
                name: Some(self.report.backend.clone()),
            };
            find(&choice, None).and_then(|other| Card::open(&other.adapter, &other.report))
        } else {
            Card::open(&self.adapter, &self.report)
        };
        opened
            .inspect_err(|error| log::debug!("no second device: {error}"))
            .ok()
    }
}

/// The second device at work.
pub(super) struct Rehearsal {
    understudy: Understudy,
    card: Option<Card>,
    fruitless: u32,
}

impl Rehearsal {
    pub(super) fn new(understudy: Understudy) -> Self {
        let card = understudy.open();
        Self {
            understudy,
            card,
            fruitless: 0,
        }
    }

    /// Compiles and draws until that is quick. An error is the program's own.
    pub(super) fn run(
        &mut self,
        program: &Program,
        role: &Role,
        like: Size,
    ) -> Result<(), ShaderError> {
        let Some(card) = self.card.as_ref().filter(|_| self.fruitless < FRUITLESS) else {
            return Ok(());
        };
        let result = quicken(card, program, role, like);
        if card.lost().is_some() || matches!(result, Err(Trouble::Stuck(_))) {
            // Its queue may never come back, and closing a device waits for its queue.
            std::mem::forget(self.card.take());
            self.card = self.understudy.open();
        }
        match result {
            Ok(true) => self.fruitless = 0,
            Ok(false) => self.fruitless += 1,
            Err(Trouble::Lost) => {}
            Err(Trouble::Stuck(error) | Trouble::Refused(error)) => return Err(error),
        }
        Ok(())
    }
}

/// Tries until a try is quick; whether one was.
fn quicken(card: &Card, program: &Program, role: &Role, like: Size) -> Result<bool, Trouble> {
    let timed = || {
        let start = Instant::now();
        compile(card, program, role, like).map(|_| start.elapsed())
    };
    let first = timed()?;
    if first < QUICK {
        return Ok(true);
    }
    for _ in 0..TRIES {
        if timed()? < first / 2 {
            return Ok(true);
        }
        std::thread::sleep(PAUSE);
    }
    Ok(false)
}
