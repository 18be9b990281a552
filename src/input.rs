//! What the outside world says in this frame: named numbers (channels) and events.
//!
//! A show samples its inputs once a frame. Whatever arrives in between, from a sound card, a knob or
//! the mouse, waits until [`Inputs::begin_frame`], so that every reader of a frame sees the same values.
//! A source is opened when the sketch first asks for one of its channels, never before: nobody likes a
//! microphone that opens by itself. A source that isn't there reads as neutral (0), says so once, and keeps
//! looking for its device.

mod channels;
mod event;
pub mod smooth;
mod source;

pub use channels::{ChannelId, Channels};
pub use event::{Event, EventKind};
pub use source::{Notice, NoticeKind, Source, SourceState, SourceStatus};

/// The channels of the show and the sources that feed them.
pub struct Inputs {
    channels: Channels,
    slots: Vec<Slot>,
    notices: Vec<Notice>,
}

struct Slot {
    source: Box<dyn Source>,
    open: bool,
}

impl Inputs {
    /// Takes the sources a show may use; none of them is opened yet.
    pub fn new(sources: Vec<Box<dyn Source>>) -> Self {
        Self {
            channels: Channels::default(),
            slots: sources
                .into_iter()
                .map(|source| Slot {
                    source,
                    open: false,
                })
                .collect(),
            notices: Vec::new(),
        }
    }

    /// The values and events of this frame.
    pub fn channels(&self) -> &Channels {
        &self.channels
    }

    /// The channels, for what a window sets itself: mouse and keys.
    pub fn channels_mut(&mut self) -> &mut Channels {
        &mut self.channels
    }

    /// Says that the sketch reads `name` (such as `audio/low`): the first call with a prefix opens the source of
    /// that prefix. Returns at once, also for a name that no source feeds, which reads 0.
    pub fn want(&mut self, name: &str) -> ChannelId {
        let prefix = name.split('/').next().unwrap_or(name);
        for slot in &mut self.slots {
            if !slot.open && slot.source.prefix() == prefix {
                slot.source.open();
                slot.open = true;
            }
        }
        self.channels.id(name)
    }

    /// Starts a frame: asks every open source for news, then makes all that was set since the last call the values
    /// and events of this frame.
    pub fn begin_frame(&mut self) {
        for slot in self.slots.iter_mut().filter(|slot| slot.open) {
            slot.source.poll(&mut self.channels, &mut self.notices);
        }
        self.channels.begin_frame();
    }

    /// Hands over what the sources had to say since the last call.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// Prefix and state of every source, in the order they were given.
    pub fn status(&self) -> Vec<(&'static str, SourceStatus)> {
        self.slots
            .iter()
            .map(|slot| (slot.source.prefix(), slot.source.status()))
            .collect()
    }

    /// Closes the source of `prefix`; its channels read 0 from the next frame on, and [`Inputs::want`] opens it again.
    pub fn close(&mut self, prefix: &str) {
        for slot in &mut self.slots {
            if slot.open && slot.source.prefix() == prefix {
                slot.source.close();
                slot.open = false;
                self.channels.clear(prefix);
            }
        }
    }
}

impl Drop for Inputs {
    fn drop(&mut self) {
        for slot in self.slots.iter_mut().filter(|slot| slot.open) {
            slot.source.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// A source that writes down what is asked of it and counts its polls into one channel.
    struct Probe {
        log: Rc<RefCell<Vec<&'static str>>>,
        polls: f64,
    }

    impl Source for Probe {
        fn prefix(&self) -> &'static str {
            "audio"
        }
        fn open(&mut self) {
            self.log.borrow_mut().push("open");
        }
        fn poll(&mut self, channels: &mut Channels, notices: &mut Vec<Notice>) {
            self.polls += 1.0;
            channels.set("audio/low", self.polls);
            if self.polls == 1.0 {
                notices.push(Notice::problem("audio: no input device"));
            }
        }
        fn close(&mut self) {
            self.log.borrow_mut().push("close");
        }
        fn status(&self) -> SourceStatus {
            SourceStatus::default()
        }
    }

    fn probed() -> (Inputs, Rc<RefCell<Vec<&'static str>>>) {
        let log = Rc::new(RefCell::new(Vec::new()));
        let source = Probe {
            log: Rc::clone(&log),
            polls: 0.0,
        };
        (Inputs::new(vec![Box::new(source)]), log)
    }

    /// Field case G60: people dislike a microphone that opens unasked.
    #[test]
    fn a_source_opens_when_one_of_its_channels_is_first_wanted() {
        let (mut inputs, log) = probed();
        inputs.begin_frame();
        inputs.want("mouse/x");
        inputs.want("audiovisual/low");
        inputs.begin_frame();
        assert!(log.borrow().is_empty(), "nothing asked for audio yet");
        assert_eq!(inputs.channels().get("audio/low"), 0.0);

        inputs.want("audio/low");
        inputs.want("audio/level");
        inputs.begin_frame();
        assert_eq!(*log.borrow(), ["open"]);
        assert_eq!(inputs.channels().get("audio/low"), 1.0);
    }

    #[test]
    fn a_closed_source_reads_neutral_and_opens_again_when_wanted() {
        let (mut inputs, log) = probed();
        inputs.want("audio/low");
        inputs.begin_frame();
        inputs.close("audio");
        inputs.begin_frame();
        assert_eq!(inputs.channels().get("audio/low"), 0.0);
        inputs.want("audio/low");
        inputs.begin_frame();
        assert_eq!(inputs.channels().get("audio/low"), 2.0);
        assert_eq!(*log.borrow(), ["open", "close", "open"]);
    }

    #[test]
    fn notices_are_handed_over_once() {
        let (mut inputs, _log) = probed();
        inputs.want("audio/low");
        inputs.begin_frame();
        inputs.begin_frame();
        let texts: Vec<_> = inputs
            .take_notices()
            .into_iter()
            .map(|notice| notice.text)
            .collect();
        assert_eq!(texts, ["audio: no input device"]);
        assert!(inputs.take_notices().is_empty());
    }

    #[test]
    fn dropping_the_inputs_closes_what_is_open() {
        let (mut inputs, log) = probed();
        inputs.want("audio/low");
        drop(inputs);
        assert_eq!(*log.borrow(), ["open", "close"]);
    }
}
