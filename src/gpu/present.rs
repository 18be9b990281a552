//! From outputs to the window.

use std::sync::Arc;

use crate::ops::output::Shown;
use crate::value::Size;

use super::adapter::{Screen, surface};
use super::blit::{Blit, Look};
use super::card::Card;
use super::error::{GpuError, one_line};
use super::output::Outputs;
use super::target::clear_pass;

/// What became of a frame on its way to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presented {
    /// The window shows it.
    Shown,
    /// The window can't be seen now; drawing for it is a waste.
    Hidden,
    /// Not this time: the window is changing, or there is none.
    Skipped,
}

/// The drawable area of the window.
pub(super) struct Frontage {
    instance: wgpu::Instance,
    adapter: wgpu::Adapter,
    screen: Arc<dyn Screen>,
    surface: Option<wgpu::Surface<'static>>,
    config: Option<wgpu::SurfaceConfiguration>,
    /// The last trouble that was logged.
    trouble: String,
}

impl Frontage {
    pub(super) fn new(
        instance: wgpu::Instance,
        adapter: wgpu::Adapter,
        screen: Arc<dyn Screen>,
        surface: wgpu::Surface<'static>,
    ) -> Self {
        Self {
            instance,
            adapter,
            screen,
            surface: Some(surface),
            config: None,
            trouble: String::new(),
        }
    }

    pub(super) fn present(
        &mut self,
        card: &Card,
        blit: &mut Blit,
        outputs: &Outputs,
        shown: Shown,
        size: Size,
    ) -> Presented {
        if let Err(error) = self.prepare(card, size) {
            self.report(&error.to_string());
            return Presented::Skipped;
        }
        let (Some(surface), Some(config)) = (&self.surface, &self.config) else {
            return Presented::Skipped;
        };
        use wgpu::CurrentSurfaceTexture as Current;
        let (texture, stale) = match surface.get_current_texture() {
            Current::Success(texture) => (texture, false),
            Current::Suboptimal(texture) => (texture, true),
            Current::Timeout => return Presented::Skipped,
            Current::Occluded => return Presented::Hidden,
            Current::Outdated | Current::Validation => {
                self.config = None;
                return Presented::Skipped;
            }
            Current::Lost => {
                self.surface = None;
                self.config = None;
                return Presented::Skipped;
            }
        };
        let format = config.format;
        let view = texture
            .texture
            .create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = card
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = clear_pass(&mut encoder, &view, wgpu::Color::BLACK);
        for (index, (x, y, width, height)) in places(shown, config.width, config.height) {
            if let (Some(output), true) = (outputs.all.get(index), width > 0 && height > 0) {
                pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
                blit.draw(card, &mut pass, &output.front, format, Look::OverBlack);
            }
        }
        drop(pass);
        card.queue.submit([encoder.finish()]);
        card.queue.present(texture);
        if stale {
            self.config = None;
        }
        if !self.trouble.is_empty() {
            log::info!("the window shows the picture again");
            self.trouble.clear();
        }
        Presented::Shown
    }

    /// Makes the surface again when it was lost, and fits it to the window when that changed.
    fn prepare(&mut self, card: &Card, size: Size) -> Result<(), GpuError> {
        let limit = card.device.limits().max_texture_dimension_2d;
        let (width, height) = (size.width.min(limit), size.height.min(limit));
        if self
            .config
            .as_ref()
            .is_some_and(|config| (config.width, config.height) == (width, height))
        {
            return Ok(());
        }
        if self.surface.is_none() {
            self.surface = Some(surface(&self.instance, &self.screen)?);
        }
        let Some(surface) = &self.surface else {
            return Ok(());
        };
        let abilities = surface.get_capabilities(&self.adapter);
        let format = abilities
            .formats
            .iter()
            .find(|format| !format.is_srgb())
            .or(abilities.formats.first());
        let Some(format) = format.copied() else {
            self.surface = None;
            return Err(GpuError::Surface("it accepts no pixel format".into()));
        };
        let config = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            color_space: wgpu::SurfaceColorSpace::Auto,
            width,
            height,
            desired_maximum_frame_latency: 2,
            present_mode: wgpu::PresentMode::Fifo,
            alpha_mode: if abilities
                .alpha_modes
                .contains(&wgpu::CompositeAlphaMode::Opaque)
            {
                wgpu::CompositeAlphaMode::Opaque
            } else {
                wgpu::CompositeAlphaMode::Auto
            },
            view_formats: Vec::new(),
        };
        // Fails when the compiler thread draws at this very moment; the next frame tries again.
        let configured = card.guarded(|| surface.configure(&card.device, &config));
        configured.map_err(|((), report)| GpuError::Surface(one_line(&report)))?;
        self.config = Some(config);
        Ok(())
    }

    fn report(&mut self, trouble: &str) {
        if self.trouble != trouble {
            log::warn!("{trouble}");
            trouble.clone_into(&mut self.trouble);
        }
    }
}

/// Which output goes where: position and size in pixels from the top left.
fn places(shown: Shown, width: u32, height: u32) -> Vec<(usize, (u32, u32, u32, u32))> {
    match shown {
        Shown::One(index) => vec![(index, (0, 0, width, height))],
        Shown::Grid => {
            let (left, top) = (width / 2, height / 2);
            vec![
                (0, (0, 0, left, top)),
                (1, (left, 0, width - left, top)),
                (2, (0, top, left, height - top)),
                (3, (left, top, width - left, height - top)),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_covers_every_pixel_once_at_odd_sizes() {
        let covered: u32 = places(Shown::Grid, 1281, 721)
            .iter()
            .map(|(_, (_, _, w, h))| w * h)
            .sum();
        assert_eq!(covered, 1281 * 721);
        assert_eq!(places(Shown::Grid, 1281, 721)[3], (3, (640, 360, 641, 361)));
    }
}
