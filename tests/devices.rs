//! Sound and MIDI over their real paths, without hardware.
//!
//! Sound goes through libasound from a pipe that the test fills (`devices/sound_card.rs`). MIDI goes through a JACK server
//! with a dummy driver when the feature `midi-jack` is on, and through the kernel's own sequencer in the small guest of
//! `devices/midi_kernel.sh`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test says what it does not check"
)]
#![cfg(target_os = "linux")]

#[path = "devices/child.rs"]
mod child;
#[path = "devices/frames.rs"]
mod frames;
#[cfg(feature = "midi-jack")]
#[path = "devices/jack.rs"]
mod jack;
#[cfg(not(feature = "midi-jack"))]
#[path = "devices/kernel.rs"]
mod kernel;
#[path = "devices/played.rs"]
mod played;
#[path = "devices/sound_card.rs"]
mod sound_card;
mod support;

use std::time::{Duration, Instant};

use child::in_child;
use frames::Frames;
use gobo::device::{self, DeviceChoice, DeviceKind};
use gobo::input::{Inputs, SourceState};
use sound_card::Player;

const LISTENING: &str = "audio: listening to Default Audio Device (48000 Hz, 2 channels)";
const NO_DEVICE: &str = "audio: no input device; the sketch runs on silence";

/// A test in a child with a sound card of files.
fn with_sound_card(name: &str, body: impl FnOnce(&std::path::Path)) {
    in_child(
        name,
        |folder| {
            sound_card::plug(folder, "Mikrofon 日本 🎤");
            sound_card::environment(folder)
        },
        body,
    );
}

#[test]
fn a_tone_raises_its_band_and_silence_is_zero() {
    with_sound_card("a_tone_raises_its_band_and_silence_is_zero", |folder| {
        let player = Player::start(folder, 440);
        let mut frames = Frames::reading("audio/low", &DeviceChoice::default());
        frames.until("440 Hz is in band 2 alone", |frames| frames.is_only_band(2));
        assert!(frames.get("audio/level") > 0.9);
        player.play(80);
        frames.until("80 Hz is in band 1 alone", |frames| frames.is_only_band(1));
        assert!(frames.get("audio/low") > 0.9);
        player.play(5000);
        frames.until("5 kHz is in band 4 alone", |frames| frames.is_only_band(4));
        assert!(frames.get("audio/high") > 0.9);
        player.play(0);
        frames.until("silence is 0", |frames| {
            frames.get("audio/level") == 0.0 && frames.bands() == [0.0; 4]
        });
        assert_eq!(frames.notices, [LISTENING]);
    });
}

/// Field case G60: people dislike a microphone that opens unasked.
#[test]
fn the_microphone_stays_closed_until_a_sketch_listens() {
    with_sound_card(
        "the_microphone_stays_closed_until_a_sketch_listens",
        |folder| {
            let mut frames = Frames::of(Inputs::new(device::sources(&DeviceChoice::default())));
            frames.inputs.want("mouse/x");
            for _ in 0..50 {
                frames.frame();
                assert!(!sound_card::is_open(folder));
            }
            assert_eq!(frames.inputs.status()[0].1.state, SourceState::Closed);
            assert!(frames.notices.is_empty());
            frames.inputs.want("audio/level");
            frames.until("somebody reads the sound card", |_| {
                sound_card::is_open(folder)
            });
        },
    );
}

/// Field cases F50 and B25: no device at start is neutral and told once, and one that is plugged in later is found.
#[test]
fn without_a_device_all_is_silent_until_one_is_plugged_in() {
    in_child(
        "without_a_device_all_is_silent_until_one_is_plugged_in",
        |folder| {
            sound_card::unplug(folder);
            sound_card::environment(folder)
        },
        |folder| {
            let mut frames = Frames::reading("audio/level", &DeviceChoice::default());
            let mut looked = Instant::now();
            frames.until("it was told", |frames| {
                looked = Instant::now();
                !frames.notices.is_empty()
            });
            // Long enough for three more attempts in vain.
            while looked.elapsed() < Duration::from_secs(7) {
                frames.frame();
                assert_eq!(frames.get("audio/level"), 0.0);
                assert_eq!(frames.bands(), [0.0; 4]);
            }
            assert_eq!(frames.notices, [NO_DEVICE]);
            assert_eq!(frames.inputs.status()[0].1.state, SourceState::Absent);

            sound_card::plug(folder, "second");
            let _player = Player::start(folder, 440);
            frames.until("440 Hz is in band 2 alone", |frames| frames.is_only_band(2));
            assert_eq!(frames.notices, [NO_DEVICE, LISTENING]);
        },
    );
}

/// Field cases G57 and G59: callbacks that stop without an error.
#[test]
fn a_device_that_stands_still_fades_is_told_once_and_comes_back() {
    with_sound_card(
        "a_device_that_stands_still_fades_is_told_once_and_comes_back",
        |folder| {
            let player = Player::start(folder, 440);
            let mut frames = Frames::reading("audio/level", &DeviceChoice::default());
            frames.until("440 Hz is in band 2 alone", |frames| frames.is_only_band(2));
            player.set_paused(true);
            frames.until("the level faded to 0", |frames| {
                frames.get("audio/level") == 0.0
            });
            let silent = "audio: the input device sent nothing for 2 s; the sketch runs on silence";
            frames.until("it was told", |frames| frames.notices.len() == 2);
            assert_eq!(frames.notices, [LISTENING, silent]);
            player.set_paused(false);
            frames.until("the level is back", |frames| frames.is_only_band(2));
            assert_eq!(frames.notices, [LISTENING, silent, LISTENING]);
        },
    );
}

/// ALSA waits for ever for a pipe that nobody writes to; frames, a list of devices, and closing don't.
#[test]
fn a_device_that_never_answers_is_told_and_holds_up_nothing() {
    with_sound_card(
        "a_device_that_never_answers_is_told_and_holds_up_nothing",
        |folder| {
            let late =
                "audio: the input device did not answer within 3 s; the sketch runs on silence";
            let mut frames = Frames::reading("audio/level", &DeviceChoice::default());
            frames.until("it was told", |frames| !frames.notices.is_empty());
            let listing = device::list();
            assert!(
                listing
                    .reasons
                    .contains(&"audio: the input device did not answer within 2 s".to_owned()),
                "{listing:?}"
            );
            frames.inputs.close("audio");
            frames.inputs.want("audio/level");
            frames.until("it was told again", |frames| frames.notices.len() == 2);
            assert_eq!(frames.notices, [late, late]);

            let _player = Player::start(folder, 440);
            frames.until("the sound is there", |frames| frames.is_only_band(2));
            assert_eq!(frames.notices, [late, late, LISTENING]);
            frames.inputs.close("audio");
            frames.until("a closed source is silent", |frames| {
                frames.get("audio/level") == 0.0
            });
        },
    );
}

/// Field case G62: device names with umlauts, kanji and emoji.
#[test]
fn a_device_is_chosen_by_a_name_of_any_script() {
    with_sound_card("a_device_is_chosen_by_a_name_of_any_script", |folder| {
        let _player = Player::start(folder, 440);
        let choice = DeviceChoice {
            audio: Some("日本".into()),
            ..DeviceChoice::default()
        };
        let mut frames = Frames::reading("audio/level", &choice);
        frames.until("440 Hz is in band 2 alone", |frames| frames.is_only_band(2));
        assert_eq!(
            frames.notices,
            ["audio: listening to Mikrofon 日本 🎤 (48000 Hz, 2 channels)"]
        );
        assert_eq!(frames.inputs.status()[0].1.devices, ["Mikrofon 日本 🎤"]);
    });
}

#[test]
fn a_name_that_no_device_has_is_told_with_the_nearest() {
    with_sound_card("a_name_that_no_device_has_is_told_with_the_nearest", |_| {
        let choice = DeviceChoice {
            audio: Some("Mikrophon 日本 🎤".into()),
            ..DeviceChoice::default()
        };
        let mut frames = Frames::reading("audio/level", &choice);
        frames.until("it was told", |frames| !frames.notices.is_empty());
        assert_eq!(
            frames.notices,
            [
                "audio: no input device named \"Mikrophon 日本 🎤\"; did you mean \"Mikrofon 日本 🎤\"; \
                 the sketch runs on silence"
            ]
        );
    });
}

#[test]
fn the_inputs_of_the_machine_are_listed() {
    with_sound_card("the_inputs_of_the_machine_are_listed", |folder| {
        let _player = Player::start(folder, 440);
        let listing = device::list();
        let sound: Vec<_> = listing
            .devices
            .iter()
            .filter(|device| device.kind == DeviceKind::AudioInput)
            .collect();
        let default = sound.iter().find(|device| device.is_default).unwrap();
        assert_eq!(default.name, "Default Audio Device");
        assert_eq!(default.detail, "48000 Hz, 2 channels");
        assert!(
            sound.iter().any(|device| device.name == "Mikrofon 日本 🎤"),
            "{listing:?}"
        );
    });
}

#[test]
fn a_machine_without_inputs_lists_nothing_and_says_why() {
    in_child(
        "a_machine_without_inputs_lists_nothing_and_says_why",
        |folder| {
            sound_card::unplug(folder);
            sound_card::environment(folder)
        },
        |_| {
            let listing = device::list();
            assert!(
                listing
                    .devices
                    .iter()
                    .all(|device| !device.is_default || device.kind == DeviceKind::MidiInput),
                "{listing:?}"
            );
            if listing.devices.is_empty() {
                assert!(
                    listing
                        .reasons
                        .contains(&"audio: no input device".to_owned()),
                    "{listing:?}"
                );
            } else {
                println!("this machine has inputs of its own: {listing:?}");
            }
        },
    );
}

#[cfg(not(feature = "midi-jack"))]
#[test]
fn midi_through_jack_is_not_checked_here() {
    println!(
        "not checked: MIDI through JACK (cargo test --features midi-jack --test devices) \
         and through the kernel's sequencer (make test-midi-kernel)"
    );
}
