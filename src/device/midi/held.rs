//! Which notes are held, and what their channels read.

use crate::input::Channels;

/// A port, numbered in the order of connecting.
pub(super) type Port = u32;

/// The notes that are held on all ports.
///
/// `midi/note/N` reads the velocity of the last press of that note that is still held, on whatever port and channel,
/// and 0 when there is none. A press that is let go before a frame saw it lasts that one frame: a fast tap on a pad is never invisible.
#[derive(Default)]
pub(super) struct Held {
    /// Oldest press first.
    presses: Vec<Press>,
}

struct Press {
    port: Port,
    channel: u8,
    note: u8,
    velocity: f64,
    /// Pressed since the frame before.
    is_new: bool,
    is_released: bool,
}

impl Press {
    fn is(&self, port: Port, channel: u8, note: u8) -> bool {
        (self.port, self.channel, self.note) == (port, channel, note)
    }
}

impl Held {
    /// Lets go of what was tapped before the last frame.
    pub(super) fn begin_frame(&mut self, channels: &mut Channels) {
        self.remove(channels, |press| press.is_released);
        for press in &mut self.presses {
            press.is_new = false;
        }
    }

    /// A note was struck; `channel` counts from 0, `velocity` is above 0 to 1.
    pub(super) fn press(
        &mut self,
        port: Port,
        channel: u8,
        note: u8,
        velocity: f64,
        channels: &mut Channels,
    ) {
        self.presses.retain(|press| !press.is(port, channel, note));
        self.presses.push(Press {
            port,
            channel,
            note,
            velocity,
            is_new: true,
            is_released: false,
        });
        self.show(channel, note, channels);
        channels.set("midi/note/last", f64::from(note));
        channels.set(&format!("midi/{}/note/last", channel + 1), f64::from(note));
    }

    /// A note was let go.
    pub(super) fn release(&mut self, port: Port, channel: u8, note: u8, channels: &mut Channels) {
        for press in &mut self.presses {
            press.is_released |= press.is(port, channel, note);
        }
        self.remove(channels, |press| {
            press.is(port, channel, note) && !press.is_new
        });
    }

    /// All notes of a channel were let go; gives the notes that were held.
    pub(super) fn release_channel(
        &mut self,
        port: Port,
        channel: u8,
        channels: &mut Channels,
    ) -> Vec<u8> {
        self.remove(channels, |press| {
            press.port == port && press.channel == channel
        })
        .into_iter()
        .map(|(_, note)| note)
        .collect()
    }

    /// A port went away with whatever was held; gives channel and number of those notes.
    pub(super) fn release_port(&mut self, port: Port, channels: &mut Channels) -> Vec<(u8, u8)> {
        self.remove(channels, |press| press.port == port)
    }

    fn remove(
        &mut self,
        channels: &mut Channels,
        is_over: impl Fn(&Press) -> bool,
    ) -> Vec<(u8, u8)> {
        let mut over = Vec::new();
        self.presses.retain(|press| {
            let is_over = is_over(press);
            if is_over {
                over.push((press.channel, press.note));
            }
            !is_over
        });
        for &(channel, note) in &over {
            self.show(channel, note, channels);
        }
        over
    }

    /// Sets the channels of one note.
    fn show(&self, channel: u8, note: u8, channels: &mut Channels) {
        let last = |is_meant: &dyn Fn(&Press) -> bool| {
            self.presses
                .iter()
                .rev()
                .find(|press| is_meant(press))
                .map_or(0.0, |press| press.velocity)
        };
        channels.set(
            &format!("midi/note/{note}"),
            last(&|press| press.note == note),
        );
        channels.set(
            &format!("midi/{}/note/{note}", channel + 1),
            last(&|press| press.note == note && press.channel == channel),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a frame: the taps of `play` between two samplings.
    fn frame(
        held: &mut Held,
        channels: &mut Channels,
        play: impl FnOnce(&mut Held, &mut Channels),
    ) {
        held.begin_frame(channels);
        play(held, channels);
        channels.begin_frame();
    }

    #[test]
    fn a_note_reads_its_velocity_while_held_and_zero_after() {
        let (mut held, mut channels) = Default::default();
        frame(&mut held, &mut channels, |held, channels| {
            held.press(0, 9, 36, 0.5, channels)
        });
        assert_eq!(channels.get("midi/note/36"), 0.5);
        assert_eq!(channels.get("midi/10/note/36"), 0.5);
        assert_eq!(channels.get("midi/1/note/36"), 0.0);
        assert_eq!(channels.get("midi/note/last"), 36.0);
        frame(&mut held, &mut channels, |_, _| {});
        assert_eq!(channels.get("midi/note/36"), 0.5);
        frame(&mut held, &mut channels, |held, channels| {
            held.release(0, 9, 36, channels)
        });
        assert_eq!(channels.get("midi/note/36"), 0.0);
        assert_eq!(channels.get("midi/10/note/36"), 0.0);
        assert_eq!(channels.get("midi/note/last"), 36.0);
    }

    #[test]
    fn a_tap_shorter_than_a_frame_is_seen_in_one_frame() {
        let (mut held, mut channels) = Default::default();
        frame(&mut held, &mut channels, |held, channels| {
            held.press(0, 0, 36, 1.0, channels);
            held.release(0, 0, 36, channels);
        });
        assert_eq!(channels.get("midi/note/36"), 1.0);
        frame(&mut held, &mut channels, |_, _| {});
        assert_eq!(channels.get("midi/note/36"), 0.0);
    }

    #[test]
    fn a_note_held_twice_rests_when_both_are_let_go() {
        let (mut held, mut channels) = Default::default();
        frame(&mut held, &mut channels, |held, channels| {
            held.press(0, 0, 60, 0.25, channels);
            held.press(1, 4, 60, 0.75, channels);
        });
        assert_eq!(channels.get("midi/note/60"), 0.75);
        frame(&mut held, &mut channels, |held, channels| {
            held.release(1, 4, 60, channels)
        });
        assert_eq!(channels.get("midi/note/60"), 0.25);
        assert_eq!(channels.get("midi/5/note/60"), 0.0);
        frame(&mut held, &mut channels, |held, channels| {
            held.release(0, 0, 60, channels)
        });
        assert_eq!(channels.get("midi/note/60"), 0.0);
    }

    #[test]
    fn a_port_that_goes_away_takes_its_held_notes_along() {
        let (mut held, mut channels) = Default::default();
        frame(&mut held, &mut channels, |held, channels| {
            held.press(0, 0, 60, 0.5, channels);
            held.press(1, 0, 62, 0.5, channels);
        });
        frame(&mut held, &mut channels, |held, channels| {
            assert_eq!(held.release_port(0, channels), [(0, 60)]);
        });
        assert_eq!(channels.get("midi/note/60"), 0.0);
        assert_eq!(channels.get("midi/note/62"), 0.5);
        frame(&mut held, &mut channels, |held, channels| {
            assert_eq!(held.release_channel(1, 0, channels), [62]);
        });
        assert_eq!(channels.get("midi/note/62"), 0.0);
    }
}
