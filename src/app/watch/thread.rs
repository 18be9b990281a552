//! The thread that watches: events in, settled contents out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::route::Route;
use super::settle::{File, Outcome};
use super::system::{System, Touch};
use super::{Change, Event, Known, Message, Shared};

/// How often files are looked at that the system does not watch.
const POLL: Duration = Duration::from_millis(300);
/// How often all others are looked at, to find out that the system does not report them.
const CHECK: Duration = Duration::from_secs(1);
/// Contents that are ready wait this long for others that are about to be, so that files saved together arrive together.
const TOGETHER: Duration = Duration::from_millis(30);
/// So many changes may go unreported before the system is no longer trusted with a file.
const STRIKES: u32 = 2;

/// Why the system can't watch, in words.
pub(super) fn reason(error: &notify::Error) -> String {
    /// The error number of a process, or a user, that has opened too many files.
    const TOO_MANY_FILES: i32 = 24;
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system's limit of watched folders is reached".into()
        }
        notify::ErrorKind::Io(error) if error.raw_os_error() == Some(TOO_MANY_FILES) => {
            "the system's limit of watchers is reached".into()
        }
        notify::ErrorKind::Io(error) => error.to_string(),
        notify::ErrorKind::PathNotFound => "its folder is gone".into(),
        _ => error.to_string(),
    }
}

/// The watching thread.
pub(super) struct Watch {
    shared: Arc<Shared>,
    system: Result<System, String>,
    events: SyncSender<Event>,
    files: Vec<File>,
    strikes: BTreeMap<PathBuf, u32>,
    told: BTreeSet<PathBuf>,
    ready: Vec<Change>,
    ready_since: Instant,
    next_poll: Instant,
    next_check: Instant,
}

/// The receiver is gone.
struct Closed;

impl Watch {
    pub(super) fn new(
        shared: Arc<Shared>,
        system: Result<System, String>,
        events: SyncSender<Event>,
    ) -> Self {
        let now = Instant::now();
        Self {
            shared,
            system,
            events,
            files: Vec::new(),
            strikes: BTreeMap::new(),
            told: BTreeSet::new(),
            ready: Vec::new(),
            ready_since: now,
            next_poll: now + POLL,
            next_check: now + CHECK,
        }
    }

    /// Watches until the receiver is gone.
    pub(super) fn run(mut self, messages: &Receiver<Message>) {
        loop {
            let wait = self.next_step().saturating_duration_since(Instant::now());
            match messages.recv_timeout(wait) {
                Ok(message) => std::iter::once(message)
                    .chain(messages.try_iter())
                    .for_each(|m| self.receive(m)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.shared.stopped.load(Ordering::Acquire) || self.step().is_err() {
                return;
            }
        }
    }

    /// When there is something to do even without a message.
    fn next_step(&self) -> Instant {
        let mut next = self.next_check;
        if self.files.iter().any(|file| file.is_polled) {
            next = next.min(self.next_poll);
        }
        if !self.ready.is_empty() {
            next = next.min(self.ready_since + TOGETHER);
        }
        self.files
            .iter()
            .filter_map(File::due)
            .fold(next, Instant::min)
    }

    fn receive(&mut self, message: Message) {
        let Message::Touched(path, touch) = message else {
            return;
        };
        let now = Instant::now();
        let is_directory = self
            .system
            .as_ref()
            .is_ok_and(|system| system.watches(&path));
        if is_directory && touch == Touch::Moved {
            if let Ok(system) = &mut self.system {
                system.forget(&path);
            }
            self.watch_again(|file| file.route.directories.contains(&path), now);
        } else {
            let is_reached = |file: &File| file.route.names.contains(&path);
            self.files
                .iter_mut()
                .filter(|file| is_reached(file))
                .for_each(|file| file.touch(touch, now));
            if touch == Touch::Moved {
                self.watch_again(is_reached, now);
            }
        }
    }

    /// Follows the paths of these files anew, since something on the way was replaced.
    fn watch_again(&mut self, affected: impl Fn(&File) -> bool, now: Instant) {
        for file in self.files.iter_mut().filter(|file| affected(file)) {
            file.route = Route::of(&file.path);
            file.touch(Touch::Moved, now);
        }
        self.update_system();
    }

    fn step(&mut self) -> Result<(), Closed> {
        let set = self
            .shared
            .files
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(set) = set {
            self.set_files(set);
        }
        let now = Instant::now();
        if self.shared.missed.swap(false, Ordering::AcqRel) {
            self.watch_again(|_| true, now);
        }
        self.look(now);
        self.settle(now);
        self.tell()?;
        let is_nearly_ready = self.files.iter().any(|file| file.due().is_some());
        if !self.ready.is_empty() && (!is_nearly_ready || now >= self.ready_since + TOGETHER) {
            let changes = std::mem::take(&mut self.ready);
            self.events
                .send(Event::Changed(changes))
                .map_err(|_| Closed)?;
        }
        Ok(())
    }

    fn set_files(&mut self, mut set: BTreeMap<PathBuf, Known>) {
        let now = Instant::now();
        let mut files = std::mem::take(&mut self.files);
        files.retain_mut(|file| {
            let known = set.remove(&file.path);
            if let Some(Known::Read(digest)) = known {
                file.accept(digest, now);
            }
            known.is_some()
        });
        let first_new = files.len();
        let known: Vec<_> = set.values().copied().collect();
        files.extend(set.into_keys().map(File::new));
        self.files = files;
        let files = &self.files;
        self.ready
            .retain(|change| files.iter().any(|file| file.path == change.path));
        // Only what is read after the watch began can't be missed.
        self.update_system();
        for (file, known) in self.files[first_new..].iter_mut().zip(known) {
            match known {
                Known::Read(digest) => file.accept(digest, now),
                Known::Present => file.accept_present(),
            }
        }
    }

    /// Watches the directories that the files' routes name, and no others.
    fn update_system(&mut self) {
        let system = match &mut self.system {
            Ok(system) => system,
            Err(_) => {
                self.files.iter_mut().for_each(|file| file.is_polled = true);
                return;
            }
        };
        let gather =
            |files: &[File], part: fn(&Route) -> &BTreeSet<PathBuf>| -> BTreeSet<PathBuf> {
                files
                    .iter()
                    .flat_map(|file| part(&file.route))
                    .cloned()
                    .collect()
            };
        let directories = gather(&self.files, |route| &route.directories);
        system.want(gather(&self.files, |route| &route.names), &directories);
        system.keep_only(&directories);
        let mut failed: BTreeMap<&Path, String> = BTreeMap::new();
        for directory in &directories {
            if !system.watches(directory)
                && let Err(error) = system.watch(directory)
            {
                failed.insert(directory, reason(&error));
            }
        }
        for file in &mut self.files {
            let failure = file
                .route
                .directories
                .iter()
                .find_map(|directory| failed.get(directory.as_path()));
            let is_mistrusted = self
                .strikes
                .get(&file.path)
                .is_some_and(|count| *count >= STRIKES);
            file.is_polled = failure.is_some() || is_mistrusted;
            if let Some(reason) = failure {
                file.refusal = Some(reason.clone());
            }
        }
    }

    /// Looks at files without being asked by an event.
    fn look(&mut self, now: Instant) {
        if now >= self.next_poll {
            self.next_poll = now + POLL;
            self.files
                .iter_mut()
                .filter(|file| file.is_polled)
                .for_each(|file| file.look(now));
        }
        if now >= self.next_check {
            self.next_check = now + CHECK;
            self.files
                .iter_mut()
                .filter(|file| !file.is_polled)
                .for_each(|file| file.look(now));
        }
    }

    fn settle(&mut self, now: Instant) {
        let mut unreported = Vec::new();
        for file in &mut self.files {
            if let Outcome::New {
                text,
                unreported: silent,
            } = file.settle(now)
            {
                if self.ready.is_empty() {
                    self.ready_since = now;
                }
                self.ready.retain(|change| change.path != file.path);
                self.ready.push(Change {
                    path: file.path.clone(),
                    text,
                });
                if silent {
                    unreported.push(file.path.clone());
                }
            }
        }
        for path in unreported {
            self.strike(&path, now);
        }
    }

    /// The system said nothing about a change. The first time its directories are watched anew, since a folder
    /// further up may have been replaced.
    fn strike(&mut self, path: &Path, now: Instant) {
        let count = self.strikes.entry(path.to_owned()).or_default();
        *count += 1;
        if *count >= STRIKES
            && let Some(file) = self.files.iter_mut().find(|file| file.path == path)
        {
            file.refusal = Some("the system does not report its changes".into());
        }
        if let (Ok(system), Some(file)) = (
            &mut self.system,
            self.files.iter().find(|file| file.path == path),
        ) {
            file.route
                .directories
                .iter()
                .for_each(|directory| system.forget(directory));
        }
        self.watch_again(|file| file.path == path, now);
    }

    /// Says which files are not watched.
    fn tell(&mut self) -> Result<(), Closed> {
        for file in self.files.iter_mut().filter(|file| file.is_polled) {
            if self.told.insert(file.path.clone()) {
                let of_all = self.system.as_ref().err().cloned();
                let reason = file.refusal.take().or(of_all).unwrap_or_default();
                let path = file.path.clone();
                self.events
                    .send(Event::NotWatched { path, reason })
                    .map_err(|_| Closed)?;
            }
        }
        Ok(())
    }
}
