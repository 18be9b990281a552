//! Live inputs: sound, MIDI, mouse and keys. What nothing feeds reads 0.

use std::sync::Arc;

use crate::formula;

formula! {
    /// How loud the sound is, 0 to 1.
    Level "audio.level" -> f64 {} = |cx| cx.channel("audio/level")
}

formula! {
    /// The bass, 0 to 1.
    Low "audio.low" -> f64 {} = |cx| cx.channel("audio/band/1")
}

formula! {
    /// The lower middle of the sound, 0 to 1.
    LowMid "audio.low_mid" -> f64 {} = |cx| cx.channel("audio/band/2")
}

formula! {
    /// The upper middle of the sound, 0 to 1.
    HighMid "audio.high_mid" -> f64 {} = |cx| cx.channel("audio/band/3")
}

formula! {
    /// The treble, 0 to 1.
    High "audio.high" -> f64 {} = |cx| cx.channel("audio/band/4")
}

formula! {
    /// Where the mouse is across the window, 0 left to 1 right.
    MouseX "mouse.x" -> f64 {} = |cx| cx.channel("mouse/x")
}

formula! {
    /// Where the mouse is up the window, 0 bottom to 1 top.
    MouseY "mouse.y" -> f64 {} = |cx| cx.channel("mouse/y")
}

formula! {
    /// 1 while a mouse button is held, else 0.
    MouseDown "mouse.down" -> f64 {} = |cx| cx.channel("mouse/down")
}

formula! {
    /// One of four bands of the sound, 0 to 1, from bass to treble.
    Band "audio.band" -> f64 {
        /// Which band, counted from 1.
        index: f64 = 1.0, 1.0..=4.0;
    } = |cx| cx.channel(&format!("audio/band/{}", index.round().clamp(1.0, 4.0)))
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

formula! {
    /// The position of a knob or fader of a MIDI controller, 0 to 1.
    Cc "midi.cc" -> f64 {
        /// Number of the control, 0 to 127.
        number: f64 = 1.0, 0.0..=127.0;
        /// MIDI channel from 1 to 16; 0 listens to all.
        channel: f64 = 0.0, 0.0..=16.0;
    } = |cx| cx.channel(&midi("cc", number, channel))
}

formula! {
    /// How hard a note of a MIDI keyboard is held, 0 when it isn't, to 1.
    Note "midi.note" -> f64 {
        /// Number of the note, 0 to 127; 60 is middle C.
        number: f64 = 60.0, 0.0..=127.0;
        /// MIDI channel from 1 to 16; 0 listens to all.
        channel: f64 = 0.0, 0.0..=16.0;
    } = |cx| cx.channel(&midi("note", number, channel))
}

formula! {
    /// 1 while a key of the computer keyboard is held in the window, else 0.
    Pressed "key" -> f64 {
        /// Name of the key: a letter or digit, `space`, `left`, `enter`…
        name: Arc<str> = "space";
    } = |cx| cx.channel(&format!("key/{}", name.to_lowercase()))
}

formula! {
    /// Any live input by its channel name, such as `midi/3/cc/74`.
    Channel "channel" -> f64 {
        /// Name of the channel.
        name: Arc<str> = "audio/level";
    } = |cx| cx.channel(&name)
}
