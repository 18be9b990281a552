//! What is plugged in, for `gobo devices`.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{DeviceError, audio, midi};

/// A sound plug-in can hang for ever; what has not answered by then is left out.
const LIMIT: Duration = Duration::from_secs(2);

/// An input that a sketch could use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// What it delivers.
    pub kind: DeviceKind,
    /// Its name, as [`DeviceChoice`](super::DeviceChoice) takes it.
    pub name: String,
    /// Rate and channels, or why it can't be used now; may be empty.
    pub detail: String,
    /// Whether it is used when none is named. All MIDI ports are.
    pub is_default: bool,
}

/// What an input delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// Sound.
    AudioInput,
    /// Notes and knobs.
    MidiInput,
}

impl DeviceKind {
    /// The prefix of the channels it feeds.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::AudioInput => "audio",
            Self::MidiInput => "midi",
        }
    }
}

/// All inputs of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The inputs: sound first, then MIDI.
    pub devices: Vec<DeviceInfo>,
    /// Why there is none of a kind, such as `audio: no input device`.
    pub reasons: Vec<String>,
}

enum Answer {
    Found(DeviceInfo),
    Done(DeviceKind, Result<(), DeviceError>),
}

/// Looks for inputs for at most 2 s; waits that long only when the sound system hangs.
pub fn list() -> Listing {
    let (answer, answers) = channel();
    let mut pending = vec![DeviceKind::AudioInput, DeviceKind::MidiInput];
    let mut listing = Listing::default();
    for kind in pending.clone() {
        let answer = answer.clone();
        let started = thread::Builder::new()
            .name(format!("{} listing", kind.prefix()))
            .spawn(move || look(kind, &answer));
        if let Err(error) = started {
            pending.retain(|&other| other != kind);
            listing
                .reasons
                .push(format!("{}: no thread for it: {error}", kind.prefix()));
        }
    }

    let end = Instant::now() + LIMIT;
    while !pending.is_empty() {
        match answers.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(Answer::Found(device)) => listing.devices.push(device),
            Ok(Answer::Done(kind, result)) => {
                pending.retain(|&other| other != kind);
                let found_none = listing.devices.iter().all(|device| device.kind != kind);
                let reason = result
                    .err()
                    .or_else(|| found_none.then_some(DeviceError::NoDevice));
                if let Some(reason) = reason {
                    listing.reasons.push(format!("{}: {reason}", kind.prefix()));
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    for kind in pending {
        let late = DeviceError::NoAnswer(LIMIT.as_secs());
        listing.reasons.push(format!("{}: {late}", kind.prefix()));
    }
    listing
        .devices
        .sort_by_key(|device| device.kind != DeviceKind::AudioInput);
    // `audio` before `midi`, whichever answered first.
    listing.reasons.sort();
    listing
}

fn look(kind: DeviceKind, answer: &Sender<Answer>) {
    // Nobody listens any more when the time is over.
    let tell = |said| {
        let _ = answer.send(said);
    };
    let result = match kind {
        DeviceKind::AudioInput => audio::find_all(|device| tell(Answer::Found(device))),
        DeviceKind::MidiInput => midi::find_all(|device| tell(Answer::Found(device))),
    };
    tell(Answer::Done(kind, result));
}

/// The index of the name meant by `wanted`: the same name, or else one that contains it, capitals or not; the first of several.
pub(super) fn choose(names: &[String], wanted: &str) -> Result<usize, DeviceError> {
    let lower = wanted.to_lowercase();
    names
        .iter()
        .position(|name| name == wanted)
        .or_else(|| names.iter().position(|name| name.to_lowercase() == lower))
        .or_else(|| names.iter().position(|name| is_named(name, wanted)))
        .ok_or_else(|| DeviceError::NoSuchName {
            wanted: wanted.to_owned(),
            nearest: names
                .iter()
                .map(|name| (strsim::jaro_winkler(&name.to_lowercase(), &lower), name))
                .filter(|(likeness, _)| *likeness > 0.8)
                .max_by(|(a, _), (b, _)| a.total_cmp(b))
                .map(|(_, name)| name.clone()),
        })
}

/// Whether `name` contains `wanted`, capitals or not.
pub(super) fn is_named(name: &str, wanted: &str) -> bool {
    name.to_lowercase().contains(&wanted.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Field case G62: device names with umlauts, kanji, emoji, empty ones and duplicates.
    #[test]
    fn names_of_any_kind_can_be_chosen() {
        let names: Vec<String> = [
            "",
            "Größe",
            "日本 Interface",
            "USB Mic",
            "USB Mic",
            "🎤 live",
            "e\u{301}",
        ]
        .map(String::from)
        .to_vec();
        let chosen = |wanted| choose(&names, wanted).ok();
        assert_eq!(chosen("größe"), Some(1));
        assert_eq!(chosen("GRÖSSE"), None);
        assert_eq!(chosen("日本"), Some(2));
        assert_eq!(chosen("usb mic"), Some(3));
        assert_eq!(chosen("🎤"), Some(5));
        assert_eq!(chosen(""), Some(0));
        assert_eq!(chosen("e\u{301}"), Some(6));
        assert_eq!(choose(&[], "x").ok(), None);
    }

    #[test]
    fn the_same_name_wins_over_one_that_contains_it() {
        let names = ["Mic 2".to_owned(), "Mic".to_owned()];
        assert_eq!(choose(&names, "Mic").ok(), Some(1));
        assert_eq!(choose(&names, "mic 2").ok(), Some(0));
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        let names = ["Line In".to_owned(), "Mikrofon".to_owned()];
        assert_eq!(
            choose(&names, "Mikrophon"),
            Err(DeviceError::NoSuchName {
                wanted: "Mikrophon".into(),
                nearest: Some("Mikrofon".into()),
            })
        );
        assert!(matches!(
            choose(&names, "zzz"),
            Err(DeviceError::NoSuchName { nearest: None, .. })
        ));
    }
}
