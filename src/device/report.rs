//! What a source's thread tells the frame thread.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::DeviceError;
use crate::input::{Notice, SourceState, SourceStatus};

/// Where a source stands, and its news, each said once: however often a missing device is looked for in vain, the performer hears of it one time.
pub(super) struct Report {
    /// What the notices begin with, such as `audio`.
    prefix: &'static str,
    /// What the sketch does without the device, such as `the sketch runs on silence`.
    without: &'static str,
    inner: Mutex<Inner>,
}

struct Inner {
    status: SourceStatus,
    since: Instant,
    notices: Vec<Notice>,
}

impl Report {
    pub(super) fn new(prefix: &'static str, without: &'static str) -> Self {
        Self {
            prefix,
            without,
            inner: Mutex::new(Inner {
                status: SourceStatus {
                    state: SourceState::Opening,
                    ..SourceStatus::default()
                },
                since: Instant::now(),
                notices: Vec::new(),
            }),
        }
    }

    /// The source listens to `devices`, how is told by `detail`; told of those that it didn't listen to before.
    pub(super) fn live(&self, devices: Vec<String>, detail: String) {
        let mut inner = self.lock();
        let mut known = inner.status.devices.clone();
        let new: Vec<&str> = devices
            .iter()
            .filter(|&name| match known.iter().position(|other| other == name) {
                // Two devices may have one name.
                Some(index) => {
                    known.swap_remove(index);
                    false
                }
                None => true,
            })
            .map(String::as_str)
            .collect();
        if !new.is_empty() {
            let how = if detail.is_empty() {
                String::new()
            } else {
                format!(" ({detail})")
            };
            let text = format!("{}: listening to {}{how}", self.prefix, new.join(", "));
            inner.notices.push(Notice::info(text));
        }
        inner.change(SourceState::Live, devices, detail);
    }

    /// One of several devices that were listened to can't be any more.
    pub(super) fn lost(&self, why: &DeviceError) {
        self.lock()
            .notices
            .push(Notice::problem(format!("{}: {why}", self.prefix)));
    }

    /// There is no device; told only when there was one, or when it wasn't known before.
    pub(super) fn absent(&self, why: &DeviceError) {
        let mut inner = self.lock();
        if inner.status.state != SourceState::Absent {
            inner.notices.push(Notice::problem(format!(
                "{}: {why}; {}",
                self.prefix, self.without
            )));
        }
        inner.change(SourceState::Absent, Vec::new(), why.to_string());
    }

    /// As [`Report::absent`] when nothing was heard of the source for `limit` since it was opened.
    pub(super) fn absent_if_still_opening(&self, limit: Duration) {
        let is_late = {
            let inner = self.lock();
            inner.status.state == SourceState::Opening && inner.since.elapsed() > limit
        };
        if is_late {
            self.absent(&DeviceError::NoAnswer(limit.as_secs()));
        }
    }

    /// Moves the news over to `notices`.
    pub(super) fn drain(&self, notices: &mut Vec<Notice>) {
        notices.append(&mut self.lock().notices);
    }

    pub(super) fn status(&self) -> SourceStatus {
        self.lock().status.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn change(&mut self, state: SourceState, devices: Vec<String>, detail: String) {
        if self.status.state != state {
            self.since = Instant::now();
        }
        self.status = SourceStatus {
            state,
            devices,
            detail,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(report: &Report) -> Vec<String> {
        let mut notices = Vec::new();
        report.drain(&mut notices);
        notices.into_iter().map(|notice| notice.text).collect()
    }

    fn report() -> Report {
        Report::new("audio", "the sketch runs on silence")
    }

    #[test]
    fn a_missing_device_is_told_once_however_often_it_is_looked_for() {
        let report = report();
        for _ in 0..5 {
            report.absent(&DeviceError::NoDevice);
        }
        report.absent(&DeviceError::Busy);
        assert_eq!(
            texts(&report),
            ["audio: no input device; the sketch runs on silence"]
        );
        assert_eq!(report.status().state, SourceState::Absent);
        assert_eq!(report.status().detail, DeviceError::Busy.to_string());
        assert!(texts(&report).is_empty());
    }

    #[test]
    fn a_device_that_comes_goes_and_comes_back_is_told_each_time() {
        let report = report();
        let device = || vec!["Mikrofon 日本 🎤".to_owned()];
        report.live(device(), "48000 Hz".into());
        report.live(device(), "48000 Hz".into());
        report.absent(&DeviceError::Gone("Mikrofon 日本 🎤".into()));
        report.live(device(), String::new());
        assert_eq!(
            texts(&report),
            [
                "audio: listening to Mikrofon 日本 🎤 (48000 Hz)",
                "audio: Mikrofon 日本 🎤 went away; the sketch runs on silence",
                "audio: listening to Mikrofon 日本 🎤",
            ]
        );
    }

    #[test]
    fn of_several_devices_only_the_new_and_the_lost_are_told() {
        let report = Report::new("midi", "knobs and notes rest");
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        report.live(names(&["A", "B"]), String::new());
        report.lost(&DeviceError::Gone("A".into()));
        report.live(names(&["B"]), String::new());
        report.live(names(&["B", "B"]), String::new());
        assert_eq!(
            texts(&report),
            [
                "midi: listening to A, B",
                "midi: A went away",
                "midi: listening to B",
            ]
        );
    }

    #[test]
    fn a_device_that_never_answers_is_told_once() {
        let report = report();
        report.absent_if_still_opening(Duration::from_secs(3600));
        assert!(texts(&report).is_empty());
        for _ in 0..3 {
            report.absent_if_still_opening(Duration::ZERO);
        }
        assert_eq!(
            texts(&report),
            ["audio: the input device did not answer within 0 s; the sketch runs on silence"]
        );
    }
}
