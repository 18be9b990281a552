//! Springs: what follows a value with momentum.

use super::Numbers;
use crate::graph::{Cx, GraphError, Update};
use crate::operator;

/// A place and a speed.
#[derive(Clone, Copy)]
struct Body {
    at: f64,
    speed: f64,
}

impl Body {
    fn resting(at: f64) -> Self {
        Self { at, speed: 0.0 }
    }

    /// Where a damped spring takes it in `dt` seconds: the exact solution of x'' = -ω²(x - target) - 2ζωx', so that
    /// steps of any length give the same motion. It arrives at once where the half-life is too short to tell or the
    /// numbers leave what can be computed with.
    fn sprung(self, target: f64, half_life: f64, bounce: f64, dt: f64) -> Self {
        // Where (1 + ωt)e^(-ωt), the way that is left without bounce, is a half.
        const HALF_WAY: f64 = 1.678_346_990_016_660_6;
        if half_life < 1e-6 {
            return Self::resting(target);
        }
        let damping = 1.0 - bounce.clamp(0.0, 1.0);
        let frequency = HALF_WAY / half_life;
        let decay = damping * frequency;
        let swing = frequency * (1.0 - damping * damping).sqrt();
        let (sin, cos) = (swing * dt).sin_cos();
        // sin(ωt)/ω, which is t where there is no swing.
        let sin = if swing * dt < 1e-6 { dt } else { sin / swing };
        let (way, rest) = (self.at - target, (-decay * dt).exp());
        let sprung = Self {
            at: target + rest * (way * cos + (self.speed + decay * way) * sin),
            speed: rest
                * (self.speed * cos - (decay * self.speed + frequency * frequency * way) * sin),
        };
        if sprung.at.is_finite() && sprung.speed.is_finite() {
            sprung
        } else {
            Self::resting(target)
        }
    }
}

/// Springs of one kind of value each, by how many numbers it is.
macro_rules! springs {
    ($($name:ident $lua:literal $type:ty = $default:expr, $count:literal;)*) => {$(
        operator! {
            /// Follows a value as if a spring pulled it: with momentum, and beyond it where it bounces.
            $name $lua -> $type {
                /// The value to follow.
                value: $type = $default;
                /// Seconds in which half of the way from rest is covered, without bounce; 0 follows at once.
                half_life: f64 = 0.15, 0.0..=10.0;
                /// How much it swings: 0 arrives as fast as can be without going beyond, 1 swings without end.
                bounce: f64 = 0.0, 0.0..=1.0;
            }
            state { bodies: Option<[Body; $count]> }
        }

        impl Update for $name {
            type Output = $type;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<$type, GraphError> {
                let value = cx.get(self.value)?.numbers();
                let (half_life, bounce) = (cx.get(self.half_life)?, cx.get(self.bounce)?);
                let dt = cx.dt();
                let bodies = self.bodies.get_or_insert(value.map(Body::resting));
                for (body, target) in bodies.iter_mut().zip(value) {
                    *body = body.sprung(target, half_life, bounce, dt);
                }
                Ok(Numbers::of(bodies.map(|body| body.at)))
            }
        }
    )*};
}

springs! {
    Spring "num.spring" f64 = 0.0, 1;
    SpringVec2 "vec2.spring" [f32; 2] = [0.0; 2], 2;
    SpringVec3 "vec3.spring" [f32; 3] = [0.0; 3], 3;
}
