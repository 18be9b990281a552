//! Shows that a person plays: the built program in its window, moved by the sound and the knobs of the machine.

use std::path::Path;
use std::process::Command;

use crate::sound_card::{self, Player};
use crate::support::folder::Folder;
use crate::support::picture::Picture;
use crate::support::process::Show;
use crate::support::screen::{Screen, Window};
use crate::support::{root, until};

/// A show in a small window, on a machine with the sound card that `home` describes.
fn show_of(sketch: &Path, home: &Folder) -> Command {
    let mut gobo = home.gobo(["run", "--size", "160x90", "--fps", "30"]);
    gobo.arg(sketch).envs(sound_card::environment(&home.home()));
    gobo
}

/// A sketch and a machine with a sound card that a player fills, silent at first.
fn with_card(sketch: &str) -> (Folder, Player) {
    let folder = Folder::with_sketch(sketch);
    sound_card::plug(&folder.home(), "card");
    let player = Player::start(&folder.home(), 0);
    (folder, player)
}

/// A sketch and a machine that hears nothing.
fn without_card(sketch: &str) -> Folder {
    let folder = Folder::with_sketch(sketch);
    sound_card::unplug(&folder.home());
    folder
}

fn end(mut show: Show) {
    assert_eq!(show.count(&[".lua:"]), 0, "it said: {:#?}", show.lines());
    show.signal("TERM");
    assert_eq!(show.wait_for_end().code(), Some(0));
}

#[test]
fn sound_colours_the_window() {
    let (folder, player) = with_card("solid(audio.level, audio.low, audio.high):out()\n");
    let screen = Screen::start();
    let (mut show, window) = screen.play(show_of(&folder.join("sketch.lua"), &folder));
    show.wait_for_line(&["gobo: audio: listening to"]);
    window.wait_for_colour([0, 0, 0]);
    player.play(80);
    window.wait_for("level and bass", |picture| {
        is_lit(picture, [true, true, false])
    });
    player.play(5000);
    window.wait_for("level and treble", |picture| {
        is_lit(picture, [true, false, true])
    });
    player.play(0);
    window.wait_for_colour([0, 0, 0]);
    end(show);
}

/// Whether red, green and blue are near their most, or else near their least.
fn is_lit(picture: &Picture, lit: [bool; 3]) -> bool {
    let is_as_wanted = |(value, is_lit): (f64, bool)| {
        if is_lit { value > 230.0 } else { value < 25.0 }
    };
    picture.mean().into_iter().zip(lit).all(is_as_wanted)
}

/// The example that listens, played twice at once: on a machine with a device, and on one without as a measure of
/// what it shows at the same moment when nothing is heard.
struct Pair<'a> {
    with_device: Window<'a>,
    without: Window<'a>,
    shows: [Show; 2],
}

impl<'a> Pair<'a> {
    /// Two shows that look alike while the device rests. Those whose clocks are too far apart, as happens where one
    /// of them had to wait for the processor, are played anew.
    fn play(screen: &'a Screen, commands: impl Fn(&Path) -> [Command; 2]) -> Self {
        let example = root().join("examples/02_listen.lua");
        until("two shows that look alike", || {
            let pair = Self::start(screen, commands(&example));
            let difference = pair.difference()?;
            if difference < ALIKE {
                Ok(pair)
            } else {
                Err(format!("they differ by {difference:.1}"))
            }
        })
    }

    fn start(screen: &'a Screen, commands: [Command; 2]) -> Self {
        let mut shows = commands.map(|mut gobo| {
            gobo.env("DISPLAY", screen.display());
            Show::start(gobo)
        });
        let [with_device, without] = shows.each_mut().map(|show| screen.window_of(show));
        for (window, x) in [(&with_device, 100), (&without, 700)] {
            window.move_to(x, 100);
            window.wait_for_place("the windows side by side", |p| p.x.abs_diff(x) < 100);
            // The example follows the mouse, which has to be at the same place for both.
            window.point(80, 45);
            window.wait_for("a picture", |picture| !picture.is_black());
        }
        Self {
            with_device,
            without,
            shows,
        }
    }

    /// How much the two differ at the same moments, 0 to 255: the mean of a few looks.
    fn difference(&self) -> Result<f64, String> {
        const LOOKS: usize = 5;
        let mut sum = 0.0;
        for _ in 0..LOOKS {
            let with_device = self.with_device.screenshot()?;
            sum += with_device.mean_difference(&self.without.screenshot()?);
        }
        Ok(sum / LOOKS as f64)
    }

    /// Does `act` and looks, again and again, until the difference is as wanted.
    fn wait_for(&self, what: &str, mut act: impl FnMut(), is_wanted: impl Fn(f64) -> bool) {
        until(what, || {
            act();
            let difference = self.difference()?;
            if is_wanted(difference) {
                Ok(())
            } else {
                Err(format!("the shows differ by {difference:.1}"))
            }
        });
    }
}

/// Shows that hear the same differ by up to 5, since their clocks aren't the same to the frame.
const ALIKE: f64 = 8.0;
/// A turned knob makes a difference of 20, a note of 45, a bass of more.
const UNLIKE: f64 = 15.0;

#[test]
fn sound_bends_the_example_that_listens() {
    let ((machine, player), deaf) = (with_card(""), without_card(""));
    let screen = Screen::start();
    let mut pair = Pair::play(&screen, |example| {
        [show_of(example, &machine), show_of(example, &deaf)]
    });
    pair.shows[0].wait_for_line(&["gobo: audio: listening to"]);
    pair.shows[1].wait_for_line(&["gobo: audio: no input device"]);
    pair.wait_for("the bass", || player.play(80), |by| by > UNLIKE);
    pair.wait_for("silence", || player.play(0), |by| by < ALIKE);
    pair.shows.into_iter().for_each(end);
}

#[cfg(feature = "midi-jack")]
mod knobs {
    use super::*;
    use crate::child::in_child;
    use crate::jack::{Server, environment, keyboard};

    #[test]
    fn knobs_and_notes_colour_the_window() {
        in_child(
            "played::knobs::knobs_and_notes_colour_the_window",
            environment,
            |_| {
                let _server = Server::start();
                let mut keyboard = keyboard("box", "keys");
                let mut send = |bytes: [u8; 3]| keyboard.send(&bytes).unwrap();
                let folder = without_card("solid(midi.cc(74), midi.note(60), 0):out()\n");
                let screen = Screen::start();
                let (mut show, window) = screen.play(show_of(&folder.join("sketch.lua"), &folder));
                show.wait_for_line(&["gobo: midi: listening to box:keys"]);
                window.wait_for_colour([0, 0, 0]);
                // JACK connects in one of its next cycles, and what is sent before is lost.
                until("the knob", || {
                    send([0xb0, 74, 127]);
                    let picture = window.screenshot()?;
                    if picture.is_all([255, 0, 0]) {
                        Ok(())
                    } else {
                        Err(format!("the window shows {}", picture.describe()))
                    }
                });
                send([0x90, 60, 127]);
                window.wait_for_colour([255, 255, 0]);
                send([0xb0, 74, 64]);
                window.wait_for_colour([129, 255, 0]);
                send([0x80, 60, 0]);
                window.wait_for_colour([129, 0, 0]);
                end(show);
            },
        );
    }

    #[test]
    fn a_knob_turns_the_example_that_listens() {
        in_child(
            "played::knobs::a_knob_turns_the_example_that_listens",
            environment,
            |_| {
                let _server = Server::start();
                let mut keyboard = keyboard("box", "keys");
                let mut send = |bytes: [u8; 3]| keyboard.send(&bytes).unwrap();
                let (machine, deaf) = (without_card(""), without_card(""));
                let screen = Screen::start();
                let mut pair = Pair::play(&screen, |example| {
                    let mut without = show_of(example, &deaf);
                    without.env("JACK_DEFAULT_SERVER", "nobody");
                    [show_of(example, &machine), without]
                });
                pair.shows[0].wait_for_line(&["gobo: midi: listening to box:keys"]);
                pair.shows[1].wait_for_line(&["gobo: midi: the system's MIDI service"]);
                let mut after = |what, bytes, is_wanted: fn(f64) -> bool| {
                    pair.wait_for(what, || send(bytes), is_wanted);
                };
                after("the knob", [0xb0, 74, 16], |by| by > UNLIKE);
                after("the knob at rest", [0xb0, 74, 0], |by| by < ALIKE);
                after("the note", [0x90, 36, 127], |by| by > UNLIKE);
                after("the note at rest", [0x80, 36, 0], |by| by < ALIKE);
                pair.shows.into_iter().for_each(end);
            },
        );
    }
}
