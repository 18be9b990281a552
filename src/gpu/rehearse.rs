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

use super::adapter::{AdapterChoice, AdapterKind, Found, find};
use super::card::Card;
use super::compile::{Role, compile};
use super::error::ShaderError;

/// A program that was compiled in less than this needs no second look.
const QUICK: Duration = Duration::from_millis(20);
/// How often a slow program is tried again.
const TRIES: u32 = 4;
/// How long the driver gets to write its cache between two tries.
const PAUSE: Duration = Duration::from_millis(30);
/// After so many programs in a row that never became quick there is no cache, and rehearsing is a waste.
const FRUITLESS: u32 = 2;

/// The second device.
pub(super) struct Rehearsal {
    card: Card,
    fruitless: u32,
}

impl Rehearsal {
    /// Opens the second device on adapters where that helps.
    pub(super) fn open(found: &Found) -> Option<Self> {
        let opened = if found.report.backend == "gl" {
            let choice = AdapterChoice {
                name: Some(found.report.backend.clone()),
            };
            find(&choice, None).and_then(|other| Card::open(&other.adapter, &other.report))
        } else if found.report.kind == AdapterKind::Software {
            Card::open(&found.adapter, &found.report)
        } else {
            return None;
        };
        let card = opened
            .inspect_err(|error| log::debug!("no second device: {error}"))
            .ok()?;
        Some(Self { card, fruitless: 0 })
    }

    /// Compiles and draws until that is quick. An error is the program's own.
    pub(super) fn run(
        &mut self,
        program: &Program,
        role: &Role,
        like: Size,
    ) -> Result<(), ShaderError> {
        if self.fruitless >= FRUITLESS || self.card.lost().is_some() {
            return Ok(());
        }
        let first = self.timed(program, role, like)?;
        if first < QUICK {
            return Ok(());
        }
        for _ in 0..TRIES {
            if self.timed(program, role, like)? < first / 2 {
                self.fruitless = 0;
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        self.fruitless += 1;
        Ok(())
    }

    fn timed(&self, program: &Program, role: &Role, like: Size) -> Result<Duration, ShaderError> {
        let start = Instant::now();
        match compile(&self.card, program, role, like) {
            Err(error) if self.card.lost().is_none() => Err(error),
            _ => Ok(start.elapsed()),
        }
    }
}
