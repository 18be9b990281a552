//! The thread that makes numbers of samples.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Shared;
use crate::device::analysis::BANDS;
use crate::device::{Analyser, Reading};

/// The longest block in use is about 0.35 s (JACK through ALSA); a pause longer than this many seconds counts as silence.
const PAUSE: Duration = Duration::from_millis(400);

/// How often values fade on while nothing comes.
const FADE_STEP: Duration = Duration::from_millis(10);

/// The latest reading, which the frame thread takes without waiting.
#[derive(Default)]
pub(super) struct Latest([AtomicU64; BANDS + 1]);

impl Latest {
    pub(super) fn get(&self) -> Reading {
        let read = |slot: &AtomicU64| f64::from_bits(slot.load(Ordering::Relaxed));
        Reading {
            level: read(&self.0[BANDS]),
            bands: std::array::from_fn(|band| read(&self.0[band])),
        }
    }

    fn set(&self, reading: Reading) {
        for (slot, value) in self
            .0
            .iter()
            .zip(reading.bands.into_iter().chain([reading.level]))
        {
            slot.store(value.to_bits(), Ordering::Relaxed);
        }
    }
}

/// Listens until the session closes; the writer of the ring wakes it with each block.
pub(super) fn run(shared: &Shared) {
    let ring = &shared.ring;
    let mut rate_hz = ring.rate_hz();
    let mut analyser = Analyser::new(rate_hz);
    let mut position = ring.now();
    let mut samples = Vec::new();
    let mut last_block = Instant::now();
    let mut last_step = Instant::now();

    while !shared.is_closing() {
        let is_silent = analyser.reading() == Reading::default();
        if is_silent {
            thread::park();
        } else {
            thread::park_timeout(FADE_STEP);
        }
        ring.read(&mut position, &mut samples);
        if ring.rate_hz() != rate_hz {
            rate_hz = ring.rate_hz();
            analyser = analyser.at_rate(rate_hz);
        }
        let now = Instant::now();
        if !samples.is_empty() {
            analyser.feed(&samples);
            last_block = now;
        } else if now - last_block > PAUSE {
            analyser.rest((now - last_step).as_secs_f64());
        }
        last_step = now;
        shared.latest.set(analyser.reading());
    }
}
