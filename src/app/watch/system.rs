//! What the operating system reports, reduced to "this name was touched".
//!
//! The notify backend reports opens and reads too, so a reload would report itself: everything that can't mean a
//! new content is dropped here, on notify's own thread, and so is everything about files nobody asked for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, PoisonError, RwLock};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::Message;

/// Whether this system says when a writer has closed its file.
pub(super) const REPORTS_CLOSE: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// What an event says about the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// A writer is at work and has not closed the file.
    Writing,
    /// The content may have changed and nobody is known to be at work on it.
    Settled,
    /// Appeared, vanished or was replaced.
    Moved,
    /// Permissions or times changed.
    Metadata,
}

impl Touch {
    fn of(kind: &EventKind) -> Option<Self> {
        Some(match kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => Self::Settled,
            EventKind::Access(_) => return None,
            EventKind::Create(_)
            | EventKind::Remove(_)
            | EventKind::Modify(ModifyKind::Name(_)) => Self::Moved,
            EventKind::Modify(ModifyKind::Metadata(_)) => Self::Metadata,
            EventKind::Modify(_) if REPORTS_CLOSE => Self::Writing,
            EventKind::Modify(_) | EventKind::Any | EventKind::Other => Self::Settled,
        })
    }
}

/// Directories watched by the operating system.
pub(super) struct System {
    watcher: RecommendedWatcher,
    wanted: Arc<RwLock<BTreeSet<PathBuf>>>,
    watched: BTreeSet<PathBuf>,
}

impl System {
    /// Starts reporting to `inbox`; `missed` is raised when reports were lost.
    pub(super) fn new(inbox: SyncSender<Message>, missed: Arc<AtomicBool>) -> notify::Result<Self> {
        let wanted = Arc::new(RwLock::new(BTreeSet::<PathBuf>::new()));
        let filter = Arc::clone(&wanted);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let lost = match event {
                Ok(event) if event.need_rescan() => true,
                Ok(event) => Touch::of(&event.kind).is_some_and(|touch| {
                    let wanted = filter.read().unwrap_or_else(PoisonError::into_inner);
                    let mut touched = event.paths.into_iter().filter(|path| wanted.contains(path));
                    touched.any(|path| inbox.try_send(Message::Touched(path, touch)).is_err())
                }),
                Err(_) => true,
            };
            if lost {
                missed.store(true, Ordering::Release);
                // A full inbox wakes its reader by itself.
                let _ = inbox.try_send(Message::Wake);
            }
        })?;
        Ok(Self {
            watcher,
            wanted,
            watched: BTreeSet::new(),
        })
    }

    /// Reports about exactly these names from now on; the directories are watched too, for their own removal.
    pub(super) fn want(&mut self, names: BTreeSet<PathBuf>, directories: &BTreeSet<PathBuf>) {
        let mut wanted = self.wanted.write().unwrap_or_else(PoisonError::into_inner);
        *wanted = names;
        wanted.extend(directories.iter().cloned());
    }

    /// Whether this directory is watched.
    pub(super) fn watches(&self, directory: &Path) -> bool {
        self.watched.contains(directory)
    }

    /// Watches one more directory.
    pub(super) fn watch(&mut self, directory: &Path) -> notify::Result<()> {
        self.watcher.watch(directory, RecursiveMode::NonRecursive)?;
        self.watched.insert(directory.to_owned());
        Ok(())
    }

    /// Forgets a directory that was removed or replaced, so that it can be watched anew.
    pub(super) fn forget(&mut self, directory: &Path) {
        if self.watched.remove(directory) {
            // The system has often dropped the watch already.
            let _ = self.watcher.unwatch(directory);
        }
    }

    /// Stops watching all directories but these.
    pub(super) fn keep_only(&mut self, directories: &BTreeSet<PathBuf>) {
        let gone: Vec<_> = self.watched.difference(directories).cloned().collect();
        gone.iter().for_each(|directory| self.forget(directory));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, DataChange, MetadataKind, RenameMode};

    #[test]
    fn reading_a_file_touches_nothing() {
        assert_eq!(
            Touch::of(&EventKind::Access(AccessKind::Open(AccessMode::Any))),
            None
        );
        assert_eq!(
            Touch::of(&EventKind::Access(AccessKind::Close(AccessMode::Read))),
            None
        );
        assert_eq!(Touch::of(&EventKind::Access(AccessKind::Read)), None);
    }

    #[test]
    fn closing_after_a_write_settles() {
        assert_eq!(
            Touch::of(&EventKind::Access(AccessKind::Close(AccessMode::Write))),
            Some(Touch::Settled)
        );
    }

    #[test]
    fn arrivals_are_moves_and_data_is_work_in_progress() {
        assert_eq!(
            Touch::of(&EventKind::Modify(ModifyKind::Name(RenameMode::To))),
            Some(Touch::Moved)
        );
        assert_eq!(
            Touch::of(&EventKind::Create(CreateKind::File)),
            Some(Touch::Moved)
        );
        assert_eq!(
            Touch::of(&EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any))),
            Some(Touch::Metadata)
        );
        let data = Touch::of(&EventKind::Modify(ModifyKind::Data(DataChange::Any)));
        assert_eq!(
            data,
            Some(if REPORTS_CLOSE {
                Touch::Writing
            } else {
                Touch::Settled
            })
        );
    }
}
