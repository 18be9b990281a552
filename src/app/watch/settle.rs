//! One watched file: when it is worth reading, and whether what it holds is new.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::digest;
use super::route::Route;
use super::system::{REPORTS_CLOSE, Touch};

/// Quiet time before a file is read.
const QUIET: Duration = Duration::from_millis(if REPORTS_CLOSE { 15 } else { 50 });
/// Quiet time where nobody tells when a writer is done.
const QUIET_POLLED: Duration = Duration::from_millis(50);
/// How long an empty file, or one that its writer holds open, is given after its last sign of life.
const PATIENCE: Duration = Duration::from_millis(250);
/// A file that never comes to rest is read after this all the same.
const NEVER_QUIET: Duration = Duration::from_secs(2);
/// The part of a file that is read; far beyond any sketch or shader, and bounded when the path leads to a disk image.
const MAX_BYTES: u64 = 64 << 20;
/// Up to this size a polled file is read at each look, since times are coarse on some file systems.
const SMALL: u64 = 1 << 20;

/// What tells one state of a file from another without reading it.
type Stamp = (Option<SystemTime>, u64);

struct Pending {
    first: Instant,
    last: Instant,
    patient: bool,
    seen: Option<u64>,
    /// Nothing was reported: a look at the file found it.
    found_by_look: bool,
}

/// What became of a file that was due.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Not at rest yet.
    Waiting,
    /// Nothing new.
    Same,
    /// New content; `unreported` when the system said nothing about it.
    New { text: Vec<u8>, unreported: bool },
}

/// One watched file.
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) route: Route,
    /// The system does not report this file: it is looked at instead.
    pub(super) is_polled: bool,
    /// Why it is not reported.
    pub(super) refusal: Option<String>,
    delivered: Option<u64>,
    stamp: Option<Stamp>,
    pending: Option<Pending>,
}

impl File {
    pub(super) fn new(path: PathBuf) -> Self {
        let route = Route::of(&path);
        Self {
            path,
            route,
            is_polled: false,
            refusal: None,
            delivered: None,
            stamp: None,
            pending: None,
        }
    }

    /// Takes what is on disk now for known.
    pub(super) fn accept_present(&mut self) {
        self.stamp = stamp(&self.path);
        self.delivered = read(&self.path).as_deref().map(digest);
    }

    /// Takes the content with this digest for known, or none, and compares it with what is there.
    pub(super) fn accept(&mut self, known: Option<u64>, now: Instant) {
        self.delivered = known;
        self.touch(Touch::Metadata, now);
    }

    /// Notes an event.
    pub(super) fn touch(&mut self, touch: Touch, now: Instant) {
        let pending = self.pending.get_or_insert(Pending {
            first: now,
            last: now,
            patient: false,
            seen: None,
            found_by_look: false,
        });
        pending.last = now;
        pending.found_by_look = false;
        match touch {
            Touch::Writing => pending.patient = true,
            Touch::Settled | Touch::Moved => pending.patient = false,
            Touch::Metadata => {}
        }
    }

    /// Looks whether the file changed without an event.
    pub(super) fn look(&mut self, now: Instant) {
        if self.pending.is_some() {
            return;
        }
        let stamp = stamp(&self.path);
        let Some((_, bytes)) = stamp else { return };
        let mut seen = None;
        if self.is_polled && bytes <= SMALL {
            seen = read(&self.path).as_deref().map(digest);
            if seen == self.delivered {
                return;
            }
        } else if stamp == self.stamp {
            return;
        }
        self.pending = Some(Pending {
            first: now,
            last: now,
            patient: false,
            seen,
            found_by_look: true,
        });
    }

    /// When [`File::settle`] should be called next.
    pub(super) fn due(&self) -> Option<Instant> {
        let pending = self.pending.as_ref()?;
        let quiet = match (pending.patient, self.is_polled) {
            (true, _) => PATIENCE,
            (false, true) => QUIET_POLLED,
            (false, false) => QUIET,
        };
        Some((pending.last + quiet).min(pending.first + NEVER_QUIET))
    }

    /// Reads the file when it is due.
    pub(super) fn settle(&mut self, now: Instant) -> Outcome {
        if self.due().is_none_or(|due| due > now) {
            return Outcome::Waiting;
        }
        let Some(mut pending) = self.pending.take() else {
            return Outcome::Same;
        };
        let stamp = stamp(&self.path);
        // A missing file will be reported when it is back; until then the last content stands.
        let Some(text) = read(&self.path) else {
            return Outcome::Same;
        };
        let known = digest(&text);
        if self.delivered == Some(known) {
            self.stamp = stamp;
            return Outcome::Same;
        }
        let is_final = now >= pending.first + NEVER_QUIET;
        if text.is_empty() && !pending.patient && !is_final {
            pending.patient = true;
            self.pending = Some(pending);
            return Outcome::Waiting;
        }
        if self.is_polled && pending.seen != Some(known) && !is_final {
            pending.seen = Some(known);
            pending.last = now;
            self.pending = Some(pending);
            return Outcome::Waiting;
        }
        self.stamp = stamp;
        self.delivered = Some(known);
        Outcome::New {
            text,
            unreported: pending.found_by_look && !self.is_polled,
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    Some((metadata.modified().ok(), metadata.len()))
}

/// The content, or nothing when there is no such file or it can't be read.
fn read(path: &Path) -> Option<Vec<u8>> {
    // Opening a pipe would block until somebody writes.
    stamp(path)?;
    let mut text = Vec::new();
    std::fs::File::open(path)
        .ok()?
        .take(MAX_BYTES)
        .read_to_end(&mut text)
        .ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]

    use super::*;

    struct Case {
        _folder: tempfile::TempDir,
        file: File,
        start: Instant,
    }

    impl Case {
        fn new(text: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.lua");
            std::fs::write(&path, text).unwrap();
            let mut file = File::new(path);
            file.accept_present();
            Self {
                _folder: folder,
                file,
                start: Instant::now(),
            }
        }

        fn write(&self, text: &str) {
            std::fs::write(&self.file.path, text).unwrap();
        }

        fn touch(&mut self, touch: Touch, ms: u64) {
            self.file
                .touch(touch, self.start + Duration::from_millis(ms));
        }

        fn settle(&mut self, ms: u64) -> Outcome {
            self.file.settle(self.start + Duration::from_millis(ms))
        }
    }

    fn new(text: &str) -> Outcome {
        Outcome::New {
            text: text.into(),
            unreported: false,
        }
    }

    const Q: u64 = QUIET.as_millis() as u64;

    #[test]
    fn a_finished_write_is_read_after_the_quiet_time() {
        let mut case = Case::new("a");
        case.write("b");
        case.touch(Touch::Settled, 0);
        assert_eq!(case.settle(Q - 1), Outcome::Waiting);
        assert_eq!(case.settle(Q), new("b"));
        assert_eq!(case.file.due(), None);
    }

    #[test]
    fn the_same_content_is_no_news() {
        let mut case = Case::new("a");
        case.write("a");
        case.touch(Touch::Settled, 0);
        assert_eq!(case.settle(Q), Outcome::Same);
    }

    #[test]
    fn a_writer_at_work_is_given_time() {
        let mut case = Case::new("a");
        case.write("half");
        case.touch(Touch::Writing, 0);
        case.touch(Touch::Writing, 200);
        assert_eq!(case.settle(449), Outcome::Waiting);
        assert_eq!(case.settle(450), new("half"));
    }

    #[test]
    fn closing_ends_the_wait_for_a_writer() {
        let mut case = Case::new("a");
        case.write("whole");
        case.touch(Touch::Writing, 0);
        case.touch(Touch::Settled, 10);
        assert_eq!(case.settle(10 + Q), new("whole"));
    }

    #[test]
    fn an_empty_file_is_given_time_and_believed_in_the_end() {
        let mut case = Case::new("a");
        case.write("");
        case.touch(Touch::Settled, 0);
        assert_eq!(case.settle(Q), Outcome::Waiting);
        assert_eq!(case.settle(249), Outcome::Waiting);
        assert_eq!(case.settle(250), new(""));
    }

    #[test]
    fn a_missing_file_is_no_news() {
        let mut case = Case::new("a");
        std::fs::remove_file(&case.file.path).unwrap();
        case.touch(Touch::Moved, 0);
        assert_eq!(case.settle(Q), Outcome::Same);
        case.write("a");
        case.touch(Touch::Moved, 100);
        assert_eq!(case.settle(100 + Q), Outcome::Same);
    }

    #[test]
    fn a_file_that_never_rests_is_read_in_the_end() {
        let mut case = Case::new("a");
        case.write("b");
        for ms in (0..2000).step_by(10) {
            case.touch(Touch::Settled, ms);
            assert_eq!(case.settle(ms + 1), Outcome::Waiting);
        }
        assert_eq!(case.settle(2000), new("b"));
    }

    #[test]
    fn a_look_finds_what_was_not_reported() {
        let mut case = Case::new("a");
        case.write("longer");
        case.file.look(case.start);
        assert_eq!(
            case.settle(Q),
            Outcome::New {
                text: "longer".into(),
                unreported: true
            }
        );
    }

    #[test]
    fn a_report_that_comes_after_the_look_counts() {
        let mut case = Case::new("a");
        case.write("longer");
        case.file.look(case.start);
        case.touch(Touch::Settled, 1);
        assert_eq!(case.settle(1 + Q), new("longer"));
    }

    #[test]
    fn a_polled_file_is_read_twice_before_it_is_believed() {
        let mut case = Case::new("a");
        case.file.is_polled = true;
        case.write("half");
        case.file.look(case.start);
        case.write("whole");
        assert_eq!(case.settle(50), Outcome::Waiting);
        assert_eq!(case.settle(100), new("whole"));
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_in_its_place_is_a_missing_file() {
        let mut case = Case::new("a");
        std::fs::remove_file(&case.file.path).unwrap();
        std::fs::create_dir(&case.file.path).unwrap();
        case.touch(Touch::Moved, 0);
        assert_eq!(case.settle(Q), Outcome::Same);
    }
}
