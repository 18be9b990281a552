//! Things that happen at a moment, as opposed to values that last.

/// Something that happened between the frame before and this one.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// Seconds after the frame before began, at least 0; `None` when the moment isn't known.
    pub offset_secs: Option<f64>,
}

/// What an [`Event`] tells.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A note was struck.
    NoteOn {
        /// MIDI channel, 1 to 16.
        channel: u8,
        /// Note number, 0 to 127; 60 is the middle C.
        note: u8,
        /// How hard, above 0 to 1.
        velocity: f64,
    },
    /// A note was let go.
    NoteOff {
        /// MIDI channel, 1 to 16.
        channel: u8,
        /// Note number, 0 to 127.
        note: u8,
        /// How fast, 0 to 1; 0 also where the device doesn't tell, or went away with the note held.
        velocity: f64,
    },
    /// A knob, fader or pedal moved.
    Control {
        /// MIDI channel, 1 to 16.
        channel: u8,
        /// Controller number, 0 to 127.
        controller: u8,
        /// Where it stands, 0 to 1.
        value: f64,
    },
    /// A key of the keyboard went down or up.
    Key {
        /// The key's name as in its channel `key/NAME`.
        name: Box<str>,
        /// Whether it went down.
        is_down: bool,
    },
}
