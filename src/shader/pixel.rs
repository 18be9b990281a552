//! Per-pixel functions as operators: each one is a WGSL file in `shaders/`, or one that a sketch loads.

use std::sync::Arc;

use super::ShaderError;
use super::reflect::{Declared, pixel_function};
use crate::graph::{Cx, GraphError, Library, Make, Operator, Spec};
use crate::value::{Draw, Image, Kind, PixelFunction, Port, Value};

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../shaders/", $name, ".wgsl")))),*]
    };
}

/// The per-pixel functions that come with gobo. A new one is a file in `shaders/` and its name here.
const FILES: &[(&str, &str)] = files! {
    "add" "blend" "color" "gradient" "invert" "kaleid" "modulate" "mult" "noise" "osc" "rotate" "scale" "scroll"
    "shape" "solid" "src" "tile"
};

/// Adds the per-pixel functions that come with gobo.
pub fn add_built_in(library: &mut Library) -> Result<(), ShaderError> {
    for (name, text) in FILES {
        library.add(pixel_spec(&format!("shaders/{name}.wgsl"), name, text)?);
    }
    Ok(())
}

/// The operator that a WGSL file declares; `file` is the path for messages, `name` the operator's name.
///
/// Fails with the place in the file where the text is not WGSL, or where it isn't a per-pixel function.
pub fn pixel_spec(file: &str, name: &str, text: &str) -> Result<Spec, ShaderError> {
    let Declared {
        function,
        doc,
        inputs,
    } = pixel_function(file, name, text)?;
    let function = Arc::new(function);
    Ok(Spec {
        name: name.into(),
        category: "picture".into(),
        doc,
        inputs,
        output: Kind::Image,
        is_stepped: false,
        make: Make::Own(Box::new(move || Box::new(Pixel(function.clone())))),
    })
}

/// Describes one more per-pixel function on top of the pictures that it is given.
struct Pixel(Arc<PixelFunction>);

impl Operator for Pixel {
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let pictures = self.0.composition.images();
        let mut images = smallvec::SmallVec::new();
        for at in 0..pictures {
            let image = Image::from_value(&cx.pull(at)?);
            images.push(image.unwrap_or_else(Image::black));
        }
        let mut numbers = smallvec::SmallVec::new();
        for at in 0..self.0.numbers.len() {
            let number = f64::from_value(&cx.pull(pictures + at)?).unwrap_or(0.0);
            numbers.push((number as f32).clamp(f32::MIN, f32::MAX));
        }
        Ok(Value::Image(Image::new(Draw::Pixel {
            function: self.0.clone(),
            numbers,
            images,
        })))
    }
}
