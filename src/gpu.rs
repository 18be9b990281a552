//! Executes pictures: the only layer that touches a graphics device.
//!
//! A picture arrives as a [`Plan`], a list of passes. [`Gpu::draw`] runs the plans of the four outputs,
//! [`Gpu::present`] shows them in a window, [`Gpu::read`] brings one back as pixels.
//!
//! Three rules keep the stage lit. A pipeline is used only after it has been built *and has drawn once* on the
//! compiler thread, until then the output keeps its last picture. A plan that would draw what is shown already is
//! not run. And nothing here panics: a bad shader is an error of its own with a line and a column, and a lost
//! device is noticed ([`Gpu::is_lost`]) and replaced ([`Gpu::rebuild`]).

mod adapter;
mod blit;
mod card;
mod compile;
mod compiler;
mod draw;
mod error;
mod output;
mod present;
mod read;
mod rehearse;
mod target;
mod text;
mod warm;

use std::sync::Arc;

pub use adapter::{AdapterChoice, AdapterKind, AdapterReport, Screen, adapters};
pub use compiler::COMPILER;
pub use draw::DrawReport;
pub use error::{GpuError, ShaderError};
pub use present::Presented;
pub use read::Picture;
pub use warm::Warmth;

pub use crate::ops::output::{OUTPUTS, Shown};
use crate::shader::Plan;
use crate::value::Size;

use blit::Blit;
use card::Card;
use draw::Blocks;
use output::Outputs;
use present::Frontage;
use read::Preview;
use rehearse::Understudy;
use target::Pool;
use warm::Pipelines;

/// Counters since the start of the process; a rebuilt device goes on counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Pipelines built.
    pub compiled: u64,
    /// Programs refused.
    pub failed: u64,
    /// Passes run.
    pub passes: u64,
    /// Pipelines and refusals remembered now.
    pub cached: usize,
    /// Textures of inner passes kept for reuse now.
    pub pooled: usize,
    /// How often the device was replaced.
    pub rebuilt: u64,
}

/// Everything that lives and dies with one device.
struct Bench {
    card: Card,
    report: AdapterReport,
    outputs: Outputs,
    pool: Pool,
    blocks: Blocks,
    blit: Blit,
    preview: Preview,
    frontage: Option<Frontage>,
}

/// The graphics device, its outputs and pipelines.
pub struct Gpu {
    choice: AdapterChoice,
    screen: Option<Arc<dyn Screen>>,
    // Before the bench, so that the compiler thread has ended when the device goes.
    pipelines: Pipelines,
    bench: Bench,
    passes: u64,
    rebuilt: u64,
}

impl Gpu {
    /// Opens the adapter that `choice` names and prepares to show pictures on `screen`; without one, pictures can
    /// only be read.
    pub fn new(choice: &AdapterChoice, screen: Option<Arc<dyn Screen>>) -> Result<Self, GpuError> {
        let (bench, understudy) = Bench::open(choice, screen.as_ref(), Size::new(1, 1))?;
        let pipelines = Pipelines::new(bench.card.clone(), understudy)?;
        Ok(Self {
            choice: choice.clone(),
            screen,
            pipelines,
            bench,
            passes: 0,
            rebuilt: 0,
        })
    }

    /// The adapter in use.
    pub fn adapter(&self) -> &AdapterReport {
        &self.bench.report
    }

    /// Counters.
    pub fn stats(&self) -> Stats {
        let (compiled, failed) = self.pipelines.counts();
        Stats {
            compiled,
            failed,
            passes: self.passes,
            cached: self.pipelines.len(),
            pooled: self.bench.pool.len(),
            rebuilt: self.rebuilt,
        }
    }

    /// Whether a plan can be drawn now; what isn't known yet goes to the compiler thread. Never waits.
    pub fn warm(&mut self, plan: &Plan) -> Warmth {
        self.pipelines.receive();
        match draw::fault(plan) {
            Some(error) => Warmth::Failed(error),
            None => self.pipelines.warm(plan, self.bench.outputs.size),
        }
    }

    /// Waits until none of the plans is pending, as rendering to files does.
    pub fn wait_warm(&mut self, plans: &[Plan]) {
        let sound: Vec<_> = plans
            .iter()
            .filter(|plan| draw::fault(plan).is_none())
            .cloned()
            .collect();
        self.pipelines.wait(&sound, self.bench.outputs.size);
    }

    /// Draws one frame: for each output the plan that it should show, `None` for black. `size` is that of every
    /// output, `frame` counts up. Does nothing while the device is lost.
    pub fn draw(&mut self, plans: &[Option<Plan>; OUTPUTS], size: Size, frame: u64) -> DrawReport {
        let Bench {
            card,
            outputs,
            pool,
            blocks,
            blit,
            ..
        } = &mut self.bench;
        card.poll();
        self.pipelines.receive();
        let pipelines = &mut self.pipelines;
        let report = card.attempt(|| {
            let mut encoder = card
                .device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            if outputs.resize(card, blit, &mut encoder, size) {
                blocks.forget();
                blit.forget();
            }
            draw::draw(
                card,
                (pipelines, blocks, pool),
                outputs,
                encoder,
                plans,
                frame,
            )
        });
        let report = report.unwrap_or_default();
        self.passes += report.passes as u64;
        report
    }

    /// Shows outputs in the window, scaled to `window`, its size in pixels. Waits for the screen's refresh where
    /// the system does so.
    pub fn present(&mut self, shown: Shown, window: Size) -> Presented {
        let Bench {
            card,
            outputs,
            blit,
            frontage,
            ..
        } = &mut self.bench;
        let Some(frontage) = frontage else {
            return Presented::Skipped;
        };
        card.attempt(|| frontage.present(card, blit, outputs, shown, window))
            .unwrap_or(Presented::Skipped)
    }

    /// The picture that an output shows, counted from 0. Waits until it has been drawn.
    pub fn read(&self, output: usize) -> Result<Picture, GpuError> {
        let shown = self
            .bench
            .outputs
            .all
            .get(output)
            .map(|output| &output.front);
        let shown = shown.ok_or_else(|| GpuError::Read {
            output,
            reason: "there is no such output".into(),
        })?;
        read::read(&self.bench.card, shown, output)
    }

    /// Asks for the picture of an output at `size`, as seen over black, without waiting; [`Gpu::poll_read`] gets
    /// it. False while the last one that was asked for hasn't been fetched, or where there is no such output.
    pub fn request_read(&mut self, output: usize, size: Size) -> bool {
        let Bench {
            card,
            outputs,
            blit,
            preview,
            ..
        } = &mut self.bench;
        let Some(output) = outputs.all.get(output) else {
            return false;
        };
        card.attempt(|| preview.request(card, blit, &output.front, size))
            .unwrap_or(false)
    }

    /// The picture that [`Gpu::request_read`] asked for, once it has arrived.
    pub fn poll_read(&mut self) -> Option<Picture> {
        self.bench.preview.poll(&self.bench.card)
    }

    /// Whether the device is gone. Then nothing draws until [`Gpu::rebuild`] succeeds.
    pub fn is_lost(&self) -> bool {
        self.lost().is_some()
    }

    /// Why the device is gone; `None` while it works.
    pub fn lost(&self) -> Option<&str> {
        self.bench.card.lost()
    }

    /// Opens a device again, by preference the same adapter, builds the pipelines of what was shown and draws it.
    /// Feedback starts from black. On an error everything stays as it is, and it can be tried again.
    pub fn rebuild(&mut self) -> Result<(), GpuError> {
        // A window has one surface at a time.
        self.bench.frontage = None;
        let size = self.bench.outputs.size;
        let opened =
            Bench::open(&self.choice, self.screen.as_ref(), size).or_else(|error| match error {
                GpuError::UnknownAdapter { .. } => {
                    log::warn!("{error}; any other will do");
                    Bench::open(&AdapterChoice::default(), self.screen.as_ref(), size)
                }
                error => Err(error),
            });
        let (bench, understudy) = opened?;
        self.pipelines
            .move_to(bench.card.clone(), understudy, size)?;
        let old = std::mem::replace(&mut self.bench, bench);
        self.rebuilt += 1;
        let plans = old
            .outputs
            .all
            .each_ref()
            .map(|output| output.drawn.clone());
        drop(old);
        let shown: Vec<_> = plans.iter().flatten().cloned().collect();
        self.wait_warm(&shown);
        self.draw(&plans, size, 0);
        Ok(())
    }

    /// Destroys the device as a driver reset would, for tests of what follows.
    pub fn lose_device_for_test(&self) {
        self.bench.card.device.destroy();
        self.bench.card.poll();
    }
}

impl std::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gpu")
            .field("adapter", &self.bench.report)
            .field("stats", &self.stats())
            .finish()
    }
}

impl Bench {
    /// Opens a device, and says where a second one to try pipelines on comes from where that helps.
    fn open(
        choice: &AdapterChoice,
        screen: Option<&Arc<dyn Screen>>,
        size: Size,
    ) -> Result<(Self, Option<Understudy>), GpuError> {
        let found = adapter::find(choice, screen)?;
        let card = Card::open(&found.adapter, &found.report)?;
        let understudy = Understudy::of(&found);
        let frontage = found.surface.zip(screen).map(|(surface, screen)| {
            Frontage::new(found.instance, found.adapter, screen.clone(), surface)
        });
        let bench = Self {
            outputs: Outputs::new(&card, size),
            pool: Pool::default(),
            blocks: Blocks::new(&card),
            blit: Blit::new(&card),
            preview: Preview::default(),
            report: found.report,
            frontage,
            card,
        };
        Ok((bench, understudy))
    }
}
