//! Scoped overrides: a subgraph that lives in another time, size or set of variables.

use std::sync::Arc;

use crate::graph::{Cx, GraphError, Key, Update};
use crate::operator;
use crate::value::{Draw, Image, Port, Size, Value};

/// An override of time for one kind of value.
macro_rules! with_time {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal $type:ty = $default:expr;)*) => {$(
        operator! {
            $(#[doc = $doc])*
            ///
            /// Local time becomes `time * scale + offset`, beats with it; `at` stops it there.
            $name $lua -> $type {
                /// What lives in the other time.
                source: $type = $default;
                /// Seconds to add; negative is the past.
                offset: f64 = 0.0;
                /// How fast time runs; 1 is as outside.
                scale: f64 = 1.0;
                /// The second at which time stands still; below 0 it runs.
                at: f64 = -1.0;
            }
        }
        impl Update for $name {
            type Output = $type;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<$type, GraphError> {
                let (offset, scale, at) = (cx.get(self.offset)?, cx.get(self.scale)?, cx.get(self.at)?);
                let per_second = cx.tempo() / 60.0;
                let (time, beat) = if at >= 0.0 {
                    (at, at * per_second)
                } else {
                    (cx.time() * scale + offset, cx.beat() * scale + offset * per_second)
                };
                let overrides = [(Key::Time, Value::Number(time)), (Key::Beat, Value::Number(beat))];
                cx.with(&overrides, |cx| cx.get(self.source))
            }
        }
    )*};
}

with_time! {
    /// A picture as it is at another time.
    WithTime "with_time" Image = Image::black();
    /// A number as it is at another time.
    NumberWithTime "num.with_time" f64 = 0.0;
}

/// A variable for one kind of value.
macro_rules! with_variable {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal $type:ty = $default:expr;)*) => {$(
        operator! {
            $(#[doc = $doc])*
            $name $lua -> $type {
                /// What sees the variable.
                source: $type = $default;
                /// Name of the variable.
                name: Arc<str> = "x";
                /// Its value there.
                value: f64 = 0.0;
            }
        }
        impl Update for $name {
            type Output = $type;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<$type, GraphError> {
                let (name, value) = (cx.get(self.name)?, cx.get(self.value)?);
                cx.with(&[(Key::Variable(name), Value::Number(value))], |cx| cx.get(self.source))
            }
        }
    )*};
}

with_variable! {
    /// A picture whose operators read a variable as this value.
    WithVariable "with_variable" Image = Image::black();
    /// A number whose operators read a variable as this value.
    NumberWithVariable "num.with_variable" f64 = 0.0;
}

operator! {
    /// A variable that `with_variable` sets for what it wraps.
    Variable "variable" -> f64 {
        /// Name of the variable.
        name: Arc<str> = "x";
        /// Its value where nothing sets it.
        default: f64 = 0.0;
    }
}

impl Update for Variable {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let (name, default) = (cx.get(self.name)?, cx.get(self.default)?);
        Ok(cx
            .read(&Key::Variable(name))
            .as_ref()
            .and_then(f64::from_value)
            .unwrap_or(default))
    }
}

operator! {
    /// A picture drawn at another size, then shown at the size that is asked for.
    ///
    /// The size is `width` by `height` if both are above 0, else the one asked for; then `scale` applies.
    WithResolution "with_resolution" -> Image {
        /// The picture.
        source: Image = Image::black();
        /// Pixels across; 0 is the width asked for.
        width: f64 = 0.0, 0.0..=16384.0;
        /// Pixels down; 0 is the height asked for.
        height: f64 = 0.0, 0.0..=16384.0;
        /// What both are multiplied by.
        scale: f64 = 1.0, 0.0..=4.0;
    }
}

impl Update for WithResolution {
    type Output = Image;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Image, GraphError> {
        let (width, height, scale) = (
            cx.get(self.width)?,
            cx.get(self.height)?,
            cx.get(self.scale)?,
        );
        let asked = cx.resolution();
        let own = width > 0.0 && height > 0.0;
        let (width, height) = if own {
            (width, height)
        } else {
            (asked.width.into(), asked.height.into())
        };
        let size = Size::new(
            (width * scale).round() as u32,
            (height * scale).round() as u32,
        );
        let key = Value::Vec2([size.width as f32, size.height as f32]);
        let source = cx.sample(&[(Key::Resolution, key)], |cx| cx.get(self.source))?;
        Ok(Image::new(Draw::Target { source, size }))
    }
}
