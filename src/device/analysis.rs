//! From samples to the few numbers that move a picture.
//!
//! The loudness of sound between 30 Hz and 15 kHz, whole and in four bands of equal width in octaves. All numbers are
//! relative to the loudest of the last seconds (automatic gain), so a quiet room moves a picture as a loud hall does,
//! while true silence stays 0. Steps are softened with an attack and a release in seconds.

use std::ops::Range;
use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

use crate::input::smooth::AttackRelease;

/// Number of bands.
pub(super) const BANDS: usize = 4;

/// Edges of the four bands in Hz; each is as wide as the others in octaves (2.24).
pub const BAND_EDGES_HZ: [f32; BANDS + 1] = [30.0, 141.9, 670.8, 3172.0, 15000.0];

/// The spectrum is made of a window of at least this many seconds: long enough to tell 80 Hz from 200 Hz, short enough to feel immediate.
const WINDOW_SECS: f32 = 0.03;

/// No sound card is faster; the rate decides how much memory is taken.
const MOST_RATE_HZ: u32 = 1_000_000;

/// A sample beyond this is a fault of the driver, not a sound.
const MOST_SAMPLE: f32 = 16.0;

/// Seconds between two looks at the sound.
const HOP_SECS: f64 = 0.01;

const VALUE_SMOOTHING: AttackRelease = AttackRelease {
    attack_secs: 0.005,
    release_secs: 0.15,
};

/// The gain turns down within a beat and comes back over half a song's verse.
const REFERENCE_SMOOTHING: AttackRelease = AttackRelease {
    attack_secs: 0.1,
    release_secs: 5.0,
};

/// Loudness (root mean square, full scale = 1) that the gain starts from: ordinary speech near a microphone.
const FIRST_REFERENCE: f64 = 0.05;

/// The gain never makes this loudness or less to 1: the hiss of an idle input (about -70 dB) stays small.
const LEAST_REFERENCE: f64 = 0.001;

/// A band is never raised above the whole by more than this factor, or the window's leakage would show as sound.
const MOST_BAND_GAIN: f64 = 4.0;

/// Values below this are 0, so that a faded source stops to change.
const ZERO: f64 = 1e-4;

/// What is heard at a moment, each number from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Loudness of the whole.
    pub level: f64,
    /// Loudness of each band of [`BAND_EDGES_HZ`], low first.
    pub bands: [f64; BANDS],
}

/// Listens to samples of one rate.
pub struct Analyser {
    hop: usize,
    hop_secs: f64,
    window: Vec<f32>,
    /// Turns the sum of squared bins into a mean square.
    scale: f64,
    bins: [Range<usize>; BANDS],
    fft: Arc<dyn RealToComplex<f32>>,
    /// The last samples, oldest first from `at` on.
    history: Vec<f32>,
    at: usize,
    since_hop: usize,
    buffer: Vec<f32>,
    spectrum: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
    references: [f64; BANDS + 1],
    reading: Reading,
}

impl Analyser {
    /// Prepares for samples that come `rate_hz` times a second, 1 to 1,000,000.
    pub fn new(rate_hz: u32) -> Self {
        let rate = rate_hz.clamp(1, MOST_RATE_HZ) as f32;
        let length = ((rate * WINDOW_SECS) as usize).next_power_of_two().max(16);
        let window: Vec<f32> = (0..length)
            .map(|i| 0.5 - 0.5 * (std::f32::consts::TAU * i as f32 / length as f32).cos())
            .collect();
        let energy: f64 = window.iter().map(|w| f64::from(w * w)).sum();
        let bin = |hz: f32| ((hz * length as f32 / rate).ceil() as usize).clamp(2, length / 2);
        let fft = RealFftPlanner::<f32>::new().plan_fft_forward(length);
        let hop = ((f64::from(rate) * HOP_SECS) as usize).max(1);
        Self {
            hop,
            hop_secs: hop as f64 / f64::from(rate),
            scale: 2.0 / (length as f64 * energy),
            bins: std::array::from_fn(|i| bin(BAND_EDGES_HZ[i])..bin(BAND_EDGES_HZ[i + 1])),
            history: vec![0.0; length],
            at: 0,
            since_hop: 0,
            buffer: fft.make_input_vec(),
            spectrum: fft.make_output_vec(),
            scratch: fft.make_scratch_vec(),
            window,
            fft,
            references: [FIRST_REFERENCE; BANDS + 1],
            reading: Reading::default(),
        }
    }

    /// As [`Analyser::new`] for another rate, going on from what `self` heard: gain and values don't jump.
    pub fn at_rate(&self, rate_hz: u32) -> Self {
        Self {
            references: self.references,
            reading: self.reading,
            ..Self::new(rate_hz)
        }
    }

    /// Hears samples, full scale being -1 to 1; ones that aren't finite count as 0.
    pub fn feed(&mut self, samples: &[f32]) {
        for &sample in samples {
            self.history[self.at] = if sample.is_finite() {
                sample.clamp(-MOST_SAMPLE, MOST_SAMPLE)
            } else {
                0.0
            };
            self.at = (self.at + 1) % self.history.len();
            self.since_hop += 1;
            if self.since_hop == self.hop {
                self.since_hop = 0;
                let loudness = self.loudness();
                self.follow(loudness, self.hop_secs);
            }
        }
    }

    /// Lets `secs` seconds pass without a sample.
    pub fn rest(&mut self, secs: f64) {
        self.history.fill(0.0);
        self.follow([0.0; BANDS + 1], secs);
    }

    /// What is heard now.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Root mean square of each band, then of the whole, in the window that ends with the newest sample.
    fn loudness(&mut self) -> [f64; BANDS + 1] {
        let (newer, older) = self.history.split_at(self.at);
        for (slot, (sample, weight)) in self
            .buffer
            .iter_mut()
            .zip(older.iter().chain(newer).zip(&self.window))
        {
            *slot = sample * weight;
        }
        let transformed =
            self.fft
                .process_with_scratch(&mut self.buffer, &mut self.spectrum, &mut self.scratch);
        debug_assert!(
            transformed.is_ok(),
            "the buffers have the lengths it asked for"
        );

        let mut loudness = [0.0; BANDS + 1];
        let mut whole = 0.0;
        for (band, bins) in self.bins.iter().enumerate() {
            let energy: f64 = self.spectrum[bins.clone()]
                .iter()
                .map(|bin| f64::from(bin.norm_sqr()))
                .sum();
            loudness[band] = (energy * self.scale).sqrt();
            whole += energy;
        }
        loudness[BANDS] = (whole * self.scale).sqrt();
        loudness
    }

    fn follow(&mut self, loudness: [f64; BANDS + 1], secs: f64) {
        for (reference, heard) in self.references.iter_mut().zip(loudness) {
            *reference = REFERENCE_SMOOTHING
                .step(*reference, heard, secs)
                .max(LEAST_REFERENCE);
        }
        let whole = self.references[BANDS];
        for (band, value) in self.reading.bands.iter_mut().enumerate() {
            let reference = self.references[band].max(whole / MOST_BAND_GAIN);
            *value = soften(*value, loudness[band] / reference, secs);
        }
        self.reading.level = soften(self.reading.level, loudness[BANDS] / whole, secs);
    }
}

fn soften(value: f64, target: f64, secs: f64) -> f64 {
    let next = VALUE_SMOOTHING.step(value, target.min(1.0), secs);
    if next < ZERO { 0.0 } else { next }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: [u32; 6] = [8_000, 22_050, 44_100, 48_000, 96_000, 192_000];

    fn tone(rate: u32, hz: f32, amplitude: f32, secs: f32) -> Vec<f32> {
        (0..(rate as f32 * secs) as usize)
            .map(|i| {
                let turns = f64::from(hz) * i as f64 / f64::from(rate);
                amplitude * (std::f64::consts::TAU * turns.fract()).sin() as f32
            })
            .collect()
    }

    fn heard(rate: u32, samples: &[f32]) -> Reading {
        let mut analyser = Analyser::new(rate);
        analyser.feed(samples);
        analyser.reading()
    }

    #[test]
    fn a_tone_raises_the_band_it_lies_in_and_no_other_at_any_rate() {
        for rate in RATES {
            for (band, hz) in [(0, 80.0), (1, 440.0), (2, 1500.0), (3, 3600.0)] {
                let reading = heard(rate, &tone(rate, hz, 0.5, 2.0));
                for (other, &value) in reading.bands.iter().enumerate() {
                    if other == band {
                        assert!(value > 0.9, "{rate} Hz, {hz} Hz: {reading:?}");
                    } else {
                        assert!(value < 0.1, "{rate} Hz, {hz} Hz: {reading:?}");
                    }
                }
                assert!(reading.level > 0.9, "{rate} Hz, {hz} Hz: {reading:?}");
            }
        }
    }

    #[test]
    fn the_same_sound_gives_the_same_numbers_at_44_48_and_96_kilohertz() {
        let at = |rate| {
            let mut samples = tone(rate, 440.0, 0.3, 1.0);
            samples.extend(tone(rate, 440.0, 0.1, 0.2));
            heard(rate, &samples)
        };
        let reference = at(48_000);
        assert!(
            reference.level > 0.3 && reference.level < 0.6,
            "{reference:?}"
        );
        for rate in [44_100, 96_000] {
            let reading = at(rate);
            assert!(
                (reading.level - reference.level).abs() < 0.02,
                "{rate} {reading:?} {reference:?}"
            );
            assert!(
                (reading.bands[1] - reference.bands[1]).abs() < 0.02,
                "{rate} {reading:?}"
            );
        }
    }

    #[test]
    fn silence_is_zero_and_a_constant_offset_is_silence() {
        for rate in RATES {
            let silence = vec![0.0; rate as usize];
            assert_eq!(heard(rate, &silence), Reading::default());
            let offset = vec![0.2; rate as usize];
            assert!(
                heard(rate, &offset).level < 0.01,
                "{rate}: {:?}",
                heard(rate, &offset)
            );
        }
    }

    #[test]
    fn a_quiet_room_moves_too_but_hiss_stays_small() {
        let quiet = heard(48_000, &tone(48_000, 440.0, 0.004, 30.0));
        assert!(quiet.level > 0.9, "{quiet:?}");
        let hiss = heard(48_000, &tone(48_000, 440.0, 0.0002, 30.0));
        assert!(hiss.level < 0.2, "{hiss:?}");
    }

    #[test]
    fn values_stay_between_zero_and_one_for_any_samples() {
        let mut samples = tone(48_000, 440.0, 1000.0, 0.2);
        samples.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        samples.extend(vec![1e30; 4800]);
        samples.extend(tone(48_000, 440.0, 0.5, 0.2));
        let mut analyser = Analyser::new(48_000);
        for block in samples.chunks(480) {
            analyser.feed(block);
            let reading = analyser.reading();
            for value in reading.bands.into_iter().chain([reading.level]) {
                assert!((0.0..=1.0).contains(&value), "{reading:?}");
            }
        }
    }

    #[test]
    fn blocks_of_any_size_give_the_same_values() {
        let samples = tone(44_100, 300.0, 0.2, 0.5);
        let whole = heard(44_100, &samples);
        for size in [1, 7, 240, 1024, 20_000] {
            let mut analyser = Analyser::new(44_100);
            samples.chunks(size).for_each(|block| analyser.feed(block));
            assert_eq!(analyser.reading(), whole, "blocks of {size}");
        }
    }

    #[test]
    fn values_fade_to_zero_when_no_samples_come() {
        let mut analyser = Analyser::new(48_000);
        analyser.feed(&tone(48_000, 440.0, 0.5, 1.0));
        assert!(analyser.reading().level > 0.9);
        analyser.rest(0.15);
        let fading = analyser.reading().level;
        assert!(
            fading > 0.3 && fading < 0.4,
            "one release time later: {fading}"
        );
        for _ in 0..200 {
            analyser.rest(0.01);
        }
        assert_eq!(analyser.reading(), Reading::default());
    }

    #[test]
    fn another_rate_goes_on_from_the_same_values() {
        let mut analyser = Analyser::new(48_000);
        analyser.feed(&tone(48_000, 440.0, 0.5, 1.0));
        let before = analyser.reading();
        let mut after = analyser.at_rate(44_100);
        assert_eq!(after.reading(), before);
        after.feed(&tone(44_100, 440.0, 0.5, 0.5));
        assert!(after.reading().bands[1] > 0.9);
    }

    #[test]
    fn strange_rates_are_no_reason_to_panic() {
        for rate in [0, 1, 30, 100, 1_000, u32::MAX] {
            let mut analyser = Analyser::new(rate);
            analyser.feed(&vec![0.5; 5_000]);
            assert!(analyser.reading().level <= 1.0);
        }
    }
}
