//! From a program to a pipeline that draws at once.
//!
//! Three things can be slow or fail: reading the text, building the pipeline, and the first draw, at which the
//! software adapter compiles machine code. All three happen here, away from the frame, with textures of the
//! formats that the real draw will have.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use smallvec::SmallVec;

use crate::shader::{Plan, Program, Texture};
use crate::value::Size;

use super::card::{Card, panic_text};
use super::error::{ShaderError, one_line};
use super::target::{INNER, OUTPUT, Target};
use super::text::{forbidden, placed};

/// How long the first draw of a pipeline, at 4×4 pixels, may take before the program is refused.
const FIRST_DRAW_LIMIT: Duration = Duration::from_secs(10);

/// How a program is used: a pipeline serves one of these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Role {
    /// Draws a texture for a later pass rather than an output.
    pub(super) inner: bool,
    /// For each texture it samples, whether an earlier pass drew that.
    pub(super) samples_inner: SmallVec<[bool; 4]>,
}

impl Role {
    /// The role of the pass at `index` of a plan.
    pub(super) fn of(plan: &Plan, index: usize) -> Self {
        let textures = plan.passes[index].textures.iter();
        Self {
            inner: index + 1 < plan.passes.len(),
            samples_inner: textures
                .map(|texture| matches!(texture, Texture::Pass(_)))
                .collect(),
        }
    }

    pub(super) fn format(&self) -> wgpu::TextureFormat {
        format(self.inner)
    }
}

fn format(inner: bool) -> wgpu::TextureFormat {
    if inner { INNER } else { OUTPUT }
}

/// A pipeline that has drawn once.
#[derive(Clone)]
pub(super) struct Compiled {
    pub(super) pipeline: wgpu::RenderPipeline,
    pub(super) layout: wgpu::BindGroupLayout,
}

/// Bytes of a uniform block of so many numbers, as bound.
pub(super) fn block_bytes(numbers: usize) -> u64 {
    (numbers as u64 * 4).next_multiple_of(16)
}

/// Why a program wasn't compiled.
pub(super) enum Trouble {
    /// The program is wrong.
    Refused(ShaderError),
    /// Its first draw doesn't end: the queue of the device is blocked.
    Stuck(ShaderError),
    /// The device went away meanwhile.
    Lost,
}

/// Compiles a program and draws with it once. `like` is the size of the outputs that it may sample. Whatever the
/// text is, this returns.
pub(super) fn compile(
    card: &Card,
    program: &Program,
    role: &Role,
    like: Size,
) -> Result<Compiled, Trouble> {
    let built = catch_unwind(AssertUnwindSafe(|| {
        let compiled = build(card, program, role).map_err(Trouble::Refused)?;
        first_draw(card, program, role, like, &compiled)?;
        Ok(compiled)
    }));
    let built = built.unwrap_or_else(|panic| {
        let text = panic_text(panic.as_ref());
        Err(Trouble::Refused(ShaderError::general(format!(
            "the shader compiler fails on this program: {text}"
        ))))
    });
    if card.lost().is_some() {
        Err(Trouble::Lost)
    } else {
        built
    }
}

fn build(card: &Card, program: &Program, role: &Role) -> Result<Compiled, ShaderError> {
    if let Some(error) = forbidden(&program.wgsl) {
        return Err(error);
    }
    let label = format!("{:032x}", program.key);
    let module = card.guarded(|| {
        card.device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(&label),
                source: wgpu::ShaderSource::Wgsl(program.wgsl.as_str().into()),
            })
    });
    let module = module.map_err(|(module, report)| text_error(&module, &report, &program.wgsl))?;
    let built = card.guarded(|| {
        let layout = layout(card, program);
        let pipeline_layout = card
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(&label),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            });
        let pipeline = card
            .device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&label),
                layout: Some(&pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fragment"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(role.format().into())],
                }),
                multiview_mask: None,
                cache: None,
            });
        Compiled { pipeline, layout }
    });
    built.map_err(|(_, report)| placed(&one_line(&report), &program.wgsl))
}

fn text_error(module: &wgpu::ShaderModule, report: &str, text: &str) -> ShaderError {
    let info = pollster::block_on(module.get_compilation_info());
    let is_error = |message: &&wgpu::CompilationMessage| {
        message.message_type == wgpu::CompilationMessageType::Error
    };
    match info.messages.iter().find(is_error) {
        None => ShaderError::general(one_line(report)),
        Some(message) => {
            let text_of = one_line(&message.message);
            match message.location {
                None => placed(&text_of, text),
                Some(place) => {
                    ShaderError::at(text_of, text, place.line_number, place.line_position)
                }
            }
        }
    }
}

fn layout(card: &Card, program: &Program) -> wgpu::BindGroupLayout {
    let entry = |binding: u32, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    };
    let mut entries: SmallVec<[_; 6]> = SmallVec::new();
    if program.numbers > 0 {
        entries.push(entry(
            0,
            wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: wgpu::BufferSize::new(block_bytes(program.numbers)),
            },
        ));
    }
    if program.textures > 0 {
        entries.push(entry(
            1,
            wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        ));
    }
    for index in 0..program.textures {
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        entries.push(entry(2 + index as u32, texture));
    }
    card.device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        })
}

/// Binds a program's block and textures.
pub(super) fn bind<'a>(
    card: &Card,
    layout: &wgpu::BindGroupLayout,
    block: Option<(&wgpu::Buffer, u64)>,
    views: impl Iterator<Item = &'a wgpu::TextureView>,
) -> wgpu::BindGroup {
    let mut entries: SmallVec<[_; 6]> = SmallVec::new();
    if let Some((buffer, bytes)) = block {
        let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer,
            offset: 0,
            size: wgpu::BufferSize::new(bytes),
        });
        entries.push(wgpu::BindGroupEntry {
            binding: 0,
            resource,
        });
    }
    for (index, view) in views.enumerate() {
        if index == 0 {
            let resource = wgpu::BindingResource::Sampler(&card.sampler);
            entries.push(wgpu::BindGroupEntry {
                binding: 1,
                resource,
            });
        }
        let resource = wgpu::BindingResource::TextureView(view);
        entries.push(wgpu::BindGroupEntry {
            binding: 2 + index as u32,
            resource,
        });
    }
    card.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &entries,
    })
}

fn first_draw(
    card: &Card,
    program: &Program,
    role: &Role,
    like: Size,
    compiled: &Compiled,
) -> Result<(), Trouble> {
    let finished = Arc::new(AtomicBool::new(false));
    let drawn = card.guarded(|| {
        let target = Target::new(card, Size::new(4, 4), role.format());
        // The software adapter compiles other code for sides that are powers of two.
        let side = |pixels: u32| if pixels.is_power_of_two() { 4 } else { 3 };
        let like = Size::new(side(like.width), side(like.height));
        let sampled: SmallVec<[Target; 4]> = role
            .samples_inner
            .iter()
            .map(|inner| Target::new(card, like, format(*inner)))
            .collect();
        let bytes = block_bytes(program.numbers);
        let block = (bytes > 0).then(|| {
            card.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: bytes,
                usage: wgpu::BufferUsages::UNIFORM,
                mapped_at_creation: false,
            })
        });
        let views = sampled.iter().map(|target| &target.view);
        let group = bind(
            card,
            &compiled.layout,
            block.as_ref().map(|buffer| (buffer, bytes)),
            views,
        );
        let mut encoder = card
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = target.pass(&mut encoder);
        pass.set_pipeline(&compiled.pipeline);
        pass.set_bind_group(0, &group, if block.is_some() { &[0] } else { &[] });
        pass.draw(0..3, 0..1);
        drop(pass);
        card.queue.submit([encoder.finish()]);
        let finished = finished.clone();
        card.queue
            .on_submitted_work_done(move || finished.store(true, Ordering::Release));
    });
    drawn.map_err(|(_, report)| Trouble::Refused(ShaderError::general(one_line(&report))))?;
    if card.wait(FIRST_DRAW_LIMIT, || finished.load(Ordering::Acquire)) {
        return Ok(());
    }
    let limit = FIRST_DRAW_LIMIT.as_secs();
    Err(Trouble::Stuck(ShaderError::general(format!(
        "its first draw takes longer than {limit} s"
    ))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_bound_in_steps_of_sixteen_bytes() {
        assert_eq!([0, 1, 4, 5, 9].map(block_bytes), [0, 16, 16, 32, 48]);
    }
}
