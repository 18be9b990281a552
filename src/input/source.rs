//! What feeds channels from outside.

use super::Channels;

/// A device, or a group of devices, that sets the channels below one prefix.
///
/// All calls come from the frame thread, so none of them may wait: the work is done on the source's own threads.
pub trait Source {
    /// The first part of the names it sets, such as `audio`.
    fn prefix(&self) -> &'static str;

    /// Begins to look for its device; returns at once, whether there is one or not.
    fn open(&mut self);

    /// Sets what is new since the last call; called once a frame while open.
    ///
    /// A source without a device adds one notice when it finds out, none while it keeps looking, and one when it found its device.
    fn poll(&mut self, channels: &mut Channels, notices: &mut Vec<Notice>);

    /// Lets go of its device; returns at once.
    fn close(&mut self);

    /// Where it stands, for people to read.
    fn status(&self) -> SourceStatus;
}

/// Where a source stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceStatus {
    /// Whether it is open and has a device.
    pub state: SourceState,
    /// The devices it listens to, by name.
    pub devices: Vec<String>,
    /// Why there is no device, or how it is listened to; may be empty.
    pub detail: String,
}

/// Whether a source is open and has a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceState {
    /// No sketch asked for it.
    #[default]
    Closed,
    /// Asked for, no answer yet.
    Opening,
    /// Open without a device: reads neutral and keeps looking.
    Absent,
    /// Delivers values.
    Live,
}

/// One sentence to the performer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whether something is wrong.
    pub kind: NoticeKind,
    /// The sentence, which begins with the source's prefix, such as `audio: no input device; the sketch runs on silence`.
    pub text: String,
}

/// Whether a notice tells of something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Good to know.
    Info,
    /// Something is missing or was lost.
    Problem,
}

impl Notice {
    /// A notice that something came or came back.
    pub fn info(text: impl Into<String>) -> Self {
        Self {
            kind: NoticeKind::Info,
            text: text.into(),
        }
    }

    /// A notice that something is missing or was lost.
    pub fn problem(text: impl Into<String>) -> Self {
        Self {
            kind: NoticeKind::Problem,
            text: text.into(),
        }
    }
}
