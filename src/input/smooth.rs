//! Values that follow others softly, the same at any frame rate.

/// How fast a value follows another one: each time is the seconds after which 63 % of a step are done; 0 follows at once.
///
/// The exponential form makes the result depend on the time that passed only: two steps of 8 ms end where one of 16 ms does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttackRelease {
    /// Seconds for the way up, 0 or more.
    pub attack_secs: f64,
    /// Seconds for the way down, 0 or more.
    pub release_secs: f64,
}

impl AttackRelease {
    /// Where `value` is `dt_secs` seconds later on its way to `target`.
    pub fn step(self, value: f64, target: f64, dt_secs: f64) -> f64 {
        let tau = if target > value {
            self.attack_secs
        } else {
            self.release_secs
        };
        if tau <= 0.0 {
            return target;
        }
        value + (target - value) * -(-dt_secs.max(0.0) / tau).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMOOTH: AttackRelease = AttackRelease {
        attack_secs: 0.1,
        release_secs: 0.5,
    };

    #[test]
    fn up_takes_the_attack_time_and_down_the_release_time() {
        let one_tau = 1.0 - (-1.0_f64).exp();
        assert!((SMOOTH.step(0.0, 1.0, 0.1) - one_tau).abs() < 1e-12);
        assert!((SMOOTH.step(1.0, 0.0, 0.5) - (1.0 - one_tau)).abs() < 1e-12);
    }

    #[test]
    fn many_small_steps_end_where_one_large_step_does() {
        for (from, to) in [(0.0, 1.0), (1.0, 0.2)] {
            let once = SMOOTH.step(from, to, 0.24);
            let in_steps = (0..24).fold(from, |value, _| SMOOTH.step(value, to, 0.01));
            assert!((once - in_steps).abs() < 1e-12, "{once} {in_steps}");
        }
    }

    #[test]
    fn zero_seconds_follow_at_once_and_no_time_changes_nothing() {
        let hard = AttackRelease {
            attack_secs: 0.0,
            release_secs: 0.0,
        };
        assert_eq!(hard.step(0.3, 0.9, 0.01), 0.9);
        assert_eq!(SMOOTH.step(0.3, 0.9, 0.0), 0.3);
        assert_eq!(SMOOTH.step(0.3, 0.9, -1.0), 0.3);
    }
}
