//! One frame: every output whose picture is ready and has changed runs its passes, then shows the result.

use std::collections::HashMap;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::ops::output::OUTPUTS;
use crate::shader::{Plan, Texture};

use super::card::Card;
use super::compile::{Compiled, bind, block_bytes};
use super::error::ShaderError;
use super::output::Outputs;
use super::target::{Pool, Target};
use super::warm::{Pipelines, Warmth};

/// What a frame did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawReport {
    /// How many passes ran.
    pub passes: usize,
    /// Which outputs show a new picture.
    pub drawn: [bool; OUTPUTS],
    /// Which outputs kept their picture because it is still right.
    pub skipped: [bool; OUTPUTS],
    /// Which outputs kept their last picture because the new one isn't ready.
    pub pending: [bool; OUTPUTS],
    /// Which outputs kept their last picture because the new one can't be drawn, and why.
    pub failed: [Option<Arc<ShaderError>>; OUTPUTS],
}

/// How many bind groups are kept.
const GROUPS: usize = 256;

type GroupKey = (u64, SmallVec<[u64; 4]>);

/// The numbers of all passes of a frame in one buffer, and the bind groups that point into it.
pub(super) struct Blocks {
    buffer: wgpu::Buffer,
    bytes: Vec<u8>,
    step: u64,
    groups: HashMap<GroupKey, wgpu::BindGroup>,
}

impl Blocks {
    pub(super) fn new(card: &Card) -> Self {
        let step = u64::from(card.device.limits().min_uniform_buffer_offset_alignment).max(16);
        Self {
            buffer: buffer(card, 64 * step),
            bytes: Vec::new(),
            step,
            groups: HashMap::new(),
        }
    }

    /// Lets go of the textures that bind groups hold.
    pub(super) fn forget(&mut self) {
        self.groups.clear();
    }

    /// Makes room for the numbers of these plans and starts over.
    fn begin<'a>(&mut self, card: &Card, plans: impl Iterator<Item = &'a Plan>) {
        self.bytes.clear();
        let passes = plans.flat_map(|plan| &plan.passes);
        let wanted: u64 = passes
            .map(|pass| block_bytes(pass.numbers.len()).next_multiple_of(self.step))
            .sum();
        if wanted > self.buffer.size() {
            self.buffer = buffer(card, wanted.next_power_of_two());
            self.groups.clear();
        }
        if self.groups.len() > GROUPS {
            self.groups.clear();
        }
    }

    /// Adds a block; gives its offset.
    fn push(&mut self, numbers: &[f32]) -> u32 {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytemuck::cast_slice(numbers));
        self.bytes
            .resize(self.bytes.len().next_multiple_of(self.step as usize), 0);
        offset as u32
    }

    fn group(
        &mut self,
        card: &Card,
        compiled: &Compiled,
        numbers: usize,
        textures: &[&Target],
    ) -> wgpu::BindGroup {
        let bytes = block_bytes(numbers);
        let key = (bytes, textures.iter().map(|target| target.id).collect());
        let group = self.groups.entry(key).or_insert_with(|| {
            let block = (bytes > 0).then_some((&self.buffer, bytes));
            bind(
                card,
                &compiled.layout,
                block,
                textures.iter().map(|target| &target.view),
            )
        });
        group.clone()
    }
}

fn buffer(card: &Card, size: u64) -> wgpu::Buffer {
    card.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("numbers"),
        size,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// What one output does in this frame.
enum Turn<'a> {
    Keep,
    Blacken,
    Draw(&'a Plan, Vec<Compiled>),
}

/// Draws what is ready and has changed, and shows it.
pub(super) fn draw(
    card: &Card,
    (pipelines, blocks, pool): (&mut Pipelines, &mut Blocks, &mut Pool),
    outputs: &mut Outputs,
    mut encoder: wgpu::CommandEncoder,
    plans: &[Option<Plan>; OUTPUTS],
    frame: u64,
) -> DrawReport {
    let mut report = DrawReport::default();
    let turns: [Turn<'_>; OUTPUTS] = std::array::from_fn(|index| {
        let output = &outputs.all[index];
        match plans[index].as_ref().filter(|plan| !plan.passes.is_empty()) {
            None if output.drawn.is_none() => Turn::Keep,
            None => Turn::Blacken,
            Some(plan) => match fault(plan)
                .map_or_else(|| pipelines.warm(plan, outputs.size), Warmth::Failed)
            {
                Warmth::Failed(error) => {
                    report.failed[index] = Some(error);
                    Turn::Keep
                }
                Warmth::Pending => {
                    report.pending[index] = true;
                    Turn::Keep
                }
                Warmth::Ready if output.shows(plan) => {
                    report.skipped[index] = true;
                    Turn::Keep
                }
                Warmth::Ready => pipelines
                    .pipelines(plan)
                    .map_or(Turn::Keep, |ready| Turn::Draw(plan, ready)),
            },
        }
    });
    let drawing = turns.iter().filter_map(|turn| {
        if let Turn::Draw(plan, _) = turn {
            Some(*plan)
        } else {
            None
        }
    });
    blocks.begin(card, drawing);
    for (index, turn) in turns.iter().enumerate() {
        match turn {
            Turn::Keep => continue,
            Turn::Blacken => drop(outputs.all[index].back.pass(&mut encoder)),
            Turn::Draw(plan, ready) => {
                encode(
                    card,
                    (blocks, pool),
                    outputs,
                    &mut encoder,
                    (index, plan, ready),
                    frame,
                );
                report.passes += plan.passes.len();
            }
        }
        report.drawn[index] = true;
    }
    if !blocks.bytes.is_empty() {
        card.queue.write_buffer(&blocks.buffer, 0, &blocks.bytes);
    }
    card.queue.submit([encoder.finish()]);
    for (index, turn) in turns.into_iter().enumerate() {
        let output = &mut outputs.all[index];
        match turn {
            Turn::Keep => continue,
            Turn::Blacken => output.drawn = None,
            Turn::Draw(plan, _) => output.drawn = Some(plan.clone()),
        }
        output.swap();
    }
    if pool.expire(frame) {
        blocks.forget();
    }
    report
}

/// Runs the passes of one plan; the last one draws into the output's back texture.
fn encode(
    card: &Card,
    (blocks, pool): (&mut Blocks, &mut Pool),
    outputs: &Outputs,
    encoder: &mut wgpu::CommandEncoder,
    (index, plan, ready): (usize, &Plan, &[Compiled]),
    frame: u64,
) {
    let last = plan.passes.len() - 1;
    let mut inner: Vec<Target> = Vec::with_capacity(last);
    for (position, (pass, compiled)) in plan.passes.iter().zip(ready).enumerate() {
        let own = (position < last).then(|| pool.take(card, pass.size.unwrap_or(outputs.size)));
        let target = own.as_ref().unwrap_or(&outputs.all[index].back);
        let sampled = pass.textures.iter().map(|texture| match *texture {
            Texture::Output(output) => &outputs.all[output].front,
            Texture::Pass(earlier) => &inner[earlier],
        });
        let sampled: SmallVec<[&Target; 4]> = sampled.collect();
        let group = blocks.group(card, compiled, pass.numbers.len(), &sampled);
        let offset = (!pass.numbers.is_empty()).then(|| blocks.push(&pass.numbers));
        let mut drawing = target.pass(encoder);
        drawing.set_pipeline(&compiled.pipeline);
        drawing.set_bind_group(0, &group, offset.as_slice());
        drawing.draw(0..3, 0..1);
        drop(drawing);
        drop(sampled);
        inner.extend(own);
    }
    for target in inner {
        pool.put(target, frame);
    }
}

/// What keeps a plan from being drawable at all; such a plan is a fault of the program that made it.
pub(super) fn fault(plan: &Plan) -> Option<Arc<ShaderError>> {
    let fault = plan.passes.iter().enumerate().find_map(|(position, pass)| {
        let program = &pass.program;
        if pass.numbers.len() != program.numbers {
            return Some(format!(
                "it has {} numbers where its program has {}",
                pass.numbers.len(),
                program.numbers
            ));
        }
        if pass.textures.len() != program.textures {
            return Some(format!(
                "it has {} textures where its program has {}",
                pass.textures.len(),
                program.textures
            ));
        }
        let bad = |texture: &&Texture| match **texture {
            Texture::Output(output) => output >= OUTPUTS,
            Texture::Pass(earlier) => earlier >= position,
        };
        pass.textures
            .iter()
            .find(bad)
            .map(|texture| format!("it samples {texture:?}, which isn't there"))
            .map(|text| format!("{text} (pass {position})"))
    });
    fault.map(|text| {
        Arc::new(ShaderError::general(format!(
            "this picture can't be drawn: {text}"
        )))
    })
}
