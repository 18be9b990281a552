//! Copies of a picture at another size: to the window, to a preview, to a resized output.

use std::collections::HashMap;

use super::card::Card;
use super::target::Target;

/// How a copy looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// All four channels as they are.
    Raw,
    /// As seen: over black, opaque.
    OverBlack,
}

/// Draws copies.
pub(super) struct Blit {
    module: wgpu::ShaderModule,
    layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    sampler: wgpu::Sampler,
    pipelines: Vec<(wgpu::TextureFormat, Look, wgpu::RenderPipeline)>,
    groups: HashMap<u64, wgpu::BindGroup>,
}

impl Blit {
    pub(super) fn new(card: &Card) -> Self {
        let device = &card.device;
        let module = device.create_shader_module(wgpu::include_wgsl!("blit.wgsl"));
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("blit"),
            entries: &[
                entry(0, texture),
                entry(
                    1,
                    wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                ),
            ],
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("blit"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("clamp"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self {
            module,
            layout,
            pipeline_layout,
            sampler,
            pipelines: Vec::new(),
            groups: HashMap::new(),
        }
    }

    /// Draws `source` over the viewport of a pass whose target has `format`.
    pub(super) fn draw(
        &mut self,
        card: &Card,
        pass: &mut wgpu::RenderPass<'_>,
        source: &Target,
        format: wgpu::TextureFormat,
        look: Look,
    ) {
        let pipeline = self.pipeline(card, format, look);
        let group = self.groups.entry(source.id).or_insert_with(|| {
            let texture = wgpu::BindingResource::TextureView(&source.view);
            let sampler = wgpu::BindingResource::Sampler(&self.sampler);
            card.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("blit"),
                layout: &self.layout,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: texture,
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: sampler,
                    },
                ],
            })
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &*group, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Lets go of the textures it was used on.
    pub(super) fn forget(&mut self) {
        self.groups.clear();
    }

    fn pipeline(
        &mut self,
        card: &Card,
        format: wgpu::TextureFormat,
        look: Look,
    ) -> wgpu::RenderPipeline {
        let known = self
            .pipelines
            .iter()
            .find(|(known, like, _)| *known == format && *like == look);
        if let Some((_, _, pipeline)) = known {
            return pipeline.clone();
        }
        let fragment = match look {
            Look::Raw => "raw",
            Look::OverBlack if format.is_srgb() => "over_black_decoded",
            Look::OverBlack => "over_black",
        };
        let pipeline = card
            .device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("blit"),
                layout: Some(&self.pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &self.module,
                    entry_point: Some("vertex"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &self.module,
                    entry_point: Some(fragment),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(format.into())],
                }),
                multiview_mask: None,
                cache: None,
            });
        self.pipelines.push((format, look, pipeline.clone()));
        pipeline
    }
}
