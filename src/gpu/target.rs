//! Textures that are drawn to, and the pool that the inner passes of pictures borrow theirs from.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::value::Size;

use super::card::Card;

/// What outputs hold: 8 bits a channel, display-referred.
pub(super) const OUTPUT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// What inner passes hold: enough range and precision for values outside 0..1.
pub(super) const INNER: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// How long the pool keeps a texture that nobody borrows, in frames.
const KEEP: u64 = 120;

/// A texture that can be drawn to, sampled and copied.
pub(super) struct Target {
    /// Different for every texture ever made.
    pub(super) id: u64,
    pub(super) texture: wgpu::Texture,
    pub(super) view: wgpu::TextureView,
    pub(super) size: Size,
}

impl Target {
    pub(super) fn new(card: &Card, size: Size, format: wgpu::TextureFormat) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let limit = card.device.limits().max_texture_dimension_2d;
        let size = Size::new(size.width.min(limit), size.height.min(limit));
        let texture = card.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("target"),
            size: wgpu::Extent3d {
                width: size.width,
                height: size.height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            texture,
            view,
            size,
        }
    }

    /// Starts a pass that replaces its whole content, which is transparent black before the first draw.
    pub(super) fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        clear_pass(encoder, &self.view, wgpu::Color::TRANSPARENT)
    }
}

/// Starts a pass over `view` that begins with `color` everywhere.
pub(super) fn clear_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    color: wgpu::Color,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: None,
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(color),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: None,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}

/// Textures of inner passes, lent for the length of one plan.
#[derive(Default)]
pub(super) struct Pool {
    idle: Vec<(Target, u64)>,
}

impl Pool {
    /// A texture of that size; one that was returned before when there is one.
    pub(super) fn take(&mut self, card: &Card, size: Size) -> Target {
        match self.idle.iter().position(|(target, _)| target.size == size) {
            Some(index) => self.idle.swap_remove(index).0,
            None => Target::new(card, size, INNER),
        }
    }

    /// Takes a texture back.
    pub(super) fn put(&mut self, target: Target, frame: u64) {
        self.idle.push((target, frame));
    }

    /// Frees what nobody borrowed for [`KEEP`] frames; true when that freed anything.
    pub(super) fn expire(&mut self, frame: u64) -> bool {
        let before = self.idle.len();
        self.idle
            .retain(|(_, used)| frame.saturating_sub(*used) <= KEEP);
        self.idle.len() < before
    }

    pub(super) fn len(&self) -> usize {
        self.idle.len()
    }
}
