//! Colours along a line.

/// A colour at a place of a gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Where, nominally 0 to 1.
    pub at: f32,
    /// Straight red, green, blue and alpha, display-referred.
    pub color: [f32; 4],
}

/// What is between two stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GradientBlend {
    /// An even mixture.
    #[default]
    Linear,
    /// A mixture that leaves and reaches each stop gently.
    Smooth,
    /// The colour of the stop before.
    Hold,
}

/// Colours along a line: stops in order of their place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gradient {
    stops: Vec<Stop>,
    blend: GradientBlend,
}

impl Gradient {
    /// A gradient of stops in any order; two at one place make a hard edge, the later one to the right.
    pub fn new(mut stops: Vec<Stop>, blend: GradientBlend) -> Self {
        stops.sort_by(|a, b| a.at.total_cmp(&b.at));
        Self { stops, blend }
    }

    /// The stops in order.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// What is between two stops.
    pub fn blend(&self) -> GradientBlend {
        self.blend
    }

    /// The colour at a place; before the first and after the last stop it is theirs, black without stops.
    pub fn sample(&self, at: f32) -> [f32; 4] {
        let after = self.stops.partition_point(|stop| stop.at <= at);
        let (left, right) = match (after.checked_sub(1), self.stops.get(after)) {
            (None, None) => return [0.0, 0.0, 0.0, 1.0],
            (None, Some(first)) => return first.color,
            (Some(left), None) => return self.stops[left].color,
            (Some(left), Some(right)) => (self.stops[left], right),
        };
        // What 32 bits hold may be too far apart for them.
        let [at, from, to] = [at, left.at, right.at].map(f64::from);
        let t = (at - from) / (to - from);
        let t = match self.blend {
            GradientBlend::Linear => t,
            GradientBlend::Smooth => t * t * (3.0 - 2.0 * t),
            GradientBlend::Hold => 0.0,
        };
        std::array::from_fn(|i| {
            let (from, to) = (f64::from(left.color[i]), f64::from(right.color[i]));
            (from + (to - from) * t) as f32
        })
    }

    pub(super) fn is_finite(&self) -> bool {
        let is_finite =
            |stop: &Stop| stop.at.is_finite() && stop.color.iter().all(|n| n.is_finite());
        self.stops.iter().all(is_finite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
    const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];

    fn red_to_blue(blend: GradientBlend) -> Gradient {
        let stops = vec![
            Stop {
                at: 0.75,
                color: BLUE,
            },
            Stop {
                at: 0.25,
                color: RED,
            },
        ];
        Gradient::new(stops, blend)
    }

    #[test]
    fn a_gradient_is_its_stops_and_what_the_blend_says_between_them() {
        let gradient = red_to_blue(GradientBlend::Linear);
        assert_eq!(gradient.sample(-1.0), RED);
        assert_eq!(gradient.sample(0.5), [0.5, 0.0, 0.5, 1.0]);
        assert_eq!(gradient.sample(2.0), BLUE);
        let quarter = red_to_blue(GradientBlend::Smooth).sample(0.375);
        assert_eq!(quarter, [0.84375, 0.0, 0.15625, 1.0]);
        assert_eq!(red_to_blue(GradientBlend::Hold).sample(0.74), RED);
        assert_eq!(red_to_blue(GradientBlend::Hold).sample(0.75), BLUE);
        assert_eq!(Gradient::default().sample(0.5), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn two_stops_at_one_place_make_an_edge() {
        let at = |color| Stop { at: 0.5, color };
        let gradient = Gradient::new(vec![at(RED), at(BLUE)], GradientBlend::Linear);
        assert_eq!(gradient.sample(0.499), RED);
        assert_eq!(gradient.sample(0.5), BLUE);
    }

    #[test]
    fn what_lies_between_the_largest_numbers_is_finite() {
        let stop = |n| Stop {
            at: n,
            color: [-n, -n, -n, 1.0],
        };
        let gradient = Gradient::new(vec![stop(f32::MIN), stop(f32::MAX)], GradientBlend::Linear);
        assert_eq!(gradient.sample(0.0), [0.0, 0.0, 0.0, 1.0]);
        let half = f32::MAX / 2.0;
        assert_eq!(gradient.sample(half), [-half, -half, -half, 1.0]);
    }
}
