//! A show with everything around it: watched files, the prompt, signals, the log.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use crate::app::repl::{Completions, Entry, Repl};
use crate::app::terminal::Stop;
use crate::app::watch::{Event, Watcher, digest};
use crate::app::{AppError, ViewArgs};
use crate::device::{self, DeviceChoice};
use crate::gpu::Gpu;
use crate::input::Inputs;
use crate::show::{Pace, Report, Show};
use crate::value::Size;

/// A show that is being played.
pub(super) struct Live<'a> {
    pub(super) show: Show,
    outside: Outside<'a>,
    watcher: Option<Watcher>,
    watched: usize,
    name: String,
    started: Instant,
    fps: Fps,
}

/// What reaches the show from the terminal; it outlives a window that could not be opened.
pub(super) struct Outside<'a> {
    pub(super) repl: Repl,
    pub(super) stops: &'a Receiver<Stop>,
}

impl<'a> Live<'a> {
    /// Begins to play a sketch, or nothing yet.
    pub(super) fn new(
        sketch: Option<PathBuf>,
        view: &ViewArgs,
        size: Size,
        gpu: Option<Gpu>,
        outside: Outside<'a>,
    ) -> Result<Self, AppError> {
        let environment = |error: &dyn std::fmt::Display| AppError::Environment(error.to_string());
        if let Some(gpu) = &gpu {
            log::info!("adapter {}", gpu.adapter());
        }
        let choice = DeviceChoice {
            audio: view.audio.clone(),
            ..DeviceChoice::default()
        };
        let inputs = Inputs::new(device::sources(&choice));
        let pace = Pace {
            fps: view.fps,
            is_patient: false,
        };
        let mut show = Show::new(gpu, inputs, size, pace).map_err(|error| environment(&error))?;
        // Without a watcher a sketch still plays; it is loaded again by hand.
        let watcher = Watcher::new()
            .map_err(|error| log::warn!("{error}: type reload() after a save"))
            .ok();
        let name = sketch
            .as_ref()
            .and_then(|s| s.file_name())
            .map(|n| n.to_string_lossy().into_owned());
        if let Some(sketch) = &sketch {
            if let Some(watcher) = &watcher {
                watcher.set_files(std::slice::from_ref(sketch));
            }
            show.open(sketch);
        }
        let (name, started) = (name.unwrap_or_else(|| "gobo".into()), Instant::now());
        let live = Self {
            show,
            outside,
            watcher,
            watched: 0,
            name,
            started,
            fps: Fps::new(started),
        };
        live.complete();
        Ok(live)
    }

    /// One frame and all that came before it; false when somebody wants to leave.
    pub(super) fn frame(&mut self) -> bool {
        self.take_saves();
        if !self.take_entries() || self.outside.stops.try_recv().is_ok() {
            return false;
        }
        self.outside.repl.resume();
        self.show.frame(self.started.elapsed().as_secs_f64());
        self.fps.count(Instant::now());
        for report in self.show.take_reports() {
            match report {
                Report::Answer(text) => self.outside.repl.printer().print(&text),
                Report::Warning(text) => log::warn!("{text}"),
                Report::Note(text) => log::info!("{text}"),
                Report::Problem(text) => log::error!("{text}"),
            }
        }
        if self.show.loads() != self.watched {
            self.watched = self.show.loads();
            if let Some(watcher) = &self.watcher {
                let files = self.show.files().iter();
                watcher.set_read_files(
                    files.map(|(path, read)| (path.clone(), read.as_deref().map(digest))),
                );
            }
            self.complete();
        }
        true
    }

    fn take_saves(&mut self) {
        let Some(watcher) = &self.watcher else { return };
        for event in watcher.events().try_iter() {
            match event {
                Event::Changed(changes) => {
                    // An error that is saved once more is worth a line once more.
                    crate::app::log::forget();
                    self.show
                        .changed(changes.into_iter().map(|change| (change.path, change.text)));
                }
                Event::NotWatched { path, reason } => {
                    log::warn!(
                        "{} is not watched ({reason}); it is looked at now and then",
                        path.display()
                    );
                }
            }
        }
    }

    /// Hands typed lines to the show; false when somebody typed the end.
    fn take_entries(&mut self) -> bool {
        loop {
            match self.outside.repl.entries().try_recv() {
                Ok(Entry::Line(line)) => self.show.line(line),
                Ok(Entry::Interrupt) => return false,
                Ok(Entry::Eof) if self.outside.repl.is_interactive() => return false,
                Ok(Entry::Eof) | Err(TryRecvError::Disconnected | TryRecvError::Empty) => {
                    return true;
                }
            }
        }
    }

    fn complete(&self) {
        let known = self.show.completions();
        let methods = known.methods.into_values().flatten().collect();
        let known = Completions {
            names: known.globals,
            methods,
            fields: known.members,
        };
        if let Ok(mut completions) = self.outside.repl.completions().write() {
            *completions = known;
        }
    }

    /// What the window is called: name, frames per second, problems.
    pub(super) fn title(&self) -> String {
        let problems = self.show.problem_count();
        let s = if problems == 1 { "" } else { "s" };
        format!(
            "{} · {:.0} fps · {problems} problem{s}",
            self.name, self.fps.value
        )
    }

    pub(super) fn into_outside(self) -> Outside<'a> {
        self.outside
    }
}

/// Frames per second over the last second.
struct Fps {
    since: Instant,
    frames: u32,
    value: f64,
}

impl Fps {
    fn new(since: Instant) -> Self {
        Self {
            since,
            frames: 0,
            value: 0.0,
        }
    }

    fn count(&mut self, now: Instant) {
        self.frames += 1;
        let elapsed = now.duration_since(self.since);
        if elapsed >= Duration::from_millis(500) {
            self.value = f64::from(self.frames) / elapsed.as_secs_f64();
            (self.since, self.frames) = (now, 0);
        }
    }
}
