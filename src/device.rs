//! The sources that are plugged in: sound through cpal, MIDI through midir.
//!
//! Every call that may wait (opening a sound card can wait for ever) runs on a thread of its source. What such a thread
//! learns lies ready for the frame thread, which takes it once a frame without waiting.

mod analysis;
mod audio;
mod error;
mod listing;
mod midi;
mod report;

use crate::input::Source;

pub use analysis::{Analyser, BAND_EDGES_HZ, Reading};
pub use error::DeviceError;
pub use listing::{DeviceInfo, DeviceKind, Listing, list};

/// Which devices the performer wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceChoice {
    /// Name of the sound input, whole or in part; `None` takes the system's default.
    pub audio: Option<String>,
    /// Name of the MIDI input port, whole or in part; `None` takes all ports.
    pub midi: Option<String>,
}

/// All sources, closed; `input::Inputs` opens each when a sketch first reads one of its channels.
pub fn sources(choice: &DeviceChoice) -> Vec<Box<dyn Source>> {
    vec![
        Box::new(audio::Audio::new(choice.audio.clone())),
        Box::new(midi::Midi::new(choice.midi.clone())),
    ]
}
