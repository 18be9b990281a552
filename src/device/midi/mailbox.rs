//! Messages on their way from a port's thread to the frame thread.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::held::Port;
use super::parse::Message;

/// Messages that wait at most. It is the number of different keys (see `key`), so a full box always holds one that another message makes idle.
const CAPACITY: usize = 2 * 16 * 128;

/// A message with the moment it came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Letter {
    pub(super) at: Instant,
    pub(super) port: Port,
    pub(super) message: Message,
}

/// The messages of one port that the frame thread hasn't taken yet; of bounded size, so that a port may send whatever it likes while a frame takes long.
///
/// What is dropped from a full box: first knob values that newer ones of the same knob replace, then the oldest presses,
/// never the last letting-go of a note, nor a knob's last value.
pub(super) struct Mailbox {
    port: Port,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    letters: VecDeque<Letter>,
    is_closed: bool,
}

impl Mailbox {
    pub(super) fn new(port: Port) -> Self {
        Self {
            port,
            inner: Mutex::default(),
        }
    }

    /// Adds a message; one that is neither note nor control is left out.
    pub(super) fn put(&self, message: Message) {
        let Some(_) = key(&message) else {
            return;
        };
        let letter = Letter {
            at: Instant::now(),
            port: self.port,
            message,
        };
        let mut inner = self.lock();
        if inner.is_closed {
            return;
        }
        inner.letters.push_back(letter);
        if inner.letters.len() > CAPACITY {
            make_room(&mut inner.letters);
        }
    }

    /// Says that the port went away; nothing can be added any more.
    pub(super) fn close(&self) {
        let mut inner = self.lock();
        inner.is_closed = true;
        inner.letters.push_back(Letter {
            at: Instant::now(),
            port: self.port,
            message: Message::Gone,
        });
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Moves all messages to the end of `letters`.
    pub(super) fn empty_into(&self, letters: &mut Vec<Letter>) {
        letters.extend(self.lock().letters.drain(..));
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_room(letters: &mut VecDeque<Letter>) {
    drop_replaced(letters, |message| {
        matches!(message, Message::Control { .. })
    });
    if letters.len() > CAPACITY {
        let oldest_press = letters
            .iter()
            .position(|letter| matches!(letter.message, Message::NoteOn { .. }));
        if let Some(index) = oldest_press {
            letters.remove(index);
        }
    }
    if letters.len() > CAPACITY {
        drop_replaced(letters, |_| true);
    }
}

/// Drops the messages of the kinds `may_go` after which another one came for the same knob or note.
fn drop_replaced(letters: &mut VecDeque<Letter>, may_go: impl Fn(&Message) -> bool) {
    let mut seen = vec![false; CAPACITY];
    let mut kept = VecDeque::with_capacity(CAPACITY + 1);
    for letter in letters.drain(..).rev() {
        let is_replaced = key(&letter.message)
            .and_then(|key| seen.get_mut(key))
            .is_some_and(|seen| std::mem::replace(seen, true));
        if !(is_replaced && may_go(&letter.message)) {
            kept.push_front(letter);
        }
    }
    *letters = kept;
}

/// What knob or note a message is about: a number below `CAPACITY`.
fn key(message: &Message) -> Option<usize> {
    let (table, channel, number) = match *message {
        Message::NoteOn { channel, note, .. } | Message::NoteOff { channel, note, .. } => {
            (0, channel, note)
        }
        Message::Control {
            channel,
            controller,
            ..
        } => (1, channel, controller),
        _ => return None,
    };
    Some((table * 16 + usize::from(channel)) * 128 + usize::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(note: u8) -> Message {
        Message::NoteOn {
            channel: 0,
            note,
            velocity: 100,
        }
    }

    fn off(channel: u8, note: u8) -> Message {
        Message::NoteOff {
            channel,
            note,
            velocity: 0,
        }
    }

    fn cc(channel: u8, controller: u8, value: u8) -> Message {
        Message::Control {
            channel,
            controller,
            value,
        }
    }

    fn taken(mailbox: &Mailbox) -> Vec<Message> {
        let mut letters = Vec::new();
        mailbox.empty_into(&mut letters);
        letters.into_iter().map(|letter| letter.message).collect()
    }

    #[test]
    fn messages_come_out_in_order_and_once() {
        let mailbox = Mailbox::new(7);
        for message in [
            on(60),
            cc(0, 74, 1),
            cc(0, 74, 2),
            off(0, 60),
            Message::Clock,
        ] {
            mailbox.put(message);
        }
        assert_eq!(
            taken(&mailbox),
            [on(60), cc(0, 74, 1), cc(0, 74, 2), off(0, 60)]
        );
        assert!(taken(&mailbox).is_empty());
    }

    #[test]
    fn a_closed_box_ends_with_its_going_away() {
        let mailbox = Mailbox::new(0);
        mailbox.put(on(60));
        mailbox.close();
        mailbox.put(on(61));
        assert_eq!(taken(&mailbox), [on(60), Message::Gone]);
        assert!(mailbox.is_closed());
    }

    #[test]
    fn a_flood_of_one_knob_keeps_its_last_value_and_all_notes() {
        let mailbox = Mailbox::new(0);
        mailbox.put(on(60));
        for i in 0..100_000_u32 {
            mailbox.put(cc(0, 74, (i % 128) as u8));
        }
        mailbox.put(off(0, 60));
        let letters = taken(&mailbox);
        assert!(letters.len() <= CAPACITY);
        assert_eq!(letters[0], on(60));
        assert_eq!(
            letters[letters.len() - 2..],
            [cc(0, 74, (99_999 % 128) as u8), off(0, 60)]
        );
    }

    #[test]
    fn a_flood_of_everything_never_loses_a_letting_go_or_a_last_value() {
        let mailbox = Mailbox::new(0);
        for round in 0..3 {
            for number in 0..128 {
                for channel in 0..16 {
                    mailbox.put(Message::NoteOn {
                        channel,
                        note: number,
                        velocity: 1,
                    });
                    mailbox.put(cc(channel, number, round));
                    mailbox.put(off(channel, number));
                }
            }
        }
        let letters = taken(&mailbox);
        assert!(letters.len() <= CAPACITY);
        for number in 0..128 {
            for channel in 0..16 {
                assert!(
                    letters.contains(&off(channel, number)),
                    "{channel} {number}"
                );
                assert!(
                    letters.contains(&cc(channel, number, 2)),
                    "{channel} {number}"
                );
            }
        }
    }

    #[test]
    fn a_flood_of_letting_go_stays_bounded() {
        let mailbox = Mailbox::new(0);
        for _ in 0..20_000 {
            mailbox.put(off(3, 36));
        }
        let letters = taken(&mailbox);
        assert!(letters.len() <= CAPACITY && letters.contains(&off(3, 36)));
    }
}
