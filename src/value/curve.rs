//! A number over time.

/// A point that a curve passes through, with its slopes on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveKey {
    /// When.
    pub time: f64,
    /// The number there.
    pub value: f64,
    /// Slope on the way to it; infinite holds the value of the key before.
    pub in_slope: f64,
    /// Slope on the way from it; infinite holds its value until the next key.
    pub out_slope: f64,
}

/// A number over time: cubic Hermite pieces between keys in order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    keys: Vec<CurveKey>,
}

impl Curve {
    /// A curve through keys in any order; of keys at one time the last one stays.
    pub fn new(mut keys: Vec<CurveKey>) -> Self {
        keys.sort_by(|a, b| a.time.total_cmp(&b.time));
        keys.dedup_by(|later, kept| {
            let is_same = later.time == kept.time;
            if is_same {
                *kept = *later;
            }
            is_same
        });
        Self { keys }
    }

    /// The keys in order.
    pub fn keys(&self) -> &[CurveKey] {
        &self.keys
    }

    /// The number at a time; before the first and after the last key it is theirs, 0 without keys. Between keys
    /// that are too far apart to reckon with it is the value of the key before.
    pub fn sample(&self, time: f64) -> f64 {
        let after = self.keys.partition_point(|key| key.time <= time);
        let (left, right) = match (after.checked_sub(1), self.keys.get(after)) {
            (None, None) => return 0.0,
            (None, Some(first)) => return first.value,
            (Some(left), None) => return self.keys[left].value,
            (Some(left), Some(right)) => (self.keys[left], right),
        };
        if left.out_slope.is_infinite() || right.in_slope.is_infinite() {
            return left.value;
        }
        let width = right.time - left.time;
        let t = (time - left.time) / width;
        let (p0, p1) = (left.value, right.value);
        let (m0, m1) = (left.out_slope * width, right.in_slope * width);
        let a = 2.0 * p0 + m0 - 2.0 * p1 + m1;
        let b = -3.0 * p0 - 2.0 * m0 + 3.0 * p1 - m1;
        let value = ((a * t + b) * t + m0) * t + p0;
        if value.is_finite() { value } else { p0 }
    }

    /// Whether times and values are finite and no slope is NaN.
    pub(super) fn is_finite(&self) -> bool {
        self.keys.iter().all(|key| {
            key.time.is_finite()
                && key.value.is_finite()
                && !key.in_slope.is_nan()
                && !key.out_slope.is_nan()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f64, value: f64, slope: f64) -> CurveKey {
        CurveKey {
            time,
            value,
            in_slope: slope,
            out_slope: slope,
        }
    }

    #[test]
    fn a_curve_passes_its_keys_and_stays_at_its_ends() {
        // The slopes that smoothing gives to squares, and the values between them.
        let slopes = [1.0, 2.0, 4.0, 6.0, 7.0];
        let keys = (0..5).map(|n| key(n.into(), (n * n).into(), slopes[n as usize]));
        let curve = Curve::new(keys.rev().collect());
        for (time, value) in [(0.5, 0.375), (1.5, 2.25), (2.5, 6.25), (3.5, 12.375)] {
            assert_eq!(curve.sample(time), value, "{time}");
        }
        assert_eq!((curve.sample(-1.0), curve.sample(9.0)), (0.0, 16.0));
        assert_eq!(Curve::default().sample(1.0), 0.0);
    }

    #[test]
    fn an_infinite_slope_holds_the_value_before() {
        let curve = Curve::new(vec![key(0.0, 1.0, f64::INFINITY), key(1.0, 5.0, 0.0)]);
        assert_eq!(curve.sample(0.999), 1.0);
        assert_eq!(curve.sample(1.0), 5.0);
        assert!(curve.is_finite());
    }

    #[test]
    fn between_keys_that_are_too_far_apart_the_value_before_holds() {
        let curve = Curve::new(vec![key(-1e308, 1e308, 0.0), key(1e308, -1e308, 0.0)]);
        assert_eq!(curve.sample(0.0), 1e308);
    }

    #[test]
    fn of_two_keys_at_one_time_the_last_stays() {
        let curve = Curve::new(vec![key(1.0, 5.0, 0.0), key(1.0, 7.0, 0.0)]);
        assert_eq!(curve.keys().len(), 1);
        assert_eq!(curve.sample(1.0), 7.0);
    }
}
