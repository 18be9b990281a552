//! Samples on their way from the sound system's callback to the analysis.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// 1.4 s at 48 kHz; must be a power of two.
const CAPACITY: usize = 1 << 16;

/// A ring of samples between one writer and one reader, neither of which ever waits.
///
/// When the reader falls behind by more than the ring holds, it loses the oldest samples: the picture follows the sound of now.
/// Samples are kept as the bits of an `f32` in atomics, so that a reader that is overtaken reads a wrong sample at worst.
pub(super) struct Ring {
    slots: Box<[AtomicU32]>,
    /// Number of samples written since the beginning, wrapping.
    written: AtomicUsize,
    /// Number of blocks (callbacks) since the beginning, wrapping.
    blocks: AtomicUsize,
    rate_hz: AtomicU32,
}

impl Default for Ring {
    fn default() -> Self {
        Self {
            slots: (0..CAPACITY).map(|_| AtomicU32::new(0)).collect(),
            written: AtomicUsize::new(0),
            blocks: AtomicUsize::new(0),
            rate_hz: AtomicU32::new(48_000),
        }
    }
}

impl Ring {
    /// Says how many samples a second the next blocks hold.
    pub(super) fn set_rate_hz(&self, rate_hz: u32) {
        self.rate_hz.store(rate_hz, Ordering::Release);
    }

    pub(super) fn rate_hz(&self) -> u32 {
        self.rate_hz.load(Ordering::Acquire)
    }

    /// Adds a block; called by the one writer.
    pub(super) fn write(&self, samples: impl Iterator<Item = f32>) {
        let mut written = self.written.load(Ordering::Relaxed);
        for sample in samples {
            self.slots[written % CAPACITY].store(sample.to_bits(), Ordering::Relaxed);
            written = written.wrapping_add(1);
        }
        self.written.store(written, Ordering::Release);
        self.blocks.fetch_add(1, Ordering::Release);
    }

    /// Number of blocks written so far, wrapping; a device that stands still doesn't raise it.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.load(Ordering::Acquire)
    }

    /// Where reading starts for someone who wants nothing of the past.
    pub(super) fn now(&self) -> usize {
        self.written.load(Ordering::Acquire)
    }

    /// Replaces `samples` by what was written since `position`, and moves that on.
    pub(super) fn read(&self, position: &mut usize, samples: &mut Vec<f32>) {
        let written = self.written.load(Ordering::Acquire);
        let fresh = written.wrapping_sub(*position).min(CAPACITY);
        samples.clear();
        samples.extend((0..fresh).map(|i| {
            let index = written.wrapping_sub(fresh).wrapping_add(i);
            f32::from_bits(self.slots[index % CAPACITY].load(Ordering::Relaxed))
        }));
        *position = written;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(range: std::ops::Range<usize>) -> impl Iterator<Item = f32> {
        range.map(|i| i as f32)
    }

    #[test]
    fn what_is_written_is_read_once_and_in_order() {
        let ring = Ring::default();
        let mut position = ring.now();
        let mut samples = Vec::new();
        ring.write(numbers(0..3));
        ring.write(numbers(3..5));
        ring.read(&mut position, &mut samples);
        assert_eq!(samples, [0.0, 1.0, 2.0, 3.0, 4.0]);
        ring.read(&mut position, &mut samples);
        assert!(samples.is_empty());
        assert_eq!(ring.blocks(), 2);
    }

    #[test]
    fn a_reader_that_fell_behind_gets_the_newest() {
        let ring = Ring::default();
        let mut position = ring.now();
        let mut samples = Vec::new();
        ring.write(numbers(0..CAPACITY + 10));
        ring.read(&mut position, &mut samples);
        assert_eq!(samples.len(), CAPACITY);
        assert_eq!(samples[0], 10.0);
        assert_eq!(samples[CAPACITY - 1], (CAPACITY + 9) as f32);
    }
}
