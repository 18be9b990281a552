//! How fast a show is played, and whether it waits.

use std::time::Duration;

use crate::script::{Limits, Step};

/// How much of a frame loading may take; a longer load goes on in the next frame.
const SLICE: Duration = Duration::from_millis(4);
/// The share of a frame that functions of the sketch may take together.
const CALLBACKS: u32 = 4;

/// How a show is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Frames per second that are aimed at.
    pub fps: f64,
    /// Whether the show waits for loads and shaders instead of playing on, as rendering to files does.
    pub is_patient: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            fps: 60.0,
            is_patient: false,
        }
    }
}

impl Pace {
    /// Goes on with a load for a slice of the frame; a patient show waits until it is over, and only the limits of
    /// scripts end it.
    pub(super) fn advance<T>(self, mut step: impl FnMut(Duration) -> Step<T>) -> Step<T> {
        if !self.is_patient {
            return step(SLICE);
        }
        loop {
            match step(Limits::OFFLINE.load) {
                Step::More => {}
                over => return over,
            }
        }
    }

    /// How long the functions of a sketch may run in one frame.
    pub(super) fn callbacks(self) -> Duration {
        if self.is_patient {
            Limits::OFFLINE.frame
        } else {
            Duration::from_secs_f64(1.0 / self.fps) / CALLBACKS
        }
    }
}
