//! What something was in the last seconds, for operators that look back.

use std::collections::VecDeque;

/// How many seconds are kept.
pub(super) const SECONDS: f64 = 10.0;
/// How many moments are kept, whatever the frame rate.
const MOMENTS: usize = 4096;

/// What something was at moments of a clock of its own, oldest first.
pub(super) struct Past<T> {
    now: f64,
    moments: VecDeque<(f64, T)>,
}

impl<T> Default for Past<T> {
    fn default() -> Self {
        Self {
            now: 0.0,
            moments: VecDeque::new(),
        }
    }
}

impl<T> Past<T> {
    /// Notes what it is `dt` seconds after the last time; forgets what is older than ten seconds, but for the last
    /// moment before them.
    pub(super) fn push(&mut self, dt: f64, value: T) {
        self.now += dt;
        if dt == 0.0 {
            self.moments.pop_back();
        }
        self.moments.push_back((self.now, value));
        let start = self.now - SECONDS;
        while self.moments.len() > MOMENTS || self.moments.get(1).is_some_and(|m| m.0 <= start) {
            self.moments.pop_front();
        }
    }

    /// What was noted last.
    pub(super) fn last(&self) -> Option<&T> {
        self.moments.back().map(|(_, value)| value)
    }

    /// What it was so many seconds ago, or as long ago as is known.
    pub(super) fn ago(&self, seconds: f64) -> Option<&T> {
        // Sums of steps differ from the moment that is meant by their last bits.
        let moment = self.now - seconds + 1e-9;
        let after = self.moments.partition_point(|(time, _)| *time <= moment);
        let at = self.moments.get(after.saturating_sub(1));
        at.map(|(_, value)| value)
    }
}

impl Past<f64> {
    /// The mean over so many of the last seconds, or over as many as are known, along straight lines between the
    /// moments; the last number where that is no time.
    pub(super) fn mean(&self, seconds: f64) -> Option<f64> {
        let (oldest, last) = (self.moments.front()?.0, *self.last()?);
        let start = (self.now - seconds).max(oldest);
        let span = self.now - start;
        if span <= 0.0 {
            return Some(last);
        }
        let pairs = self.moments.iter().zip(self.moments.iter().skip(1));
        let mean = pairs.rev().take_while(|(_, to)| to.0 > start);
        let mean = mean.fold(0.0, |sum, (from, to)| {
            let width = to.0 - from.0;
            // The line is cut where the span begins.
            let cut = (start - from.0).max(0.0) / width;
            let begin = from.1 * (1.0 - cut) + to.1 * cut;
            sum + (begin / 2.0 + to.1 / 2.0) * (width * (1.0 - cut) / span)
        });
        Some(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_seconds_are_kept_and_no_more_than_4096_moments() {
        let mut past = Past::default();
        for n in 0..200 {
            past.push(0.1, n);
        }
        assert_eq!(past.moments.len(), 101);
        assert_eq!(
            (past.ago(0.0), past.ago(1.0), past.ago(99.0)),
            (Some(&199), Some(&189), Some(&99))
        );
        for n in 0..5000 {
            past.push(0.001, n);
        }
        assert_eq!((past.moments.len(), past.ago(99.0)), (4096, Some(&904)));
    }

    #[test]
    fn while_time_stands_still_only_the_last_is_kept() {
        let mut past = Past::default();
        for n in 0..9 {
            past.push(0.0, f64::from(n));
        }
        assert_eq!((past.moments.len(), past.mean(1.0)), (1, Some(8.0)));
    }

    #[test]
    fn a_mean_cuts_the_line_where_its_span_begins() {
        let mut past = Past::default();
        for n in [0.0, 4.0, 0.0] {
            past.push(1.0, n);
        }
        for (seconds, mean) in [
            (0.0, 0.0),
            (0.5, 1.0),
            (1.0, 2.0),
            (1.5, 7.0 / 3.0),
            (2.0, 2.0),
            (9.0, 2.0),
        ] {
            let got = past.mean(seconds).unwrap_or(f64::NAN);
            assert!((got - mean).abs() < 1e-12, "{seconds}: {got}");
        }
    }
}
