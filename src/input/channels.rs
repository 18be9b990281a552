//! Named numbers, sampled once a frame.

use std::collections::HashMap;

use super::Event;

/// A small number that stands for a channel's name as long as the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChannelId(u32);

impl ChannelId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The channels of a show: what each reads in this frame, which of them moved since the frame before, and the events in between.
///
/// Names are paths whose first part says where a value comes from: `audio/level`, `audio/band/1`, `midi/cc/74`,
/// `midi/note/36`, `mouse/x`, `key/a`. What is set during a frame is read from the next one on.
#[derive(Default)]
pub struct Channels {
    ids: HashMap<Box<str>, ChannelId>,
    channels: Vec<Channel>,
    /// Channels set since the frame began, each once, in the order of their first setting.
    touched: Vec<ChannelId>,
    changed: Vec<ChannelId>,
    waiting: Vec<Event>,
    events: Vec<Event>,
}

struct Channel {
    name: Box<str>,
    value: f64,
    next: f64,
    is_touched: bool,
}

impl Channels {
    /// The id of `name`, new ones reading 0. The same name has the same id for ever.
    pub fn id(&mut self, name: &str) -> ChannelId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = ChannelId(self.channels.len() as u32);
        self.ids.insert(name.into(), id);
        self.channels.push(Channel {
            name: name.into(),
            value: 0.0,
            next: 0.0,
            is_touched: false,
        });
        id
    }

    /// The name that `id` was made for.
    pub fn name(&self, id: ChannelId) -> &str {
        &self.channels[id.index()].name
    }

    /// Sets what `name` reads from the next frame on. A value that isn't finite is left out: the channel keeps what it had.
    pub fn set(&mut self, name: &str, value: f64) {
        let id = self.id(name);
        self.set_id(id, value);
    }

    /// As [`Channels::set`], for a channel whose id is known.
    pub fn set_id(&mut self, id: ChannelId, value: f64) {
        if !value.is_finite() {
            return;
        }
        let channel = &mut self.channels[id.index()];
        channel.next = value;
        if !channel.is_touched {
            channel.is_touched = true;
            self.touched.push(id);
        }
    }

    /// What `name` reads in this frame; 0 for one that nobody ever set.
    pub fn get(&self, name: &str) -> f64 {
        self.ids.get(name).map_or(0.0, |&id| self.value(id))
    }

    /// As [`Channels::get`], for a channel whose id is known.
    pub fn value(&self, id: ChannelId) -> f64 {
        self.channels[id.index()].value
    }

    /// The channels that read another value in this frame than in the one before.
    pub fn changed(&self) -> &[ChannelId] {
        &self.changed
    }

    /// Adds an event, seen from the next frame on.
    pub fn push(&mut self, event: Event) {
        self.waiting.push(event);
    }

    /// The events between the frame before and this one, in the order they were pushed.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Every channel with its value in this frame, in the order the names were first used.
    pub fn iter(&self) -> impl Iterator<Item = (ChannelId, &str, f64)> {
        self.channels
            .iter()
            .enumerate()
            .map(|(index, channel)| (ChannelId(index as u32), &*channel.name, channel.value))
    }

    /// Sets all channels whose first part is `prefix` to 0.
    pub fn clear(&mut self, prefix: &str) {
        for index in 0..self.channels.len() {
            if self.channels[index].name.split('/').next() == Some(prefix) {
                self.set_id(ChannelId(index as u32), 0.0);
            }
        }
    }

    /// Starts a frame: all that was set and pushed since the last call becomes what this frame reads.
    pub fn begin_frame(&mut self) {
        self.changed.clear();
        for id in self.touched.drain(..) {
            let channel = &mut self.channels[id.index()];
            channel.is_touched = false;
            if channel.next != channel.value {
                channel.value = channel.next;
                self.changed.push(id);
            }
        }
        std::mem::swap(&mut self.events, &mut self.waiting);
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::EventKind;
    use super::*;

    fn changed_names(channels: &Channels) -> Vec<&str> {
        channels
            .changed()
            .iter()
            .map(|&id| channels.name(id))
            .collect()
    }

    /// Field case B25: every source reads neutral values when it isn't there.
    #[test]
    fn a_channel_that_nobody_set_reads_zero() {
        let mut channels = Channels::default();
        assert_eq!(channels.get("audio/level"), 0.0);
        let id = channels.id("midi/cc/74");
        assert_eq!(channels.value(id), 0.0);
        channels.begin_frame();
        assert!(channels.changed().is_empty());
    }

    #[test]
    fn a_name_keeps_its_id() {
        let mut channels = Channels::default();
        let first = channels.id("mouse/x");
        let second = channels.id("mouse/y");
        channels.set("mouse/x", 0.5);
        channels.begin_frame();
        assert_ne!(first, second);
        assert_eq!(channels.id("mouse/x"), first);
        assert_eq!(channels.name(second), "mouse/y");
    }

    #[test]
    fn values_set_between_frames_are_read_from_the_next_frame_on() {
        let mut channels = Channels::default();
        channels.set("mouse/x", 0.25);
        assert_eq!(channels.get("mouse/x"), 0.0);
        channels.begin_frame();
        assert_eq!(channels.get("mouse/x"), 0.25);
        channels.set("mouse/x", 0.75);
        assert_eq!(channels.get("mouse/x"), 0.25);
        channels.begin_frame();
        assert_eq!(channels.get("mouse/x"), 0.75);
    }

    #[test]
    fn only_channels_that_moved_are_listed_as_changed() {
        let mut channels = Channels::default();
        channels.set("mouse/x", 0.25);
        channels.set("mouse/y", 0.0);
        channels.begin_frame();
        assert_eq!(changed_names(&channels), ["mouse/x"]);

        channels.set("mouse/x", 0.5);
        channels.set("mouse/x", 0.25);
        channels.set("key/a", 1.0);
        channels.set("key/a", 1.0);
        channels.begin_frame();
        assert_eq!(changed_names(&channels), ["key/a"]);

        channels.begin_frame();
        assert!(channels.changed().is_empty());
    }

    #[test]
    fn values_that_are_no_numbers_are_left_out() {
        let mut channels = Channels::default();
        channels.set("mouse/x", 0.5);
        channels.set("mouse/x", f64::NAN);
        channels.set("mouse/y", f64::INFINITY);
        channels.begin_frame();
        assert_eq!(channels.get("mouse/x"), 0.5);
        assert_eq!(channels.get("mouse/y"), 0.0);
    }

    #[test]
    fn events_last_one_frame_and_keep_their_order() {
        let key = |name: &str, is_down| Event {
            kind: EventKind::Key {
                name: name.into(),
                is_down,
            },
            offset_secs: None,
        };
        let mut channels = Channels::default();
        channels.push(key("a", true));
        channels.push(key("a", false));
        assert!(channels.events().is_empty());
        channels.begin_frame();
        assert_eq!(channels.events(), [key("a", true), key("a", false)]);
        channels.push(key("b", true));
        channels.begin_frame();
        assert_eq!(channels.events(), [key("b", true)]);
        channels.begin_frame();
        assert!(channels.events().is_empty());
    }

    #[test]
    fn clearing_a_prefix_leaves_the_others() {
        let mut channels = Channels::default();
        channels.set("audio/low", 0.5);
        channels.set("audiovisual/x", 0.5);
        channels.begin_frame();
        channels.clear("audio");
        channels.begin_frame();
        assert_eq!(channels.get("audio/low"), 0.0);
        assert_eq!(channels.get("audiovisual/x"), 0.5);
    }
}
