//! Live inputs: sound, MIDI, mouse and keys. What nothing feeds reads 0.

use crate::graph::{Cx, GraphError, Update};
use crate::operator;

macro_rules! channels {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = $channel:literal;)*) => {$(
        operator! {
            $(#[doc = $doc])*
            $name $lua -> f64 {}
        }
        impl Update for $name {
            type Output = f64;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
                Ok(cx.channel($channel))
            }
        }
    )*};
}

channels! {
    /// How loud the sound is, 0 to 1.
    Level "audio.level" = "audio/level";
    /// The bass, 0 to 1.
    Low "audio.low" = "audio/band/1";
    /// The lower middle of the sound, 0 to 1.
    LowMid "audio.low_mid" = "audio/band/2";
    /// The upper middle of the sound, 0 to 1.
    HighMid "audio.high_mid" = "audio/band/3";
    /// The treble, 0 to 1.
    High "audio.high" = "audio/band/4";
    /// Where the mouse is across the window, 0 left to 1 right.
    MouseX "mouse.x" = "mouse/x";
    /// Where the mouse is up the window, 0 bottom to 1 top.
    MouseY "mouse.y" = "mouse/y";
    /// 1 while a mouse button is held, else 0.
    MouseDown "mouse.down" = "mouse/down";
}

operator! {
    /// One of four bands of the sound, 0 to 1, from bass to treble.
    Band "audio.band" -> f64 {
        /// Which band, counted from 1.
        index: f64 = 1.0, 1.0..=4.0;
    }
}

impl Update for Band {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let index = cx.get(self.index)?.round().clamp(1.0, 4.0);
        Ok(cx.channel(&format!("audio/band/{index}")))
    }
}

/// `midi/cc/74`, or `midi/3/cc/74` for one MIDI channel.
fn midi(kind: &str, number: f64, channel: f64) -> String {
    let (number, channel) = (
        number.round().clamp(0.0, 127.0),
        channel.round().clamp(0.0, 16.0),
    );
    if channel == 0.0 {
        format!("midi/{kind}/{number}")
    } else {
        format!("midi/{channel}/{kind}/{number}")
    }
}

operator! {
    /// The position of a knob or fader of a MIDI controller, 0 to 1.
    Cc "midi.cc" -> f64 {
        /// Number of the control, 0 to 127.
        number: f64 = 1.0, 0.0..=127.0;
        /// MIDI channel from 1 to 16; 0 listens to all.
        channel: f64 = 0.0, 0.0..=16.0;
    }
}

impl Update for Cc {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let name = midi("cc", cx.get(self.number)?, cx.get(self.channel)?);
        Ok(cx.channel(&name))
    }
}

operator! {
    /// How hard a note of a MIDI keyboard is held, 0 when it isn't, to 1.
    Note "midi.note" -> f64 {
        /// Number of the note, 0 to 127; 60 is middle C.
        number: f64 = 60.0, 0.0..=127.0;
        /// MIDI channel from 1 to 16; 0 listens to all.
        channel: f64 = 0.0, 0.0..=16.0;
    }
}

impl Update for Note {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let name = midi("note", cx.get(self.number)?, cx.get(self.channel)?);
        Ok(cx.channel(&name))
    }
}

operator! {
    /// 1 while a key of the computer keyboard is held in the window, else 0.
    Pressed "key" -> f64 {
        /// Name of the key: a letter or digit, `space`, `left`, `enter`…
        name: std::sync::Arc<str> = "space";
    }
}

impl Update for Pressed {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let name = cx.get(self.name)?;
        Ok(cx.channel(&format!("key/{}", name.to_lowercase())))
    }
}

operator! {
    /// Any live input by its channel name, such as `midi/3/cc/74`.
    Channel "channel" -> f64 {
        /// Name of the channel.
        name: std::sync::Arc<str> = "audio/level";
    }
}

impl Update for Channel {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let name = cx.get(self.name)?;
        Ok(cx.channel(&name))
    }
}
