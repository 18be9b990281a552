//! Pixels back from the device: a whole picture at once, or a small one when it is ready.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::value::Size;

use super::blit::{Blit, Look};
use super::card::Card;
use super::error::GpuError;
use super::target::{OUTPUT, Target};

/// How long a read may take.
const READ_LIMIT: Duration = Duration::from_secs(30);

/// Pixels: four bytes each (red, green, blue, opacity; display-referred, straight alpha), the top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width and height.
    pub size: Size,
    /// `4 × width × height` bytes.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The four bytes of a pixel, `x` from the left and `y` from the top, both from 0; `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.size.width {
            return None;
        }
        let start = (y as usize * self.size.width as usize + x as usize) * 4;
        self.rgba.get(start..start + 4)?.try_into().ok()
    }

    /// As a screen shows it: over black, opaque.
    pub fn over_black(mut self) -> Self {
        for pixel in self.rgba.chunks_exact_mut(4) {
            let opacity = u32::from(pixel[3]);
            for channel in &mut pixel[..3] {
                *channel = ((u32::from(*channel) * opacity + 127) / 255) as u8;
            }
            pixel[3] = 255;
        }
        self
    }
}

const WAITING: u8 = 0;
const MAPPED: u8 = 1;
const REFUSED: u8 = 2;

/// A copy of a target's pixels on the way to memory.
struct Copy {
    buffer: wgpu::Buffer,
    size: Size,
    row: u32,
    state: Arc<AtomicU8>,
}

impl Copy {
    /// Submits `encoder` with a copy of `target` at its end.
    fn start(card: &Card, mut encoder: wgpu::CommandEncoder, target: &Target) -> Self {
        let size = target.size;
        let row = (size.width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = card.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read"),
            size: u64::from(row) * u64::from(size.height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        encoder.copy_texture_to_buffer(
            target.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: None,
                },
            },
            target.texture.size(),
        );
        card.queue.submit([encoder.finish()]);
        let state = Arc::new(AtomicU8::new(WAITING));
        let mapped = state.clone();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            mapped.store(
                if result.is_ok() { MAPPED } else { REFUSED },
                Ordering::Release,
            );
        });
        Self {
            buffer,
            size,
            row,
            state,
        }
    }

    fn settled(&self) -> bool {
        self.state.load(Ordering::Acquire) != WAITING
    }

    fn picture(self) -> Result<Picture, String> {
        if self.state.load(Ordering::Acquire) != MAPPED {
            return Err("the driver refuses to map the copy".into());
        }
        let mapped = self
            .buffer
            .get_mapped_range(..)
            .map_err(|error| error.to_string())?;
        let used = self.size.width as usize * 4;
        let rows = mapped.chunks_exact(self.row as usize);
        let rgba = rows.flat_map(|row| &row[..used]).copied().collect();
        Ok(Picture {
            size: self.size,
            rgba,
        })
    }
}

/// Reads a whole target; waits for everything submitted before.
pub(super) fn read(card: &Card, target: &Target, output: usize) -> Result<Picture, GpuError> {
    let lost = || GpuError::Lost(card.lost().unwrap_or("it doesn't answer").to_owned());
    let copy = card.attempt(|| {
        let encoder = card
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        Copy::start(card, encoder, target)
    });
    let copy = copy.ok_or_else(lost)?;
    if !card.wait(READ_LIMIT, || copy.settled()) {
        return Err(lost());
    }
    let picture = card.attempt(|| copy.picture()).ok_or_else(lost)?;
    picture.map_err(|reason| GpuError::Read { output, reason })
}

/// Small copies of outputs that arrive when they are ready; one at a time.
#[derive(Default)]
pub(super) struct Preview {
    target: Option<Target>,
    copy: Option<Copy>,
}

impl Preview {
    /// Asks for `source` at `size`; false while the last one hasn't been fetched.
    pub(super) fn request(
        &mut self,
        card: &Card,
        blit: &mut Blit,
        source: &Target,
        size: Size,
    ) -> bool {
        if self.copy.is_some() {
            return false;
        }
        let target = match self.target.take().filter(|target| target.size == size) {
            Some(target) => target,
            None => Target::new(card, size, OUTPUT),
        };
        let mut encoder = card
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = target.pass(&mut encoder);
        blit.draw(card, &mut pass, source, OUTPUT, Look::OverBlack);
        drop(pass);
        self.copy = Some(Copy::start(card, encoder, &target));
        self.target = Some(target);
        true
    }

    /// The picture that was asked for, once it has arrived.
    pub(super) fn poll(&mut self, card: &Card) -> Option<Picture> {
        card.poll();
        let copy = self.copy.take_if(|copy| copy.settled())?;
        card.attempt(|| copy.picture())?
            .inspect_err(|error| log::debug!("preview: {error}"))
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_over_black_is_dimmed_by_its_opacity() {
        let picture = Picture {
            size: Size::new(2, 1),
            rgba: vec![200, 100, 0, 128, 10, 20, 30, 255],
        };
        assert_eq!(
            picture.over_black().rgba,
            [100, 50, 0, 255, 10, 20, 30, 255]
        );
    }

    #[test]
    fn pixels_outside_are_none() {
        let picture = Picture {
            size: Size::new(2, 1),
            rgba: vec![1, 2, 3, 4, 5, 6, 7, 8],
        };
        assert_eq!(picture.pixel(1, 0), Some([5, 6, 7, 8]));
        assert_eq!([picture.pixel(2, 0), picture.pixel(0, 1)], [None, None]);
    }
}
