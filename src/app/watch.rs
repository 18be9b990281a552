//! Watches the files of a sketch and delivers each new content once, whole.
//!
//! Editors save in many ways: some write in place, some rename a new file over the old one, some move the old one
//! away first, some truncate and write later. So it is directories that are watched, an event only says that a
//! name deserves a look, and a file is read when it has come to rest. What was read is compared with what was
//! delivered last, so that touching a file or saving it unchanged is no news. Everything happens on threads of its
//! own; the receiver gets contents, never has to read a file, and can't be held up by a slow disk.
//!
//! Where the system can't watch, or stays silent about a change (network drives, some shared folders), the file is
//! looked at a few times a second instead, and [`Event::NotWatched`] says so once.

mod route;
mod settle;
mod system;
mod thread;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use system::{System, Touch};
use thread::{Watch, reason};

/// One new content of one file.
#[derive(Clone, PartialEq, Eq)]
pub struct Change {
    /// The path as it was given to [`Watcher::set_files`].
    pub path: PathBuf,
    /// The whole content, at most 64 MiB.
    pub text: Vec<u8>,
}

impl std::fmt::Debug for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} bytes)", self.path.display(), self.text.len())
    }
}

/// What a [`Watcher`] reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Files that were saved together; each path once.
    Changed(Vec<Change>),
    /// The system does not watch this file: it is looked at every 300 ms. Said once a file.
    NotWatched {
        /// The path as it was given to [`Watcher::set_files`].
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

/// Why nothing can be watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The thread did not start.
    #[error("can't start watching files: {0}")]
    Thread(#[from] std::io::Error),
}

/// Identifies a content, for [`Watcher::set_read_files`].
pub fn digest(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A message to the watching thread.
enum Message {
    /// Something in [`Shared`] changed.
    Wake,
    /// The system reported an event.
    Touched(PathBuf, Touch),
}

/// Which content of a file is no news.
#[derive(Clone, Copy)]
enum Known {
    /// What is there now, or was delivered last.
    Present,
    /// What somebody has read.
    Read(Option<u64>),
}

#[derive(Default)]
struct Shared {
    files: Mutex<Option<BTreeMap<PathBuf, Known>>>,
    missed: Arc<AtomicBool>,
    stopped: AtomicBool,
}

/// Watches a set of files until it is dropped.
pub struct Watcher {
    shared: Arc<Shared>,
    inbox: SyncSender<Message>,
    events: Receiver<Event>,
}

impl Watcher {
    /// Watches through the operating system, and looks at files where that fails.
    ///
    /// # Errors
    /// When the thread can't be started.
    pub fn new() -> Result<Self, WatchError> {
        Self::start(false)
    }

    /// Only looks at files, every 300 ms: for file systems where the system's own reports can't be trusted.
    ///
    /// # Errors
    /// When the thread can't be started.
    pub fn polling() -> Result<Self, WatchError> {
        Self::start(true)
    }

    fn start(only_polls: bool) -> Result<Self, WatchError> {
        let (inbox, messages) = sync_channel(1024);
        let (sender, events) = sync_channel(16);
        let shared = Arc::new(Shared::default());
        let (thread_shared, own_inbox) = (Arc::clone(&shared), inbox.clone());
        std::thread::Builder::new()
            .name("watch".into())
            .spawn(move || {
                let system = if only_polls {
                    Err("polling was asked for".into())
                } else {
                    System::new(own_inbox, Arc::clone(&thread_shared.missed))
                        .map_err(|error| reason(&error))
                };
                Watch::new(thread_shared, system, sender).run(&messages);
            })?;
        Ok(Self {
            shared,
            inbox,
            events,
        })
    }

    /// Watches exactly these files from now on; what they hold now is taken for known. Files that were watched
    /// before keep what was delivered last. A path may not exist yet, or lie in a folder that doesn't.
    pub fn set_files(&self, files: &[PathBuf]) {
        let known = |path: &PathBuf| (path.clone(), Known::Present);
        self.set(files.iter().map(known).collect());
    }

    /// As [`Watcher::set_files`], with the [`digest`] of what was read from each file, or nothing where there was
    /// nothing to read: what came between that reading and this call is delivered too.
    pub fn set_read_files(&self, files: impl IntoIterator<Item = (PathBuf, Option<u64>)>) {
        let known = |(path, digest)| (path, Known::Read(digest));
        self.set(files.into_iter().map(known).collect());
    }

    fn set(&self, files: BTreeMap<PathBuf, Known>) {
        *self
            .shared
            .files
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(files);
        self.wake();
    }

    fn wake(&self) {
        // A full inbox wakes the thread by itself.
        let _ = self.inbox.try_send(Message::Wake);
    }

    /// Where events arrive.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Release);
        self.wake();
    }
}
