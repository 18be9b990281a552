//! An opened adapter: its device and queue, what both have in common everywhere, and whether it is still there.
//!
//! wgpu panics on some of the errors that follow the loss of a device. A lost device is no reason to end a show,
//! so everything that talks to the driver runs inside [`Card::attempt`], and a panic there counts as the loss.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::adapter::AdapterReport;
use super::error::{GpuError, one_line};

/// A device, its queue and the sampler that every program shares. Clones are the same device.
#[derive(Clone)]
pub(super) struct Card {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    /// Linear, repeating.
    pub(super) sampler: wgpu::Sampler,
    loss: Arc<OnceLock<String>>,
}

impl Card {
    pub(super) fn open(adapter: &wgpu::Adapter, report: &AdapterReport) -> Result<Self, GpuError> {
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("gobo"),
            required_features: wgpu::Features::empty(),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
                GpuError::Device {
                    adapter: report.clone(),
                    reason: error.to_string(),
                }
            })?;
        let loss = Arc::new(OnceLock::new());
        let noticed = loss.clone();
        device.set_device_lost_callback(move |_, text| {
            let text = text.trim();
            let _ = noticed.set(
                if text.is_empty() {
                    "the driver gives no reason"
                } else {
                    text
                }
                .to_owned(),
            );
        });
        let last = Mutex::new(String::new());
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let text = one_line(&error.to_string());
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if *last != text {
                log::error!("graphics: {text}");
                *last = text;
            }
        }));
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("repeat"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Ok(Self {
            device,
            queue,
            sampler,
            loss,
        })
    }

    /// Why the device is gone; `None` while it works.
    pub(super) fn lost(&self) -> Option<&str> {
        self.loss.get().map(String::as_str)
    }

    /// Runs `work` unless the device is gone; a panic in it means that the device is gone. `None` in both cases.
    pub(super) fn attempt<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        if self.lost().is_some() {
            return None;
        }
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(value) => Some(value),
            Err(panic) => {
                let _ = self.loss.set(panic_text(panic.as_ref()));
                None
            }
        }
    }

    /// Lets finished work call back, without waiting.
    pub(super) fn poll(&self) {
        self.attempt(|| {
            let _ = self.device.poll(wgpu::PollType::Poll);
        });
    }

    /// Waits until `done` says so; false when the device is gone or `limit` has passed.
    ///
    /// Asks again and again rather than letting wgpu wait: when one thread's wait runs out while another thread finds
    /// the queue empty, wgpu 30 panics in the first.
    pub(super) fn wait(&self, limit: Duration, done: impl Fn() -> bool) -> bool {
        let deadline = Instant::now() + limit;
        let mut pause = Duration::from_micros(50);
        loop {
            self.poll();
            if done() {
                return true;
            }
            if self.lost().is_some() || Instant::now() > deadline {
                return false;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(1));
        }
    }

    /// Runs `work` so that its errors come back as text instead of reaching the log.
    pub(super) fn guarded<T>(&self, work: impl FnOnce() -> T) -> Result<T, (T, String)> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let value = work();
        let errors = [validation, internal, memory].map(|scope| pollster::block_on(scope.pop()));
        match errors.into_iter().flatten().next() {
            None => Ok(value),
            Some(error) => Err((value, error.to_string())),
        }
    }
}

/// The text of a caught panic.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    one_line(&text.unwrap_or_else(|| "no reason given".into()))
}
