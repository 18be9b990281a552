//! A small show without a picture of its own: what the tests start and talk to.

use std::io::Write;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use gobo::app::log;
use gobo::app::preview::Preview;
use gobo::app::repl::{Entry, Repl};
use gobo::app::terminal::{self, Stop};
use gobo::value::Size;

/// A frame of the show.
const FRAME: Duration = Duration::from_millis(16);

/// Runs until it is told to stop; each line typed is a command or is answered.
pub(crate) fn run() -> ! {
    let terminal = terminal::install().unwrap();
    log::install();
    // The test harness has written half a line.
    std::io::stdout().write_all(b"\n").unwrap();
    let repl = Repl::start().unwrap();
    {
        let mut completions = repl.completions().write().unwrap();
        completions.names = ["noise", "osc", "oscillate"].map(String::from).into();
        completions.methods = ["kaleid", "rotate"].map(String::from).into();
    }
    let mut show = Show {
        preview: None,
        frame: 0,
        is_done: false,
    };
    if std::env::var_os("SUBJECT_PREVIEW").is_some() {
        match Preview::new(repl.printer()) {
            Ok(preview) => show.preview = Some(preview),
            Err(error) => ::log::warn!(target: "gobo", "no picture here: {error}"),
        }
    }
    repl.printer().print("ready");
    while !show.is_done {
        show.frame(&repl, terminal.stops());
        std::thread::sleep(FRAME);
    }
    repl.printer().print("bye");
    drop(repl);
    drop(terminal);
    std::process::exit(0)
}

struct Show {
    preview: Option<Preview>,
    frame: u64,
    is_done: bool,
}

impl Show {
    fn frame(&mut self, repl: &Repl, stops: &Receiver<Stop>) {
        self.frame += 1;
        repl.resume();
        if let Some(preview) = &mut self.preview {
            preview.draw(Size::new(160, 90), &picture(self.frame));
        }
        if let Ok(stop) = stops.try_recv() {
            repl.printer().print(&format!("stop: {stop:?}"));
            self.is_done = true;
        }
        for entry in repl.entries().try_iter() {
            match entry {
                Entry::Line(line) => self.command(&line, repl),
                end => {
                    repl.printer().print(&format!("end: {end:?}"));
                    self.is_done = true;
                }
            }
        }
    }

    fn command(&mut self, line: &str, repl: &Repl) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "quit" => self.is_done = true,
            "panic" => panic!("asked to"),
            "caught" => assert!(std::panic::catch_unwind(|| panic!("asked to, caught")).is_err()),
            "thread" => {
                let thread = std::thread::Builder::new().name("helper".into());
                let failed = thread.spawn(|| panic!("asked to, elsewhere")).unwrap();
                assert!(failed.join().is_err());
            }
            // The show hangs in a frame: only a second signal ends it.
            "hang" => loop {
                std::thread::park();
            },
            "native" => std::io::stderr()
                .write_all(format!("{rest}\n").as_bytes())
                .unwrap(),
            "flood" => {
                let count = rest.parse().unwrap();
                std::thread::spawn(move || {
                    for number in 1..=count {
                        ::log::info!(target: "gobo", "line {number}");
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    ::log::info!(target: "gobo", "flood over");
                });
            }
            "fail" => (0..rest.parse().unwrap())
                .for_each(|_| ::log::error!(target: "gobo", "a.lua:3: no such thing")),
            "count" => {
                let lines = rest.split('\n').count();
                let tabs = rest.matches('\t').count();
                repl.printer().print(&format!(
                    "{lines} lines, {tabs} tabs, ends with {:?}",
                    &rest[rest.len() - 4..]
                ));
            }
            _ => repl.printer().print(&format!("answer: {line:?}")),
        }
    }
}

/// A picture that differs in each frame, so that each is drawn.
fn picture(frame: u64) -> Vec<u8> {
    let pixel = |at: u64| {
        [
            (at + frame * 5) as u8,
            (at / 160 + frame) as u8,
            frame as u8,
            255,
        ]
    };
    (0..160 * 90).flat_map(pixel).collect()
}
