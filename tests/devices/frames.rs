//! A show without a picture: frames that only read their inputs.

use std::time::{Duration, Instant};

use gobo::device::{self, DeviceChoice};
use gobo::input::{Event, Inputs};

/// How long something may take that takes a moment; generous, since machines that run tests are busy.
const LIMIT: Duration = Duration::from_secs(30);

/// Frames at about 100 a second, and what was said in them.
pub(crate) struct Frames {
    pub(crate) inputs: Inputs,
    pub(crate) notices: Vec<String>,
    pub(crate) events: Vec<Event>,
}

impl Frames {
    /// All sources of this machine, with the channel `wanted` read by the sketch.
    pub(crate) fn reading(wanted: &str, choice: &DeviceChoice) -> Self {
        let mut inputs = Inputs::new(device::sources(choice));
        inputs.want(wanted);
        Self::of(inputs)
    }

    /// All sources of this machine, none of which is read.
    pub(crate) fn of(inputs: Inputs) -> Self {
        Self {
            inputs,
            notices: Vec::new(),
            events: Vec::new(),
        }
    }

    /// One frame.
    pub(crate) fn frame(&mut self) {
        std::thread::sleep(Duration::from_millis(10));
        self.inputs.begin_frame();
        self.events
            .extend_from_slice(self.inputs.channels().events());
        let notices = self.inputs.take_notices();
        self.notices
            .extend(notices.into_iter().map(|notice| notice.text));
    }

    /// Plays frames until `is_so`; fails when that takes too long.
    pub(crate) fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let end = Instant::now() + LIMIT;
        loop {
            self.frame();
            if is_so(self) {
                return;
            }
            assert!(
                Instant::now() < end,
                "waited in vain until {what}\nnotices: {:#?}\nvalues: {:#?}\nstatus: {:#?}",
                self.notices,
                self.inputs.channels().iter().collect::<Vec<_>>(),
                self.inputs.status(),
            );
        }
    }

    /// What `name` reads in this frame.
    pub(crate) fn get(&self, name: &str) -> f64 {
        self.inputs.channels().get(name)
    }

    /// The four bands of this frame.
    pub(crate) fn bands(&self) -> [f64; 4] {
        std::array::from_fn(|band| self.get(&format!("audio/band/{}", band + 1)))
    }

    /// Whether sound is in `band` (1 to 4) and in no other.
    pub(crate) fn is_only_band(&self, band: usize) -> bool {
        (1..=4).zip(self.bands()).all(|(index, value)| {
            if index == band {
                value > 0.9
            } else {
                value < 0.1
            }
        })
    }
}
