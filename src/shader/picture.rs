//! Operators that make one picture out of many: one for each moment of a shutter, one for each turn of a loop.

use std::sync::{Arc, LazyLock};

use super::ShaderError;
use super::reflect::pixel_function;
use crate::graph::{Cx, GraphError, Update};
use crate::ops::context::{moment, turn};
use crate::value::{Draw, Image, PixelFunction};
use crate::{choice, operator};

/// How many pictures are put together at most: each is in the shader, and a software adapter takes about half a second
/// to compile one of four functions with a noise among them.
const MOST: i64 = 32;

type Function = LazyLock<Result<Arc<PixelFunction>, ShaderError>>;

macro_rules! functions {
    ($($name:ident $function:literal $path:literal;)*) => {$(
        static $name: Function = LazyLock::new(|| {
            let text = include_str!(concat!("../../shaders/", $path));
            let declared = pixel_function(concat!("shaders/", $path), $function, text)?;
            Ok(Arc::new(declared.function))
        });
    )*};
}

functions! {
    ADD "add" "add.wgsl";
    MULT "mult" "mult.wgsl";
    EXPOSE "expose" "lib/expose.wgsl";
    LIGHTEN "lighten" "lib/lighten.wgsl";
    OVER "over" "lib/over.wgsl";
}

/// Two pictures by a function whose numbers, if it has any, say by how much.
fn put(function: &Function, by: f64, under: Image, other: Image) -> Result<Image, GraphError> {
    let function = match &**function {
        Ok(function) => function.clone(),
        Err(error) => return Err(GraphError::Failed(error.to_string())),
    };
    let numbers = function.numbers.iter().map(|_| by as f32).collect();
    Ok(Image::new(Draw::Pixel {
        function,
        numbers,
        images: [under, other].into_iter().collect(),
    }))
}

operator! {
    /// A picture averaged over the time that a shutter is open, as a camera would see it.
    ///
    /// The samples go back from the moment of the frame and are averaged in linear light; state steps in the first
    /// one, once a frame. Each sample is drawn anew, so keep their number low; another number is another shader.
    MotionBlur "motion_blur" -> Image {
        /// The picture.
        picture: Image = Image::black();
        /// How many moments are averaged, at most 32.
        samples: i64 = 8, 1.0..=32.0;
        /// How long the shutter is open, in frames.
        shutter: f64 = 0.5, 0.0..=1.0;
    }
}

impl Update for MotionBlur {
    type Output = Image;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Image, GraphError> {
        let samples = cx.get(self.samples)?.clamp(1, MOST);
        let shutter = cx.get(self.shutter)?;
        let mut film = cx.get(self.picture)?;
        for at in 1..samples {
            let sample = moment(cx, at, samples, shutter, |cx| cx.get(self.picture))?;
            // Each weighs as much as each of those before it.
            film = put(&EXPOSE, 1.0 / (at + 1) as f64, film, sample)?;
        }
        Ok(film)
    }
}

choice! {
    /// How pictures are put together.
    Together {
        /// Their light adds up.
        Add "add",
        /// Each lies over those before it.
        Over "over",
        /// They are multiplied, so that what is dark in one stays dark.
        Mult "mult",
        /// Of each channel the lightest shows.
        Lighten "lighten",
    }
}

impl Together {
    fn function(self) -> &'static Function {
        match self {
            Self::Add => &ADD,
            Self::Over => &OVER,
            Self::Mult => &MULT,
            Self::Lighten => &LIGHTEN,
        }
    }
}

operator! {
    /// A picture drawn again and again while `index` counts from 0 up to `count`, put together into one.
    ///
    /// What it wraps reads `variable("index")`, and `variable("u")` from 0 to 1. The first is the lowest. Each is
    /// drawn anew, so keep their number low; another number is another shader.
    Loop "loop" -> Image {
        /// What is drawn.
        picture: Image = Image::black();
        /// How often, at most 32; 0 is black.
        count: i64 = 8, 0.0..=32.0;
        /// How the pictures are put together.
        blend: Together = Together::Add;
    }
}

impl Update for Loop {
    type Output = Image;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Image, GraphError> {
        let count = cx.get(self.count)?.clamp(0, MOST);
        let blend = cx.get(self.blend)?;
        let mut all = None;
        for index in 0..count {
            let one = turn(cx, index, count, |cx| cx.get(self.picture))?;
            all = Some(match all {
                None => one,
                Some(under) => put(blend.function(), 1.0, under, one)?,
            });
        }
        Ok(all.unwrap_or_else(Image::black))
    }
}
