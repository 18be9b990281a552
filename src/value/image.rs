//! Pictures as descriptions: what to draw for every pixel, as a value that can be compared and kept.
//!
//! An [`Image`] says which per-pixel functions apply to which numbers and which other images. Nothing here
//! touches a graphics device; the `shader` layer turns a description into passes and the `gpu` layer runs them.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use smallvec::SmallVec;

use super::Size;

/// How a per-pixel function composes with the images it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Composition {
    /// `p -> colour`: starts a chain.
    Source,
    /// `p -> p`: moves the coordinate at which its image is read.
    Coord,
    /// `colour -> colour`.
    Color,
    /// `colour, colour -> colour`: both images are read at the same coordinate.
    Combine,
    /// `p, colour -> p`: the second image moves the coordinate at which the first is read.
    CombineCoord,
}

impl Composition {
    /// How many images a function of this composition takes.
    pub fn images(self) -> usize {
        match self {
            Self::Source => 0,
            Self::Coord | Self::Color => 1,
            Self::Combine | Self::CombineCoord => 2,
        }
    }
}

/// One per-pixel function: its WGSL text and how it composes.
#[derive(Debug)]
pub struct PixelFunction {
    /// Its name, also the name of the WGSL function.
    pub name: String,
    /// How it composes.
    pub composition: Composition,
    /// Names of its numbers, in the order of the WGSL `Params` struct.
    pub numbers: Vec<String>,
    /// The text of the WGSL file, `Params` struct included.
    pub wgsl: String,
    /// A hash of the name and text, made by [`PixelFunction::new`].
    pub hash: u64,
}

impl PixelFunction {
    /// A function whose text is `wgsl`.
    pub fn new(name: &str, composition: Composition, numbers: Vec<String>, wgsl: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (name, wgsl).hash(&mut hasher);
        Self {
            name: name.into(),
            composition,
            numbers,
            wgsl: wgsl.into(),
            hash: hasher.finish(),
        }
    }
}

/// What an image is made of.
#[derive(Clone, Debug)]
pub enum Draw {
    /// A per-pixel function of numbers and images.
    Pixel {
        /// The function.
        function: Arc<PixelFunction>,
        /// One number for each name in [`PixelFunction::numbers`].
        numbers: SmallVec<[f32; 6]>,
        /// As many images as [`Composition::images`] says; the chain's image first.
        images: SmallVec<[Image; 2]>,
    },
    /// The picture that an output showed in the last frame; outputs count from 0 here.
    Output(usize),
    /// An image drawn into a texture of its own size first, then sampled.
    Target {
        /// What is drawn.
        source: Image,
        /// At which size.
        size: Size,
    },
}

struct Inner {
    draw: Draw,
    content: u128,
}

/// A picture as a description. Cloning is cheap; equality compares a 128-bit hash of the whole content.
#[derive(Clone)]
pub struct Image(Arc<Inner>);

impl Image {
    /// Makes a description.
    pub fn new(draw: Draw) -> Self {
        let content = content(&draw);
        Self(Arc::new(Inner { draw, content }))
    }

    /// Every pixel transparent black: what an output shows before anything is sent to it.
    pub fn black() -> Self {
        let text = "fn black(p: vec2f) -> vec4f {\n    return vec4f(0.0);\n}\n";
        let function = PixelFunction::new("black", Composition::Source, Vec::new(), text);
        Self::new(Draw::Pixel {
            function: Arc::new(function),
            numbers: SmallVec::new(),
            images: SmallVec::new(),
        })
    }

    /// What it is made of.
    pub fn draw(&self) -> &Draw {
        &self.0.draw
    }

    /// Identifies this description in memory: equal only for clones of one another.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The images it reads directly.
    pub fn images(&self) -> &[Image] {
        match self.draw() {
            Draw::Pixel { images, .. } => images,
            Draw::Output(_) => &[],
            Draw::Target { source, .. } => std::slice::from_ref(source),
        }
    }
}

fn content(draw: &Draw) -> u128 {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        match draw {
            Draw::Pixel {
                function,
                numbers,
                images,
            } => {
                function.hash.hash(&mut hasher);
                numbers.iter().for_each(|n| n.to_bits().hash(&mut hasher));
                images.iter().for_each(|i| i.0.content.hash(&mut hasher));
            }
            Draw::Output(index) => index.hash(&mut hasher),
            Draw::Target { source, size } => (source.0.content, size).hash(&mut hasher),
        }
        hasher.finish()
    };
    (u128::from(half(0)) << 64) | u128::from(half(1))
}

impl PartialEq for Image {
    fn eq(&self, other: &Self) -> bool {
        self.0.content == other.0.content
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.draw() {
            Draw::Pixel {
                function,
                numbers,
                images,
            } => {
                write!(f, "{}", function.name)?;
                f.debug_list().entries(numbers).entries(images).finish()
            }
            Draw::Output(index) => write!(f, "o{index}"),
            Draw::Target { source, size } => write!(f, "{source:?}@{size}"),
        }
    }
}
