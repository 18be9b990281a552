//! Scoped overrides: a subgraph that lives in another time, size or set of variables.

use std::sync::Arc;

use crate::graph::{Cx, GraphError, Key, Update};
use crate::operator;
use crate::value::{Anything, Draw, Image, Rate, Value};

operator! {
    /// A value as it is at another time.
    ///
    /// Local time runs at `speed`, is multiplied by `scale` about `pivot`, shifted by `offset`, and runs in a loop
    /// where `period` says so. Beats go along, and so does the time of effects unless it is kept. State below is kept
    /// apart from that of others.
    WithTime "with_time" -> Value {
        /// What lives in the other time.
        source: Value = Value::Number(0.0);
        /// Seconds to add; negative is the past.
        offset: f64 = 0.0;
        /// How fast time runs; a change bends it and never makes it leap.
        speed: Rate = Rate(1.0), -4.0..=4.0;
        /// What the distance from the pivot is multiplied by; a change leaps, unlike one of `speed`.
        scale: f64 = 1.0, -4.0..=4.0;
        /// The second that `scale` leaves where it is.
        pivot: f64 = 0.0;
        /// The second to be at, instead of the time outside.
        at: Option<f64> = None;
        /// Seconds after which time starts over; 0 never does.
        period: f64 = 0.0, 0.0..=60.0;
        /// Whether every other turn of the loop runs backward.
        ping_pong: bool = false;
        /// Whether time stands still; it goes on from there.
        freeze: bool = false;
        /// Whether the time of effects stays that of outside.
        keep_effect_time: bool = false;
    }
}

impl Update for WithTime {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let freeze = cx.get(self.freeze)?;
        let per_second = cx.tempo() / 60.0;
        let [time, beat, effect] = match cx.get(self.at)? {
            Some(at) => [at, at * per_second, at],
            None => cx.clock(self.speed, freeze)?,
        };
        let (scale, pivot) = (cx.get(self.scale)?, cx.get(self.pivot)?);
        let (offset, period) = (cx.get(self.offset)?, cx.get(self.period)?);
        let ping_pong = cx.get(self.ping_pong)?;
        // Beats and the time of effects are moved by as many seconds as the time is.
        let affine = |from: f64, per_second: f64| {
            let pivot = pivot * per_second;
            pivot + (from - pivot) * scale + offset * per_second
        };
        let shifted = affine(time, 1.0);
        let moved = wrapped(shifted, period, ping_pong);
        let back = moved - shifted;
        let moved_beat = affine(beat, per_second) + back * per_second;
        let moved_effect = affine(effect, 1.0) + back;
        let overrides = [
            (Key::Time, Value::Number(moved)),
            (Key::Beat, Value::Number(moved_beat)),
            (Key::EffectTime, Value::Number(moved_effect)),
        ];
        let overridden = match cx.get(self.keep_effect_time)? {
            true => &overrides[..2],
            false => &overrides,
        };
        cx.with(overridden, |cx| cx.get(self.source))
    }
}

/// A time within a period: from 0 up to it, and back where that is asked for.
fn wrapped(time: f64, period: f64, ping_pong: bool) -> f64 {
    match (period > 0.0, ping_pong) {
        (false, _) => time,
        (true, false) => time.rem_euclid(period),
        (true, true) => period - (time.rem_euclid(2.0 * period) - period).abs(),
    }
}

operator! {
    /// A value whose operators read a variable as what is given here.
    WithVariable "with_variable" -> Value {
        /// What sees the variable.
        source: Value = Value::Number(0.0);
        /// Name of the variable.
        name: Arc<str> = "x";
        /// What it is there, of any kind.
        value: Anything = Value::Number(0.0);
    }
}

impl Update for WithVariable {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let (name, value) = (cx.get(self.name)?, cx.get(self.value)?.0);
        cx.with(&[(Key::Variable(name), value)], |cx| cx.get(self.source))
    }
}

operator! {
    /// A variable that `with_variable` or a loop sets for what it wraps.
    Variable "variable" -> Value {
        /// Name of the variable.
        name: Arc<str> = "x";
        /// What it is where nothing sets it; it is always of this kind.
        default: Value = Value::Number(0.0);
    }
}

impl Update for Variable {
    type Output = Value;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let name = cx.get(self.name)?;
        match cx.read(&Key::Variable(name.clone())) {
            None => cx.get(self.default),
            Some(value) => {
                let kind = cx.kind();
                value.convert(kind).ok_or_else(|| {
                    let (expected, got) = (kind.name(), value.kind().name());
                    GraphError::Failed(format!(
                        "variable \"{name}\": expected {expected}, got {got}"
                    ))
                })
            }
        }
    }
}

operator! {
    /// A picture drawn at another size, then shown at the size that is asked for.
    ///
    /// The size is `width` by `height` if both are above 0, else the one asked for; then `stretch` and `scale` apply.
    WithResolution "with_resolution" -> Image {
        /// The picture.
        source: Image = Image::black();
        /// Pixels across; 0 is the width asked for.
        width: f64 = 0.0, 0.0..=16384.0;
        /// Pixels down; 0 is the height asked for.
        height: f64 = 0.0, 0.0..=16384.0;
        /// What both are multiplied by.
        scale: f64 = 1.0, 0.0..=4.0;
        /// What each side is multiplied by.
        stretch: [f32; 2] = [1.0, 1.0];
    }
}

impl Update for WithResolution {
    type Output = Image;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Image, GraphError> {
        let wanted = [cx.get(self.width)?, cx.get(self.height)?];
        let (scale, stretch) = (cx.get(self.scale)?, cx.get(self.stretch)?);
        let size = cx
            .resolution()
            .overridden(wanted, stretch.map(f64::from), scale);
        let key = Value::Vec2([size.width as f32, size.height as f32]);
        let source = cx.sample(&[(Key::Resolution, key)], |cx| cx.get(self.source))?;
        Ok(Image::new(Draw::Target { source, size }))
    }
}

operator! {
    /// The values that a signal has while `index` counts from 0 up to `count`, as a list.
    ///
    /// What it wraps reads `variable("index")`, and `variable("u")` from 0 to 1. Loops within loops hide the outer
    /// ones; give the outer one's numbers other names with `with_variable`.
    Repeat "num.loop" -> Arc<[f64]> {
        /// What is computed again and again.
        source: f64 = 0.0;
        /// How often, at most 10000.
        count: i64 = 8, 0.0..=64.0;
    }
}

impl Update for Repeat {
    type Output = Arc<[f64]>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<[f64]>, GraphError> {
        let count = cx.get(self.count)?.clamp(0, 10_000);
        let turns = (0..count).map(|index| turn(cx, index, count, |cx| cx.get(self.source)));
        turns.collect()
    }
}

/// One turn of a loop: `f` sees the variables `index`, from 0, and `u`, from 0 to 1.
pub fn turn<R>(cx: &mut Cx<'_>, index: i64, count: i64, f: impl FnOnce(&mut Cx<'_>) -> R) -> R {
    let u = match count {
        0 | 1 => 0.0,
        count => index as f64 / (count - 1) as f64,
    };
    let overrides = [
        (Key::Variable("index".into()), Value::Int(index)),
        (Key::Variable("u".into()), Value::Number(u)),
    ];
    cx.with_nth(index as u64 + 1, &overrides, f)
}

operator! {
    /// A number averaged over the time that a shutter is open, as a camera would see it.
    ///
    /// The samples go back from the moment of the frame; state steps in the first one, once a frame.
    Shutter "num.motion_blur" -> f64 {
        /// The number.
        source: f64 = 0.0;
        /// How many moments are averaged, at most 256.
        samples: i64 = 8, 1.0..=64.0;
        /// How long the shutter is open, in frames.
        shutter: f64 = 0.5, 0.0..=1.0;
    }
}

impl Update for Shutter {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let samples = cx.get(self.samples)?.clamp(1, 256);
        let shutter = cx.get(self.shutter)?;
        let mut sum = 0.0;
        for at in 0..samples {
            sum += moment(cx, at, samples, shutter, |cx| cx.get(self.source))?;
        }
        Ok(sum / samples as f64)
    }
}

/// One sample of a shutter that is open for so many frames: the first one is the moment of the frame itself, so that
/// state steps there.
pub fn moment<R>(
    cx: &mut Cx<'_>,
    at: i64,
    samples: i64,
    shutter: f64,
    f: impl FnOnce(&mut Cx<'_>) -> R,
) -> R {
    if at == 0 {
        return f(cx);
    }
    let back = shutter * cx.frame_seconds() * at as f64 / samples as f64;
    let beats = back * cx.tempo() / 60.0;
    let overrides = [
        (Key::Time, Value::Number(cx.time() - back)),
        (Key::Beat, Value::Number(cx.beat() - beats)),
        (Key::EffectTime, Value::Number(cx.effect_time() - back)),
    ];
    cx.sample(&overrides, f)
}
