//! From bytes to messages.
//!
//! The rules are those of the MIDI 1.0 specification: a status byte may be left out when it is that of the message
//! before (running status), clock and other real-time bytes may stand anywhere, even inside another message, and a
//! system-exclusive dump ends with any other status byte, should its end byte be missing.

/// One MIDI message; channels count from 0, as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// A note was let go; also sent as a press with velocity 0.
    NoteOff { channel: u8, note: u8, velocity: u8 },
    /// A note was struck with a velocity of 1 to 127.
    NoteOn { channel: u8, note: u8, velocity: u8 },
    /// The pressure on one held note.
    NotePressure { channel: u8, note: u8, pressure: u8 },
    /// A knob, fader or pedal.
    Control {
        channel: u8,
        controller: u8,
        value: u8,
    },
    /// Another sound was chosen.
    Program { channel: u8, program: u8 },
    /// The pressure on the whole keyboard.
    Pressure { channel: u8, pressure: u8 },
    /// Pitch bend, 0 to 16383, 8192 in the middle.
    Bend { channel: u8, value: u16 },
    /// A twenty-fourth of a quarter note passed.
    Clock,
    /// Any other system message, by its status byte.
    System { status: u8 },
    /// A system-exclusive message with so many bytes between its start and its end; `is_whole` unless its end was missing.
    Exclusive { length: usize, is_whole: bool },
    /// The port went away; no message of the wire.
    Gone,
}

/// Reads one port's stream of bytes, in pieces of any size.
#[derive(Debug, Default)]
pub(super) struct Parser {
    /// The status that data bytes belong to; none inside an exclusive message or before the first status.
    status: Option<u8>,
    first: Option<u8>,
    /// Bytes of the exclusive message so far.
    exclusive: Option<usize>,
}

impl Parser {
    /// Reads `bytes` and calls `each` with every message that is complete.
    pub(super) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Message)) {
        for &byte in bytes {
            match byte {
                0xf8 => each(Message::Clock),
                0xf9..=0xff => each(Message::System { status: byte }),
                0x80..=0xf7 => self.status_byte(byte, &mut each),
                0x00..=0x7f => self.data_byte(byte, &mut each),
            }
        }
    }

    fn status_byte(&mut self, byte: u8, each: &mut impl FnMut(Message)) {
        if let Some(length) = self.exclusive.take() {
            let is_whole = byte == 0xf7;
            each(Message::Exclusive { length, is_whole });
        }
        self.first = None;
        self.status = match byte {
            0xf0 => {
                self.exclusive = Some(0);
                None
            }
            // Song position, song select and time code have data; the others are complete.
            0xf1..=0xf3 => Some(byte),
            0xf4..=0xf6 => {
                each(Message::System { status: byte });
                None
            }
            0xf7 => None,
            _ => Some(byte),
        };
    }

    fn data_byte(&mut self, byte: u8, each: &mut impl FnMut(Message)) {
        if let Some(length) = &mut self.exclusive {
            *length += 1;
            return;
        }
        let Some(status) = self.status else {
            return;
        };
        let has_two = !matches!(status & 0xf0, 0xc0 | 0xd0) && !matches!(status, 0xf1 | 0xf3);
        match self.first.take() {
            None if has_two => self.first = Some(byte),
            None => each(self.complete(status, byte, 0)),
            Some(first) => each(self.complete(status, first, byte)),
        }
    }

    fn complete(&mut self, status: u8, first: u8, second: u8) -> Message {
        let channel = status & 0x0f;
        match status & 0xf0 {
            0x90 if second > 0 => Message::NoteOn {
                channel,
                note: first,
                velocity: second,
            },
            0x80 | 0x90 => Message::NoteOff {
                channel,
                note: first,
                velocity: second,
            },
            0xa0 => Message::NotePressure {
                channel,
                note: first,
                pressure: second,
            },
            0xb0 => Message::Control {
                channel,
                controller: first,
                value: second,
            },
            0xc0 => Message::Program {
                channel,
                program: first,
            },
            0xd0 => Message::Pressure {
                channel,
                pressure: first,
            },
            0xe0 => Message::Bend {
                channel,
                value: u16::from(first) | u16::from(second) << 7,
            },
            _ => {
                // System messages have no running status.
                self.status = None;
                Message::System { status }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(bytes: &[u8]) -> Vec<Message> {
        let mut messages = Vec::new();
        Parser::default().feed(bytes, |message| messages.push(message));
        messages
    }

    fn on(note: u8, velocity: u8) -> Message {
        Message::NoteOn {
            channel: 0,
            note,
            velocity,
        }
    }

    fn cc(controller: u8, value: u8) -> Message {
        Message::Control {
            channel: 0,
            controller,
            value,
        }
    }

    #[test]
    fn each_kind_of_message_is_read() {
        let off = |velocity| Message::NoteOff {
            channel: 9,
            note: 60,
            velocity,
        };
        let table: [(&[u8], Message); 12] = [
            (&[0x90, 60, 100], on(60, 100)),
            (&[0x89, 60, 64], off(64)),
            (&[0x99, 60, 0], off(0)),
            (
                &[0xaf, 60, 1],
                Message::NotePressure {
                    channel: 15,
                    note: 60,
                    pressure: 1,
                },
            ),
            (&[0xb0, 74, 127], cc(74, 127)),
            (
                &[0xc1, 5],
                Message::Program {
                    channel: 1,
                    program: 5,
                },
            ),
            (
                &[0xd2, 99],
                Message::Pressure {
                    channel: 2,
                    pressure: 99,
                },
            ),
            (
                &[0xe0, 0x00, 0x40],
                Message::Bend {
                    channel: 0,
                    value: 8192,
                },
            ),
            (
                &[0xe0, 0x7f, 0x7f],
                Message::Bend {
                    channel: 0,
                    value: 16383,
                },
            ),
            (&[0xf2, 1, 2], Message::System { status: 0xf2 }),
            (&[0xf8], Message::Clock),
            (
                &[0xf0, 1, 2, 3, 0xf7],
                Message::Exclusive {
                    length: 3,
                    is_whole: true,
                },
            ),
        ];
        for (bytes, message) in table {
            assert_eq!(parsed(bytes), [message], "{bytes:02x?}");
        }
    }

    #[test]
    fn a_status_is_kept_for_the_messages_after_it() {
        assert_eq!(
            parsed(&[0x90, 60, 1, 61, 2, 0xb0, 1, 2, 3, 4]),
            [on(60, 1), on(61, 2), cc(1, 2), cc(3, 4)]
        );
        assert_eq!(
            parsed(&[0xc0, 1, 2]),
            [1, 2].map(|program| Message::Program {
                channel: 0,
                program
            })
        );
    }

    #[test]
    fn system_messages_end_the_running_status() {
        assert_eq!(
            parsed(&[0x90, 60, 1, 0xf3, 5, 61, 2, 0xf6, 62, 3]),
            [
                on(60, 1),
                Message::System { status: 0xf3 },
                Message::System { status: 0xf6 }
            ]
        );
    }

    #[test]
    fn a_clock_inside_a_message_disturbs_nothing() {
        assert_eq!(
            parsed(&[0x90, 0xf8, 60, 0xf8, 100, 0xfe, 61, 1]),
            [
                Message::Clock,
                Message::Clock,
                on(60, 100),
                Message::System { status: 0xfe },
                on(61, 1),
            ]
        );
        assert_eq!(
            parsed(&[0xf0, 1, 0xf8, 2, 0xf7]),
            [
                Message::Clock,
                Message::Exclusive {
                    length: 2,
                    is_whole: true
                }
            ]
        );
    }

    #[test]
    fn an_unfinished_exclusive_message_ends_at_the_next_status() {
        assert_eq!(
            parsed(&[0xf0, 1, 2, 0x90, 60, 100]),
            [
                Message::Exclusive {
                    length: 2,
                    is_whole: false
                },
                on(60, 100)
            ]
        );
        assert_eq!(
            parsed(&[0xf0, 1, 0xf0, 1, 2, 0xf7]),
            [
                Message::Exclusive {
                    length: 1,
                    is_whole: false
                },
                Message::Exclusive {
                    length: 2,
                    is_whole: true
                },
            ]
        );
    }

    #[test]
    fn data_without_a_status_and_broken_messages_are_left_out() {
        assert_eq!(parsed(&[1, 2, 3]), []);
        assert_eq!(parsed(&[0x90, 60, 0xb0, 1, 2]), [cc(1, 2)]);
        assert_eq!(parsed(&[0xf7, 1]), []);
        assert_eq!(parsed(&[0x90, 60]), []);
    }

    #[test]
    fn a_stream_cut_anywhere_gives_the_same_messages() {
        let bytes = [
            0x90, 60, 100, 61, 0, 0xf8, 0xf0, 1, 2, 3, 0xf7, 0xb5, 7, 0xf8, 8, 0xe0, 1, 2, 0xf2, 3,
            4, 0xc0, 9,
        ];
        let whole = parsed(&bytes);
        assert_eq!(whole.len(), 9);
        for cut in 0..=bytes.len() {
            let mut messages = Vec::new();
            let mut parser = Parser::default();
            parser.feed(&bytes[..cut], |message| messages.push(message));
            parser.feed(&bytes[cut..], |message| messages.push(message));
            assert_eq!(messages, whole, "cut after {cut} bytes");
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic() {
        let mut seed = 0x2545_f491_u32;
        let noise: Vec<u8> = (0..200_000)
            .map(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 17;
                seed ^= seed << 5;
                (seed >> 11) as u8
            })
            .collect();
        let messages = parsed(&noise);
        assert!(messages.len() > 50_000, "{}", messages.len());
        let numbers_fit = messages.iter().all(|message| match *message {
            Message::NoteOn {
                channel,
                note,
                velocity,
            } => channel < 16 && note < 128 && velocity < 128,
            Message::Control {
                channel,
                controller,
                value,
            } => channel < 16 && controller < 128 && value < 128,
            _ => true,
        });
        assert!(numbers_fit);
    }
}
