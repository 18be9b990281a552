//! Knobs and notes as channels: `midi/cc/74`, `midi/note/36`, `midi/note/last`, each also below a MIDI channel, as in `midi/10/note/36`.
//!
//! One thread reads the list of ports every second and connects to the ones that came (`ports`). midir's own threads
//! hand over bytes, which are parsed there (`parse`) and wait in a box of bounded size (`mailbox`) for the frame thread.

#[cfg(test)]
mod corpus;
mod held;
mod mailbox;
mod parse;
mod ports;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use super::DeviceError;
use super::report::Report;
use crate::input::{Channels, Event, EventKind, Notice, Source, SourceStatus};
use held::Held;
use mailbox::{Letter, Mailbox};
use parse::Message;

pub(super) use ports::find_all;

/// Opening is a matter of milliseconds; longer than this is told.
const SLOW_OPENING: Duration = Duration::from_secs(3);

/// The MIDI inputs.
pub(super) struct Midi {
    wanted: Option<String>,
    session: Option<Session>,
    held: Held,
    letters: Vec<Letter>,
    last_poll: Instant,
}

/// One time of being open.
struct Session {
    shared: Arc<Shared>,
    thread: Option<Thread>,
}

/// What the threads of a session have in common.
struct Shared {
    report: Report,
    boxes: Mutex<Vec<Arc<Mailbox>>>,
    is_closing: AtomicBool,
}

impl Shared {
    fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Acquire)
    }

    fn with_boxes<R>(&self, use_boxes: impl FnOnce(&mut Vec<Arc<Mailbox>>) -> R) -> R {
        use_boxes(&mut self.boxes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Midi {
    /// A closed input from the ports whose name contains `wanted`, or from all.
    pub(super) fn new(wanted: Option<String>) -> Self {
        Self {
            wanted,
            session: None,
            held: Held::default(),
            letters: Vec::new(),
            last_poll: Instant::now(),
        }
    }
}

impl Source for Midi {
    fn prefix(&self) -> &'static str {
        "midi"
    }

    fn open(&mut self) {
        if self.session.is_some() {
            return;
        }
        let shared = Arc::new(Shared {
            report: Report::new("midi", "knobs and notes rest"),
            boxes: Mutex::default(),
            is_closing: AtomicBool::new(false),
        });
        let started = {
            let (shared, wanted) = (Arc::clone(&shared), self.wanted.clone());
            thread::Builder::new()
                .name("midi input".into())
                .spawn(move || ports::run(&shared, wanted.as_deref()))
        };
        let thread = match started {
            Ok(handle) => Some(handle.thread().clone()),
            Err(error) => {
                let why = DeviceError::Other(format!("no thread for it: {error}"));
                shared.report.absent(&why);
                None
            }
        };
        self.held = Held::default();
        self.last_poll = Instant::now();
        self.session = Some(Session { shared, thread });
    }

    fn poll(&mut self, channels: &mut Channels, notices: &mut Vec<Notice>) {
        let Some(session) = &self.session else {
            return;
        };
        let shared = &session.shared;
        shared.report.absent_if_still_opening(SLOW_OPENING);
        shared.report.drain(notices);

        let last_poll = std::mem::replace(&mut self.last_poll, Instant::now());
        self.letters.clear();
        shared.with_boxes(|boxes| {
            boxes.retain(|mailbox| {
                // Asked before it is emptied: what a port says last must not be thrown away with its box.
                let is_closed = mailbox.is_closed();
                mailbox.empty_into(&mut self.letters);
                !is_closed
            });
        });
        self.letters.sort_by_key(|letter| letter.at);
        self.held.begin_frame(channels);
        for letter in &self.letters {
            let offset_secs = letter.at.saturating_duration_since(last_poll).as_secs_f64();
            deliver(letter, offset_secs, &mut self.held, channels);
        }
    }

    fn close(&mut self) {
        if let Some(session) = self.session.take() {
            session.shared.is_closing.store(true, Ordering::Release);
            if let Some(thread) = session.thread {
                thread.unpark();
            }
        }
    }

    fn status(&self) -> SourceStatus {
        self.session
            .as_ref()
            .map_or_else(SourceStatus::default, |session| {
                session.shared.report.status()
            })
    }
}

/// Sets the channels of one message and adds its event. MIDI channels count from 1 here.
fn deliver(letter: &Letter, offset_secs: f64, held: &mut Held, channels: &mut Channels) {
    let port = letter.port;
    let tell = |channels: &mut Channels, kind| {
        channels.push(Event {
            kind,
            offset_secs: Some(offset_secs),
        });
    };
    match letter.message {
        Message::NoteOn {
            channel,
            note,
            velocity,
        } => {
            let velocity = unit(velocity);
            held.press(port, channel, note, velocity, channels);
            tell(
                channels,
                EventKind::NoteOn {
                    channel: channel + 1,
                    note,
                    velocity,
                },
            );
        }
        Message::NoteOff {
            channel,
            note,
            velocity,
        } => {
            held.release(port, channel, note, channels);
            let velocity = unit(velocity);
            tell(
                channels,
                EventKind::NoteOff {
                    channel: channel + 1,
                    note,
                    velocity,
                },
            );
        }
        Message::Control {
            channel,
            controller,
            value,
        } => {
            let value = unit(value);
            channels.set(&format!("midi/cc/{controller}"), value);
            channels.set(&format!("midi/{}/cc/{controller}", channel + 1), value);
            tell(
                channels,
                EventKind::Control {
                    channel: channel + 1,
                    controller,
                    value,
                },
            );
            // Channel mode messages: all sound off, and those that imply all notes off.
            if controller == 120 || (123..=127).contains(&controller) {
                for note in held.release_channel(port, channel, channels) {
                    tell(
                        channels,
                        EventKind::NoteOff {
                            channel: channel + 1,
                            note,
                            velocity: 0.0,
                        },
                    );
                }
            }
        }
        Message::Gone => {
            for (channel, note) in held.release_port(port, channels) {
                tell(
                    channels,
                    EventKind::NoteOff {
                        channel: channel + 1,
                        note,
                        velocity: 0.0,
                    },
                );
            }
        }
        _ => {}
    }
}

/// A 7-bit value as 0 to 1.
fn unit(value: u8) -> f64 {
    f64::from(value) / 127.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An open input whose ports are boxes that the test fills.
    fn with_ports<const N: usize>() -> (Midi, [Arc<Mailbox>; N]) {
        let boxes = std::array::from_fn(|port| Arc::new(Mailbox::new(port as u32)));
        let shared = Shared {
            report: Report::new("midi", "knobs and notes rest"),
            boxes: Mutex::new(boxes.to_vec()),
            is_closing: AtomicBool::new(false),
        };
        let mut midi = Midi::new(None);
        midi.session = Some(Session {
            shared: Arc::new(shared),
            thread: None,
        });
        (midi, boxes)
    }

    fn frame(midi: &mut Midi, channels: &mut Channels) -> Vec<EventKind> {
        midi.poll(channels, &mut Vec::new());
        channels.begin_frame();
        channels
            .events()
            .iter()
            .map(|event| event.kind.clone())
            .collect()
    }

    fn send(mailbox: &Mailbox, bytes: &[u8]) {
        parse::Parser::default().feed(bytes, |message| mailbox.put(message));
    }

    #[test]
    fn knobs_read_zero_to_one_on_their_channel_and_on_any() {
        let (mut midi, [port]) = with_ports();
        let mut channels = Channels::default();
        send(&port, &[0xb0, 74, 127, 0xbf, 7, 0, 0xb0, 1, 64]);
        frame(&mut midi, &mut channels);
        for (name, value) in [
            ("midi/cc/74", 1.0),
            ("midi/1/cc/74", 1.0),
            ("midi/16/cc/74", 0.0),
            ("midi/cc/7", 0.0),
            ("midi/cc/1", 64.0 / 127.0),
        ] {
            assert_eq!(channels.get(name), value, "{name}");
        }
    }

    #[test]
    fn events_of_several_ports_come_in_the_order_of_their_moments() {
        let (mut midi, [first, second]) = with_ports();
        let mut channels = Channels::default();
        for note in 0..10 {
            let port = if note % 2 == 0 { &second } else { &first };
            send(port, &[0x90, note, 1]);
        }
        let notes: Vec<u8> = frame(&mut midi, &mut channels)
            .into_iter()
            .filter_map(|kind| match kind {
                EventKind::NoteOn { note, .. } => Some(note),
                _ => None,
            })
            .collect();
        assert_eq!(notes, (0..10).collect::<Vec<_>>());
        let offsets: Vec<_> = channels
            .events()
            .iter()
            .filter_map(|event| event.offset_secs)
            .collect();
        assert!(offsets.is_sorted() && offsets.len() == 10, "{offsets:?}");
    }

    #[test]
    fn all_notes_off_lets_go_of_the_held_notes_of_its_channel() {
        let (mut midi, [port]) = with_ports();
        let mut channels = Channels::default();
        send(&port, &[0x90, 60, 127, 0x91, 62, 127]);
        frame(&mut midi, &mut channels);
        send(&port, &[0xb0, 123, 0]);
        let kinds = frame(&mut midi, &mut channels);
        assert!(kinds.contains(&EventKind::NoteOff {
            channel: 1,
            note: 60,
            velocity: 0.0
        }));
        assert_eq!(channels.get("midi/note/60"), 0.0);
        assert_eq!(channels.get("midi/note/62"), 1.0);
    }

    #[test]
    fn a_port_that_went_away_lets_go_of_its_notes_and_its_box_is_thrown_away() {
        let (mut midi, [gone, stays]) = with_ports();
        let mut channels = Channels::default();
        send(&gone, &[0x90, 60, 127]);
        send(&stays, &[0x90, 62, 127]);
        frame(&mut midi, &mut channels);
        send(&gone, &[0xb0, 74, 127]);
        gone.close();
        frame(&mut midi, &mut channels);
        assert_eq!(channels.get("midi/note/60"), 0.0);
        assert_eq!(channels.get("midi/note/62"), 1.0);
        assert_eq!(channels.get("midi/cc/74"), 1.0, "the last it said is heard");
        let session = midi.session.as_ref().map(|session| &session.shared);
        assert_eq!(
            session.map(|shared| shared.with_boxes(|boxes| boxes.len())),
            Some(1)
        );
    }
}
