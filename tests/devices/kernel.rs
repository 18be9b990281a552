//! MIDI through the kernel's sequencer, the path of the default build. It runs in the guest of `midi_kernel.sh`, whose
//! first sound card is the kernel's virtual one: what is written to its raw port arrives as from a plugged-in keyboard.

use std::fs::OpenOptions;
use std::io::Write;

use gobo::device::{self, DeviceChoice, DeviceKind};
use gobo::input::EventKind;
use midir::MidiOutput;
use midir::os::unix::VirtualOutput;

use crate::frames::Frames;

const RAW_PORT: &str = "/dev/snd/midiC0D0";
const CARD: &str = "Virtual Raw MIDI 0-0:VirMIDI 0-0";

fn unit(value: u8) -> f64 {
    f64::from(value) / 127.0
}

/// Plugs the virtual card in or out, as the kernel does with one on a cable.
fn plug(is_in: bool) {
    let driver = "/sys/bus/platform/drivers/snd_virmidi";
    let file = format!("{driver}/{}", if is_in { "bind" } else { "unbind" });
    std::fs::write(file, "snd_virmidi.0").unwrap();
}

#[test]
#[ignore = "needs the kernel's sequencer and its virtual sound card: make test-midi-kernel"]
fn midi_through_the_kernels_sequencer() {
    // Field case F50: none at start, plugged in later.
    plug(false);
    let mut frames = Frames::reading("midi/cc/74", &DeviceChoice::default());
    frames.until("nothing is there", |frames| !frames.notices.is_empty());
    assert_eq!(
        frames.notices,
        ["midi: no input device; knobs and notes rest"]
    );
    plug(true);
    frames.until("the card is found", |frames| frames.notices.len() == 2);
    assert!(
        frames.notices[1].starts_with(&format!("midi: listening to {CARD}")),
        "{:?}",
        frames.notices
    );
    let listing = device::list();
    let is_card =
        |device: &device::DeviceInfo| device.kind == DeviceKind::MidiInput && device.name == CARD;
    assert!(listing.devices.iter().any(is_card), "{listing:?}");

    // Two notes under one status byte, the clock between them, a dump, and a knob.
    let mut raw = OpenOptions::new().write(true).open(RAW_PORT).unwrap();
    raw.write_all(&[0x90, 60, 100, 0xf8, 61, 50]).unwrap();
    raw.write_all(&[0xf0, 1, 2, 3, 0xf7, 0xb3, 74, 32]).unwrap();
    frames.until("notes and knob are read", |frames| {
        frames.get("midi/note/60") == unit(100)
            && frames.get("midi/1/note/61") == unit(50)
            && frames.get("midi/4/cc/74") == unit(32)
    });
    assert_eq!(frames.get("midi/note/last"), 61.0);
    raw.write_all(&[0x90, 60, 0, 61, 0]).unwrap();
    frames.until("the notes rest", |frames| {
        frames.get("midi/note/60") == 0.0 && frames.get("midi/note/61") == 0.0
    });
    println!("read from the virtual card: {:?}", frames.events);

    // Field cases F48 and F49: a port that comes, goes with a note held, and comes back under the same name.
    for round in 1..=3_u8 {
        let mut keyboard = MidiOutput::new("keyboard")
            .unwrap()
            .create_virtual("keys")
            .unwrap();
        frames.until("the keyboard is found", |frames| {
            frames.notices.last().unwrap() == "midi: listening to keyboard:keys"
        });
        keyboard.send(&[0x90, 48, 127]).unwrap();
        keyboard.send(&[0xb0, 1, round]).unwrap();
        frames.until("note and knob are read", |frames| {
            frames.get("midi/note/48") == 1.0 && frames.get("midi/cc/1") == unit(round)
        });
        drop(keyboard);
        frames.until("the note is let go", |frames| {
            frames.get("midi/note/48") == 0.0
        });
        assert_eq!(
            frames.get("midi/cc/1"),
            unit(round),
            "a knob keeps its place"
        );
        frames.until("its going away is told", |frames| {
            frames.notices.last().unwrap() == "midi: keyboard:keys went away"
        });
    }
    let presses = frames
        .events
        .iter()
        .filter(|event| matches!(event.kind, EventKind::NoteOn { note: 48, .. }))
        .count();
    assert_eq!(presses, 3);
    // Field case F51: the cable of the card is knocked out, with a note held, and put back.
    raw.write_all(&[0x90, 60, 100]).unwrap();
    frames.until("the note is held", |frames| {
        frames.get("midi/note/60") == unit(100)
    });
    drop(raw);
    plug(false);
    frames.until("the note is let go", |frames| {
        frames.get("midi/note/60") == 0.0
    });
    plug(true);
    frames.until("the card is back", |frames| {
        frames
            .notices
            .last()
            .unwrap()
            .starts_with(&format!("midi: listening to {CARD}"))
    });
    let mut raw = OpenOptions::new().write(true).open(RAW_PORT).unwrap();
    raw.write_all(&[0x90, 60, 101]).unwrap();
    frames.until("the note is held again", |frames| {
        frames.get("midi/note/60") == unit(101)
    });
    println!("said: {:#?}", frames.notices);

    // Each of a flood arrives, in order.
    let mut keyboard = MidiOutput::new("keyboard")
        .unwrap()
        .create_virtual("keys")
        .unwrap();
    let said = frames.notices.len();
    frames.until("the keyboard is found", |frames| {
        frames.notices.len() > said
    });
    frames.events.clear();
    for value in 0..2000_u32 {
        keyboard
            .send(&[0x90, (value % 128) as u8, 1 + (value % 127) as u8])
            .unwrap();
        if value % 100 == 99 {
            frames.frame();
        }
    }
    frames.until("all presses arrived", |frames| frames.events.len() >= 2000);
    for (value, event) in (0_u32..).zip(&frames.events) {
        assert_eq!(
            event.kind,
            EventKind::NoteOn {
                channel: 1,
                note: (value % 128) as u8,
                velocity: unit(1 + (value % 127) as u8),
            }
        );
    }
}
