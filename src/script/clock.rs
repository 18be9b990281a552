//! The running time of this thread, which is what limits are about: a busy machine that lets scripts wait must not
//! make them look slow.

use std::ops::Add;
use std::time::Duration;

/// A moment in the running time of this thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(Duration);

impl Moment {
    pub(super) fn now() -> Self {
        Self(running_time())
    }

    pub(super) fn elapsed(self) -> Duration {
        Self::now().duration_since(self)
    }

    pub(super) fn duration_since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Moment {
    type Output = Self;
    fn add(self, by: Duration) -> Self {
        Self(self.0.saturating_add(by))
    }
}

#[cfg(unix)]
fn running_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where the system doesn't tell a thread's own time, the time of day has to do.
#[cfg(not(unix))]
fn running_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn waiting_takes_no_running_time() {
        let start = Moment::now();
        let waited = std::time::Instant::now();
        let (_keep_open, silent) = std::sync::mpsc::channel::<()>();
        assert!(silent.recv_timeout(Duration::from_millis(50)).is_err());
        assert!(start.elapsed() < waited.elapsed() / 2);
    }

    #[test]
    fn work_takes_running_time() {
        let start = Moment::now();
        let mut n = 1_u64;
        while start.elapsed() < Duration::from_millis(1) {
            n = std::hint::black_box(n.wrapping_mul(31));
        }
        assert!(start + Duration::from_micros(1) < Moment::now());
    }
}
