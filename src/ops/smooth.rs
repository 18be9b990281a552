//! Smoothing over time: what follows a value at a pace of its own, the same at any frame rate.

use super::number::between;
use crate::graph::{Cx, GraphError, Update};
use crate::operator;
use crate::value::{Color, Easing};

pub mod history;
pub mod spring;

/// A value as so many numbers.
trait Numbers<const N: usize>: Copy {
    fn numbers(self) -> [f64; N];
    fn of(numbers: [f64; N]) -> Self;
}

impl Numbers<1> for f64 {
    fn numbers(self) -> [f64; 1] {
        [self]
    }
    fn of([number]: [f64; 1]) -> Self {
        number
    }
}

impl<const N: usize> Numbers<N> for [f32; N] {
    fn numbers(self) -> [f64; N] {
        self.map(f64::from)
    }
    fn of(numbers: [f64; N]) -> Self {
        numbers.map(|n| n.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32)
    }
}

impl Numbers<4> for Color {
    fn numbers(self) -> [f64; 4] {
        self.0.numbers()
    }
    fn of(numbers: [f64; 4]) -> Self {
        Self(Numbers::of(numbers))
    }
}

/// Followers of one kind of value each, by how many numbers it is.
macro_rules! damps {
    ($($name:ident $lua:literal $type:ty = $default:expr, $count:literal;)*) => {$(
        operator! {
            /// Follows a value smoothly, at the same pace whatever the frame rate.
            $name $lua -> $type {
                /// The value to follow.
                value: $type = $default;
                /// Seconds in which half of the way is covered; 0 follows at once.
                half_life: f64 = 0.1, 0.0..=10.0;
            }
            state { current: Option<[f64; $count]> }
        }

        impl Update for $name {
            type Output = $type;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<$type, GraphError> {
                let value = cx.get(self.value)?.numbers();
                let (half_life, dt) = (cx.get(self.half_life)?, cx.dt());
                let current = self.current.get_or_insert(value);
                for (current, value) in current.iter_mut().zip(value) {
                    *current = damp(*current, value, half_life, dt);
                }
                Ok(Numbers::of(*current))
            }
        }
    )*};
}

damps! {
    Damp "num.damp" f64 = 0.0, 1;
    DampVec2 "vec2.damp" [f32; 2] = [0.0; 2], 2;
    DampVec3 "vec3.damp" [f32; 3] = [0.0; 3], 3;
    DampVec4 "vec4.damp" [f32; 4] = [0.0; 4], 4;
    DampColor "color.damp" Color = Color([0.0, 0.0, 0.0, 1.0]), 4;
}

/// Covers half of the way to a target in each half-life; at once where that is 0 or the way has no end.
fn damp(current: f64, target: f64, half_life: f64, dt: f64) -> f64 {
    let way = current - target;
    if half_life > 0.0 && way.is_finite() {
        target + way * (-dt / half_life).exp2()
    } else {
        target
    }
}

operator! {
    /// Jumps up with a number and falls smoothly, as the needle of a peak meter does.
    SmoothPeak "num.smooth_peak" -> f64 {
        /// The number to follow.
        value: f64 = 0.0;
        /// Seconds in which half of the way down is covered; 0 follows at once.
        half_life: f64 = 0.3, 0.0..=10.0;
    }
    state { current: Option<f64> }
}

impl Update for SmoothPeak {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (value, half_life, dt) = (cx.get(self.value)?, cx.get(self.half_life)?, cx.dt());
        let current = self.current.unwrap_or(value).max(value);
        let current = damp(current, value, half_life, dt);
        self.current = Some(current);
        Ok(current)
    }
}

operator! {
    /// Follows a number no faster than so many units per second.
    Slew "num.slew" -> f64 {
        /// The number to follow.
        value: f64 = 0.0;
        /// How fast it rises, in units per second; at 0 it never does.
        up: f64 = 1.0, 0.0..=10.0;
        /// How fast it falls, in units per second; at 0 it never does.
        down: f64 = 1.0, 0.0..=10.0;
    }
    state { current: Option<f64> }
}

impl Update for Slew {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (value, up, down) = (cx.get(self.value)?, cx.get(self.up)?, cx.get(self.down)?);
        let (dt, current) = (cx.dt(), self.current.unwrap_or(value));
        let current = value.clamp(current - down.max(0.0) * dt, current + up.max(0.0) * dt);
        self.current = Some(current);
        Ok(current)
    }
}

operator! {
    /// Goes to each new number along an easing curve, from where it is.
    ///
    /// It is made for numbers that leap: one that moves in every frame makes it begin anew in every frame.
    EaseTo "num.ease_to" -> f64 {
        /// Where to go.
        value: f64 = 0.0;
        /// How many seconds it takes; 0 goes at once.
        seconds: f64 = 0.5, 0.0..=10.0;
        /// The curve.
        easing: Easing = Easing::InOutCubic;
    }
    state { way: Option<Way>, elapsed: f64 }
}

/// From one number to another.
#[derive(Clone, Copy)]
struct Way {
    from: f64,
    to: f64,
}

impl Update for EaseTo {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (value, seconds) = (cx.get(self.value)?, cx.get(self.seconds)?);
        let (easing, dt) = (cx.get(self.easing)?, cx.dt());
        self.elapsed += dt;
        let at = |way: Way, elapsed: f64| match elapsed < seconds {
            true => {
                between(way.from, way.to, easing.ease(elapsed / seconds)).clamp(f64::MIN, f64::MAX)
            }
            false => way.to,
        };
        let mut way = self.way.unwrap_or(Way {
            from: value,
            to: value,
        });
        if way.to != value {
            let from = at(way, self.elapsed);
            way = Way { from, to: value };
            self.elapsed = 0.0;
        }
        self.way = Some(way);
        Ok(at(way, self.elapsed))
    }
}

#[cfg(test)]
#[path = "smooth/tests.rs"]
mod tests;
