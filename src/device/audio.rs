//! Sound as channels: `audio/level`, `audio/band/1` to `audio/band/4`, and `audio/low`, `audio/mid`, `audio/high`.
//!
//! Three threads share the work. One opens the device and watches over it (`capture`), the sound system's own callback
//! puts samples into a ring (`ring`), and one makes numbers of them (`listen`). The frame thread reads the latest numbers.

mod capture;
mod listen;
mod ring;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use super::report::Report;
use super::{DeviceError, Reading};
use crate::input::{Channels, Notice, Source, SourceStatus};
use listen::Latest;
use ring::Ring;

pub(super) use capture::find_all;

/// Opening takes a moment with some sound servers; longer than this is told.
const SLOW_OPENING: Duration = Duration::from_secs(3);

const BAND_CHANNELS: [&str; 4] = [
    "audio/band/1",
    "audio/band/2",
    "audio/band/3",
    "audio/band/4",
];

/// The sound input.
pub(super) struct Audio {
    wanted: Option<String>,
    session: Option<Session>,
}

/// One time of being open. A thread that hangs in the sound system keeps its session to itself: closing and opening again begins a new one.
struct Session {
    shared: Arc<Shared>,
    threads: Vec<Thread>,
}

/// What the threads of a session have in common.
struct Shared {
    report: Report,
    ring: Ring,
    latest: Latest,
    is_closing: AtomicBool,
}

impl Shared {
    fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Acquire)
    }
}

impl Audio {
    /// A closed input from the device named `wanted`, or the system's default.
    pub(super) fn new(wanted: Option<String>) -> Self {
        Self {
            wanted,
            session: None,
        }
    }
}

impl Source for Audio {
    fn prefix(&self) -> &'static str {
        "audio"
    }

    fn open(&mut self) {
        if self.session.is_some() {
            return;
        }
        let shared = Arc::new(Shared {
            report: Report::new("audio", "the sketch runs on silence"),
            ring: Ring::default(),
            latest: Latest::default(),
            is_closing: AtomicBool::new(false),
        });
        let mut session = Session {
            shared: Arc::clone(&shared),
            threads: Vec::new(),
        };
        let listening = {
            let shared = Arc::clone(&shared);
            thread::Builder::new()
                .name("audio analysis".into())
                .spawn(move || listen::run(&shared))
        };
        let watching = listening.and_then(|listener| {
            session.threads.push(listener.thread().clone());
            let wanted = self.wanted.clone();
            let shared = Arc::clone(&shared);
            thread::Builder::new()
                .name("audio input".into())
                .spawn(move || capture::run(&shared, wanted.as_deref(), listener.thread()))
        });
        match watching {
            Ok(watcher) => session.threads.push(watcher.thread().clone()),
            Err(error) => shared
                .report
                .absent(&DeviceError::Other(format!("no thread for it: {error}"))),
        }
        self.session = Some(session);
    }

    fn poll(&mut self, channels: &mut Channels, notices: &mut Vec<Notice>) {
        let Some(session) = &self.session else {
            return;
        };
        let report = &session.shared.report;
        report.absent_if_still_opening(SLOW_OPENING);
        report.drain(notices);

        let Reading { level, bands } = session.shared.latest.get();
        channels.set("audio/level", level);
        for (name, band) in BAND_CHANNELS.into_iter().zip(bands) {
            channels.set(name, band);
        }
        let [low, low_mid, high_mid, high] = bands;
        channels.set("audio/low", low);
        channels.set("audio/mid", low_mid.max(high_mid));
        channels.set("audio/high", high);
    }

    fn close(&mut self) {
        if let Some(session) = self.session.take() {
            session.shared.is_closing.store(true, Ordering::Release);
            session.threads.iter().for_each(Thread::unpark);
        }
    }

    fn status(&self) -> SourceStatus {
        self.session
            .as_ref()
            .map_or_else(SourceStatus::default, |session| {
                session.shared.report.status()
            })
    }
}
