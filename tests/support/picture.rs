//! Pictures from screenshots and files, and how much they differ.

use std::io::Cursor;
use std::path::Path;

/// A picture of 8-bit red, green and blue, from the top left, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads a PNG; alpha is left out.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, String> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
        let size = reader
            .output_buffer_size()
            .ok_or("the picture is too large")?;
        let mut buffer = vec![0; size];
        let info = reader
            .next_frame(&mut buffer)
            .map_err(|error| error.to_string())?;
        let pixels = match info.color_type {
            png::ColorType::Rgb => buffer.chunks(3).map(|p| [p[0], p[1], p[2]]).collect(),
            png::ColorType::Rgba => buffer.chunks(4).map(|p| [p[0], p[1], p[2]]).collect(),
            png::ColorType::Grayscale => buffer.iter().map(|p| [*p; 3]).collect(),
            png::ColorType::GrayscaleAlpha => buffer.chunks(2).map(|p| [p[0]; 3]).collect(),
            other => return Err(format!("unexpected colour type {other:?}")),
        };
        Ok(Self {
            width: info.width as usize,
            height: info.height as usize,
            pixels,
        })
    }

    pub(crate) fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path)
            .unwrap_or_else(|error| panic!("could not read {}: {error}", path.display()));
        Self::decode(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width + x]
    }

    /// The mean red, green and blue, 0 to 255.
    pub(crate) fn mean(&self) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for pixel in &self.pixels {
            for (sum, value) in sum.iter_mut().zip(pixel) {
                *sum += f64::from(*value);
            }
        }
        sum.map(|sum| sum / self.pixels.len().max(1) as f64)
    }

    pub(crate) fn is_black(&self) -> bool {
        self.pixels.iter().all(|pixel| pixel.iter().all(|v| *v < 8))
    }

    /// True where the whole picture is this colour, give or take two code values of rounding.
    pub(crate) fn is_all(&self, colour: [u8; 3]) -> bool {
        !self.pixels.is_empty() && self.pixels.iter().all(|pixel| is_near(*pixel, colour))
    }

    /// The mean absolute difference of all channels, 0 to 255. Pictures of unequal size differ wholly.
    pub(crate) fn mean_difference(&self, other: &Self) -> f64 {
        if (self.width, self.height) != (other.width, other.height) || self.pixels.is_empty() {
            return 255.0;
        }
        let sum: u64 = self
            .pixels
            .iter()
            .flatten()
            .zip(other.pixels.iter().flatten())
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        sum as f64 / (3 * self.pixels.len()) as f64
    }

    /// A few words for a message.
    pub(crate) fn describe(&self) -> String {
        let [r, g, b] = self.mean();
        format!(
            "a picture of {}x{} with a mean of {r:.0}, {g:.0}, {b:.0}",
            self.width, self.height
        )
    }
}

/// True where two colours are the same, give or take two code values of rounding.
pub(crate) fn is_near(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 2)
}
