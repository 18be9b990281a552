//! Colours along a line, and numbers over time.

use std::sync::Arc;

use super::vector::narrow;
use crate::graph::{Cx, GraphError, Update};
use crate::value::{Color, Curve, CurveKey, Gradient, GradientBlend, Many, Stop};
use crate::{choice, formula, operator};

#[cfg(test)]
mod tests;

choice! {
    /// What is between two stops of a gradient or two keys of a curve.
    Between {
        /// An even way from one to the other.
        Linear "linear",
        /// A way that leaves and reaches each gently.
        Smooth "smooth",
        /// The one before.
        Hold "hold",
    }
}

impl From<Between> for GradientBlend {
    fn from(between: Between) -> Self {
        match between {
            Between::Linear => Self::Linear,
            Between::Smooth => Self::Smooth,
            Between::Hold => Self::Hold,
        }
    }
}

operator! {
    /// A gradient of colours at even distances from 0 to 1; black without any.
    Of "ramp.of" -> Arc<Gradient> {
        /// The colours.
        colors: Many<Color> = Many::none();
        /// What is between two of them; with `hold` each takes as much room.
        blend: Between = Between::Linear;
    }
}

impl Update for Of {
    type Output = Arc<Gradient>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<Gradient>, GraphError> {
        let (count, blend) = (cx.count(self.colors), cx.get(self.blend)?);
        let parts = match blend {
            Between::Hold => count,
            _ => count.saturating_sub(1).max(1),
        };
        let stops = (0..count).map(|at| {
            let Color(color) = cx.nth(self.colors, at)?;
            let at = at as f32 / parts as f32;
            Ok(Stop { at, color })
        });
        let stops = stops.collect::<Result<_, GraphError>>()?;
        Ok(Arc::new(Gradient::new(stops, blend.into())))
    }
}

operator! {
    /// A gradient of colours at places of their own; black without any.
    Stops "ramp.stops" -> Arc<Gradient> {
        /// The places, nominally 0 to 1, in any order; two at one place make a hard edge.
        places: Arc<[f64]> = [0.0, 1.0];
        /// The colours, one for each place; what one side has more of is left out.
        colors: Many<Color> = Many::none();
        /// What is between two of them.
        blend: Between = Between::Linear;
    }
}

impl Update for Stops {
    type Output = Arc<Gradient>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<Gradient>, GraphError> {
        let (places, blend) = (cx.get(self.places)?, cx.get(self.blend)?);
        let count = cx.count(self.colors).min(places.len());
        let stops = (0..count).map(|at| {
            let Color(color) = cx.nth(self.colors, at)?;
            let at = narrow(places[at]);
            Ok(Stop { at, color })
        });
        let stops = stops.collect::<Result<_, GraphError>>()?;
        Ok(Arc::new(Gradient::new(stops, blend.into())))
    }
}

formula! {
    /// The colour at a place of a gradient; before the first and after the last stop it is theirs.
    At "ramp.at" -> Color {
        /// The gradient.
        gradient: Arc<Gradient> = Gradient::default();
        /// The place, nominally 0 to 1.
        place: f64 = 0.0, 0.0..=1.0;
    } = Color(gradient.sample(narrow(place)))
}

formula! {
    /// A gradient the other way round: what was at 0 is at 1.
    Reverse "ramp.reverse" -> Arc<Gradient> {
        /// The gradient.
        gradient: Arc<Gradient> = Gradient::default();
    } = Arc::new(reversed(&gradient))
}

fn reversed(gradient: &Gradient) -> Gradient {
    let stops = gradient.stops();
    let mirrored = |at: f32, color| Stop {
        at: 1.0 - at,
        color,
    };
    let made = match gradient.blend() {
        // A colour that was held until the next stop is now held from there.
        GradientBlend::Hold => {
            let last = stops.last().map(|stop| mirrored(stop.at, stop.color));
            let held = stops.windows(2).rev();
            let held = held.map(|pair| mirrored(pair[1].at, pair[0].color));
            last.into_iter().chain(held).collect()
        }
        _ => {
            let stops = stops.iter().rev();
            stops.map(|stop| mirrored(stop.at, stop.color)).collect()
        }
    };
    Gradient::new(made, gradient.blend())
}

formula! {
    /// A number over time, through values at given times; 0 without any.
    CurveOf "curve.of" -> Arc<Curve> {
        /// The times in seconds, in any order; of two that are the same the later one counts.
        times: Arc<[f64]> = [0.0, 1.0];
        /// The values, one for each time; what one side has more of is left out.
        values: Arc<[f64]> = [0.0, 1.0];
        /// What is between two of them.
        blend: Between = Between::Linear;
    } = Arc::new(through(&times, &values, blend))
}

fn through(times: &[f64], values: &[f64], between: Between) -> Curve {
    let slope = match between {
        Between::Hold => f64::INFINITY,
        _ => 0.0,
    };
    let points = times.iter().zip(values);
    let keys = points.map(|(&time, &value)| CurveKey {
        time,
        value,
        in_slope: slope,
        out_slope: slope,
    });
    let curve = Curve::new(keys.collect());
    if between != Between::Linear {
        return curve;
    }
    let mut keys = curve.keys().to_vec();
    for at in 1..keys.len() {
        let (before, after) = (keys[at - 1], keys[at]);
        // Half of each, as the whole way may be more than a number holds.
        let rise = after.value / 2.0 - before.value / 2.0;
        let slope = match after.time / 2.0 - before.time / 2.0 {
            0.0 => f64::INFINITY,
            run => rise / run,
        };
        (keys[at - 1].out_slope, keys[at].in_slope) = (slope, slope);
    }
    Curve::new(keys)
}

formula! {
    /// The number of a curve at a time; before the first and after the last key it is theirs.
    CurveAt "curve.at" -> f64 {
        /// The curve.
        curve: Arc<Curve> = Curve::default();
        /// The time in seconds.
        time: f64 = 0.0;
    } = curve.sample(time)
}
