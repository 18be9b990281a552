//! Seconds, beats and frames of the show. Time never goes back, and a new tempo keeps the beat where it is.

/// The tempo before anything sets one, in beats per minute.
const TEMPO: f64 = 120.0;
/// The tempos that are taken, in beats per minute; others are clamped.
const TEMPO_RANGE: std::ops::RangeInclusive<f64> = 1.0..=999.0;

/// One moment of the show, the same for everything in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant {
    /// Frames since the show began, from 1.
    pub frame: u64,
    /// Seconds since the show began.
    pub time: f64,
    /// Beats since the show began.
    pub beat: f64,
    /// Seconds since the last frame; never negative.
    pub dt: f64,
    /// Beats per minute.
    pub tempo: f64,
}

/// Counts frames and turns seconds into beats.
#[derive(Clone, Debug)]
pub struct Transport {
    now: Instant,
    /// Time and beat at which the tempo last changed.
    anchor: (f64, f64),
}

impl Default for Transport {
    fn default() -> Self {
        Self {
            now: Instant {
                frame: 0,
                time: 0.0,
                beat: 0.0,
                dt: 0.0,
                tempo: TEMPO,
            },
            anchor: (0.0, 0.0),
        }
    }
}

impl Transport {
    /// Goes on to the next frame, at `time` seconds since the show began; an earlier time than the last counts as
    /// the last.
    pub fn advance_to(&mut self, time: f64) -> Instant {
        let time = if time.is_finite() {
            time.max(self.now.time)
        } else {
            self.now.time
        };
        self.now.dt = time - self.now.time;
        self.now.time = time;
        self.now.beat = self.anchor.1 + (time - self.anchor.0) * self.now.tempo / 60.0;
        self.now.frame += 1;
        self.now
    }

    /// The present moment.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Sets the tempo in beats per minute from here on, clamped to 1 to 999; the beat goes on from where it is.
    /// A tempo that isn't finite is ignored.
    pub fn set_tempo(&mut self, tempo: f64) {
        if tempo.is_finite() {
            self.anchor = (self.now.time, self.now.beat);
            self.now.tempo = tempo.clamp(*TEMPO_RANGE.start(), *TEMPO_RANGE.end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_tempo_bends_the_beat_and_never_makes_it_leap() {
        let mut transport = Transport::default();
        assert_eq!(transport.advance_to(2.0).beat, 4.0);
        transport.set_tempo(60.0);
        assert_eq!(transport.now().beat, 4.0);
        assert_eq!(transport.advance_to(3.0).beat, 5.0);
        transport.set_tempo(f64::NAN);
        transport.set_tempo(-3.0);
        assert_eq!(transport.now().tempo, 1.0);
    }

    #[test]
    fn time_never_goes_back() {
        let mut transport = Transport::default();
        transport.advance_to(5.0);
        for time in [3.0, f64::NAN, f64::NEG_INFINITY] {
            let now = transport.advance_to(time);
            assert_eq!((now.time, now.dt), (5.0, 0.0));
        }
    }
}
