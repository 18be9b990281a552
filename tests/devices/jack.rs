//! MIDI between two clients of a JACK server with a dummy driver.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gobo::device::{self, DeviceChoice, DeviceKind};
use gobo::input::{EventKind, SourceState};
use midir::os::unix::VirtualOutput;
use midir::{MidiOutput, MidiOutputConnection};

use crate::child::in_child;
use crate::frames::Frames;

const NO_PORT: &str = "midi: no input device; knobs and notes rest";

/// A JACK server of the test's own; its name comes from the environment that `environment` made.
pub(crate) struct Server(Child);

impl Server {
    /// Starts the server and waits until it answers.
    pub(crate) fn start() -> Self {
        let name = std::env::var("JACK_DEFAULT_SERVER").unwrap();
        // Only a server that ends in an orderly way gives its place among JACK's eight servers back,
        // so `timeout` ends it even when this process is killed.
        let child = Command::new("timeout")
            .args(["110", "jackd"])
            .args([
                "--no-realtime",
                // It waits for clients that are late; without, it drops their messages on a busy machine.
                "--sync",
                "-n",
                &name,
                "-d",
                "dummy",
                "-r",
                "48000",
                "-p",
                "256",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("these tests need a JACK server (Debian: apt-get install jackd2)");
        let mut server = Self(child);
        let end = Instant::now() + Duration::from_secs(20);
        while MidiOutput::new("probe").is_err() {
            assert!(
                server.0.try_wait().unwrap().is_none(),
                "the JACK server ended"
            );
            assert!(Instant::now() < end, "the JACK server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A client that outlives its server leaves its memory behind, and sources let go on their own threads.
        let end = Instant::now() + Duration::from_secs(5);
        while MidiOutput::new("probe").is_ok_and(|probe| probe.port_count() > 0)
            && Instant::now() < end
        {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

pub(crate) fn environment(folder: &Path) -> Vec<(&'static str, OsString)> {
    let name = folder
        .file_name()
        .unwrap()
        .to_string_lossy()
        .replace('.', "");
    vec![
        ("JACK_DEFAULT_SERVER", format!("gobo{name}").into()),
        ("JACK_NO_AUDIO_RESERVATION", "1".into()),
    ]
}

/// A keyboard that other programs see as `client:port`.
pub(crate) fn keyboard(client: &str, port: &str) -> MidiOutputConnection {
    MidiOutput::new(client)
        .unwrap()
        .create_virtual(port)
        .unwrap()
}

/// Waits until `keyboard` is heard: JACK connects in one of its next cycles, and what is sent before is lost.
fn meet(frames: &mut Frames, keyboard: &mut MidiOutputConnection) {
    let mut value = 0;
    frames.events.clear();
    frames.until("the keyboard is heard", |frames| {
        value = value % 127 + 1;
        keyboard.send(&[0xb0, 119, value]).unwrap();
        !frames.events.is_empty()
    });
    // The last one sent, so that none of these greetings is still on its way.
    frames.until("the last greeting is heard", |frames| {
        frames.get("midi/cc/119") == unit(value)
    });
    frames.events.clear();
}

fn reading_knobs() -> Frames {
    Frames::reading("midi/cc/74", &DeviceChoice::default())
}

fn unit(value: u8) -> f64 {
    f64::from(value) / 127.0
}

#[test]
fn knobs_and_notes_move_their_channels() {
    in_child(
        "jack::knobs_and_notes_move_their_channels",
        environment,
        |_| {
            let _server = Server::start();
            let mut keyboard = keyboard("Größe 日本 🎹", "keys");
            let mut frames = reading_knobs();
            frames.until("the port is found", |frames| !frames.notices.is_empty());
            assert_eq!(frames.notices, ["midi: listening to Größe 日本 🎹:keys"]);

            meet(&mut frames, &mut keyboard);
            keyboard.send(&[0xb2, 74, 32]).unwrap();
            frames.until("the knob moved", |frames| {
                frames.get("midi/cc/74") == unit(32)
            });
            assert_eq!(frames.get("midi/3/cc/74"), unit(32));
            assert_eq!(frames.get("midi/1/cc/74"), 0.0);

            keyboard.send(&[0x99, 36, 127]).unwrap();
            frames.until("the note is held", |frames| {
                frames.get("midi/note/36") == 1.0
            });
            assert_eq!(frames.get("midi/10/note/36"), 1.0);
            assert_eq!(frames.get("midi/note/last"), 36.0);
            keyboard.send(&[0x89, 36, 0]).unwrap();
            frames.until("the note rests", |frames| frames.get("midi/note/36") == 0.0);

            // A dump, the clock, and after it a knob with its status left out.
            let mut dump = vec![0xf0];
            dump.extend([1; 300]);
            dump.push(0xf7);
            keyboard.send(&dump).unwrap();
            keyboard.send(&[0xf8]).unwrap();
            keyboard.send(&[0xb0, 1, 10]).unwrap();
            keyboard.send(&[0xf8]).unwrap();
            keyboard.send(&[0xb0, 2, 20]).unwrap();
            frames.until("both knobs moved", |frames| {
                frames.get("midi/cc/1") == unit(10) && frames.get("midi/cc/2") == unit(20)
            });

            let kinds: Vec<_> = frames
                .events
                .iter()
                .map(|event| event.kind.clone())
                .collect();
            let control = |channel, controller, value| EventKind::Control {
                channel,
                controller,
                value: unit(value),
            };
            let note = (10, 36);
            assert_eq!(
                kinds,
                [
                    control(3, 74, 32),
                    EventKind::NoteOn {
                        channel: note.0,
                        note: note.1,
                        velocity: 1.0
                    },
                    EventKind::NoteOff {
                        channel: note.0,
                        note: note.1,
                        velocity: 0.0
                    },
                    control(1, 1, 10),
                    control(1, 2, 20),
                ]
            );
            assert!(
                frames
                    .events
                    .iter()
                    .all(|event| event.offset_secs.is_some_and(|secs| secs >= 0.0))
            );
        },
    );
}

/// Field cases F48, F49 and F51: the cable is knocked out while it sends and while a note is held, and is put back.
#[test]
fn a_port_that_goes_away_and_comes_back_resumes() {
    in_child(
        "jack::a_port_that_goes_away_and_comes_back_resumes",
        environment,
        |_| {
            let _server = Server::start();
            let mut frames = reading_knobs();
            let listening = "midi: listening to box:knobs";
            let gone = "midi: box:knobs went away; knobs and notes rest";
            let mut told = vec![NO_PORT.to_owned()];
            frames.until("nothing is there", |frames| frames.notices == told);
            for round in 1..=3_u8 {
                let mut knobs = keyboard("box", "knobs");
                told.push(listening.into());
                frames.until("the port is found", |frames| frames.notices == told);
                meet(&mut frames, &mut knobs);
                knobs.send(&[0x90, 60, 100]).unwrap();
                knobs.send(&[0xb0, 74, round]).unwrap();
                frames.until("note and knob are read", |frames| {
                    frames.get("midi/note/60") == unit(100)
                        && frames.get("midi/cc/74") == unit(round)
                });
                let sender = std::thread::spawn(move || {
                    for value in 0..1000_u32 {
                        let _ = knobs.send(&[0xb0, 1, (value % 128) as u8]);
                    }
                    drop(knobs);
                });
                told.push(gone.into());
                frames.until("its going away is told", |frames| frames.notices == told);
                sender.join().unwrap();
                frames.until("the held note is let go", |frames| {
                    frames.get("midi/note/60") == 0.0
                });
                assert_eq!(
                    frames.get("midi/cc/74"),
                    unit(round),
                    "a knob keeps its place"
                );
                let releases = frames
                    .events
                    .iter()
                    .filter(|event| matches!(event.kind, EventKind::NoteOff { note: 60, .. }))
                    .count();
                assert_eq!(releases, 1);
            }
        },
    );
}

/// Field case F50: nothing at start is neutral and told once, and what is plugged in later is found.
#[test]
fn without_a_port_all_rests_until_one_is_plugged_in() {
    in_child(
        "jack::without_a_port_all_rests_until_one_is_plugged_in",
        environment,
        |_| {
            let _server = Server::start();
            let mut frames = reading_knobs();
            frames.until("it was told", |frames| !frames.notices.is_empty());
            // Long enough for three more looks in vain.
            let told = Instant::now();
            while told.elapsed() < Duration::from_secs(7) {
                frames.frame();
                for name in ["midi/cc/74", "midi/note/36", "midi/note/last"] {
                    assert_eq!(frames.get(name), 0.0);
                }
            }
            assert_eq!(frames.notices, [NO_PORT]);
            assert_eq!(frames.inputs.status()[1].1.state, SourceState::Absent);
            let mut knobs = keyboard("box", "knobs");
            frames.until("the port is found", |frames| frames.notices.len() == 2);
            meet(&mut frames, &mut knobs);
            knobs.send(&[0xb0, 74, 127]).unwrap();
            frames.until("the knob moved", |frames| frames.get("midi/cc/74") == 1.0);
            assert_eq!(frames.notices, [NO_PORT, "midi: listening to box:knobs"]);
        },
    );
}

#[test]
fn a_midi_server_that_starts_later_is_found() {
    in_child(
        "jack::a_midi_server_that_starts_later_is_found",
        environment,
        |_| {
            let mut frames = reading_knobs();
            frames.until("it was told", |frames| !frames.notices.is_empty());
            let missing = "midi: the system's MIDI service can't be reached; knobs and notes rest";
            assert_eq!(frames.notices, [missing]);
            assert_eq!(
                device::list().reasons.last().unwrap(),
                "midi: the system's MIDI service can't be reached"
            );
            let _server = Server::start();
            let mut knobs = keyboard("box", "knobs");
            frames.until("the port is found", |frames| frames.notices.len() == 2);
            meet(&mut frames, &mut knobs);
            knobs.send(&[0xb0, 74, 127]).unwrap();
            frames.until("the knob moved", |frames| frames.get("midi/cc/74") == 1.0);
            assert_eq!(frames.notices, [missing, "midi: listening to box:knobs"]);
        },
    );
}

#[test]
fn only_the_wanted_port_is_listened_to() {
    in_child(
        "jack::only_the_wanted_port_is_listened_to",
        environment,
        |_| {
            let _server = Server::start();
            let mut wanted = keyboard("Launch Control", "knobs");
            let mut other = keyboard("other", "knobs");
            let choice = DeviceChoice {
                midi: Some("launch".into()),
                ..DeviceChoice::default()
            };
            let mut frames = Frames::reading("midi/cc/1", &choice);
            frames.until("the port is found", |frames| !frames.notices.is_empty());
            assert_eq!(frames.notices, ["midi: listening to Launch Control:knobs"]);
            meet(&mut frames, &mut wanted);
            other.send(&[0xb0, 1, 127]).unwrap();
            wanted.send(&[0xb0, 2, 127]).unwrap();
            frames.until("the wanted knob moved", |frames| {
                frames.get("midi/cc/2") == 1.0
            });
            assert_eq!(frames.get("midi/cc/1"), 0.0);

            let listing = device::list();
            let names: Vec<_> = listing
                .devices
                .iter()
                .filter(|device| device.kind == DeviceKind::MidiInput)
                .map(|device| device.name.as_str())
                .collect();
            assert_eq!(names, ["Launch Control:knobs", "other:knobs"]);
        },
    );
}
