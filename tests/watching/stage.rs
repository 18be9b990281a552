//! A folder with watched files in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use gobo::app::watch::{Change, Event, Watcher, digest};

/// Far longer than any delivery takes, so that it is only ever waited out by a test that fails.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);
/// In which a delivery that should not happen would have happened: the longest wait for a writer and some more.
pub(crate) const SILENCE: Duration = Duration::from_millis(600);

pub(crate) struct Stage {
    _folder: tempfile::TempDir,
    pub(crate) folder: PathBuf,
    pub(crate) watcher: Watcher,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self::with(Watcher::new().unwrap())
    }

    pub(crate) fn with(watcher: Watcher) -> Self {
        let keep = tempfile::Builder::new()
            .prefix("Bühne mit Raum ")
            .tempdir()
            .unwrap();
        let folder = keep.path().to_owned();
        Self {
            _folder: keep,
            folder,
            watcher,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes the files and watches them; returns once the watch is known to work.
    pub(crate) fn watching(self, names: &[&str]) -> Self {
        for name in names {
            fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
            fs::write(self.path(name), "-- first").unwrap();
        }
        self.watch(names);
        self
    }

    /// Watches these files and a further one whose change proves that the watch has begun.
    pub(crate) fn watch(&self, names: &[&str]) {
        let probe = self.path("probe");
        fs::write(&probe, "before").unwrap();
        let mut files: Vec<_> = names
            .iter()
            .map(|name| (self.path(name), Some(digest(b"-- first"))))
            .collect();
        for (path, known) in &mut files {
            if let Ok(text) = fs::read(path) {
                *known = Some(digest(&text));
            }
        }
        files.push((probe, Some(digest(b"never written"))));
        self.watcher.set_read_files(files);
        assert_eq!(self.next("the probe"), [("probe".into(), "before".into())]);
    }

    pub(crate) fn event(&self, what: &str) -> Event {
        self.watcher
            .events()
            .recv_timeout(DEADLINE)
            .unwrap_or_else(|error| panic!("{what}: {error}"))
    }

    /// The next batch as (name, text), in order of names.
    #[track_caller]
    pub(crate) fn next(&self, what: &str) -> Vec<(String, String)> {
        match self.event(what) {
            Event::Changed(changes) => self.named(changes),
            event @ Event::NotWatched { .. } => panic!("{what}: {event:?}"),
        }
    }

    pub(crate) fn named(&self, changes: Vec<Change>) -> Vec<(String, String)> {
        let name = |path: &Path| {
            path.strip_prefix(&self.folder)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        };
        let mut named: Vec<_> = changes
            .into_iter()
            .map(|c| (name(&c.path), String::from_utf8(c.text).unwrap()))
            .collect();
        named.sort();
        named
    }

    #[track_caller]
    pub(crate) fn expect(&self, name: &str, text: &str) {
        assert_eq!(self.next(text), [(name.to_owned(), text.to_owned())]);
    }

    #[track_caller]
    pub(crate) fn expect_silence(&self) {
        let event = self.watcher.events().recv_timeout(SILENCE);
        assert_eq!(
            event,
            Err(RecvTimeoutError::Timeout),
            "nothing new should have been delivered"
        );
    }
}
