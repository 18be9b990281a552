//! Which graphics adapter draws: what there is, what is preferred, what was asked for.
//!
//! The fast interfaces (Vulkan, Metal, Direct3D 12) are asked first. OpenGL is asked only when they have nothing
//! that fits, or nothing but a software adapter: an old laptop often has a real OpenGL driver beside a software
//! Vulkan one.

use std::fmt;
use std::sync::Arc;

use wgpu::rwh::{HasDisplayHandle, HasWindowHandle};

use super::error::GpuError;

/// A window that a picture can be shown in.
pub trait Screen: HasWindowHandle + HasDisplayHandle + fmt::Debug + Send + Sync + 'static {}

impl<T: HasWindowHandle + HasDisplayHandle + fmt::Debug + Send + Sync + 'static> Screen for T {}

/// Which adapter is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterChoice {
    /// A part of its name or driver in any case, `software`, or an interface (`vulkan`, `gl`, `metal`, `dx12`);
    /// `None` takes the fastest: discrete before integrated before virtual before software.
    pub name: Option<String>,
}

impl AdapterChoice {
    /// The adapter that needs no graphics card.
    pub fn software() -> Self {
        Self {
            name: Some("software".into()),
        }
    }
}

/// What sort of adapter it is, fastest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdapterKind {
    /// A card of its own.
    Discrete,
    /// Part of the processor, sharing its memory.
    Integrated,
    /// Given by a virtual machine.
    Virtual,
    /// Unknown; some OpenGL drivers don't say.
    Other,
    /// Computed by the processor.
    Software,
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Other => "unknown kind",
            Self::Software => "software",
        })
    }
}

/// An adapter as the log and `gobo devices` show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterReport {
    /// As the driver calls it, for example `llvmpipe (LLVM 15.0.6, 256 bits)`.
    pub name: String,
    /// The interface it is driven through: `vulkan`, `gl`, `metal` or `dx12`.
    pub backend: String,
    /// What sort of adapter it is.
    pub kind: AdapterKind,
    /// Name and version of the driver; may be empty.
    pub driver: String,
}

impl fmt::Display for AdapterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {}", self.name, self.kind, self.backend)?;
        if !self.driver.is_empty() {
            write!(f, ", {}", self.driver)?;
        }
        f.write_str(")")
    }
}

impl AdapterReport {
    fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let driver = [info.driver.as_str(), info.driver_info.as_str()];
        let driver: Vec<_> = driver.into_iter().filter(|part| !part.is_empty()).collect();
        Self {
            name: info.name,
            backend: info.backend.to_str().to_owned(),
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
                wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
                wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
                wgpu::DeviceType::Cpu => AdapterKind::Software,
                wgpu::DeviceType::Other => AdapterKind::Other,
            },
            driver: driver.join(" "),
        }
    }

    fn matches(&self, wanted: &str) -> bool {
        let wanted = wanted.trim().to_lowercase();
        match wanted.as_str() {
            "software" | "cpu" => self.kind == AdapterKind::Software,
            "vulkan" | "gl" | "metal" | "dx12" => self.backend == wanted,
            _ => [&self.name, &self.driver]
                .into_iter()
                .any(|text| text.to_lowercase().contains(&wanted)),
        }
    }
}

/// Position of the adapter to use; `None` when none fits. Of equal ones the first is taken.
fn choose(reports: &[AdapterReport], wanted: Option<&str>) -> Option<usize> {
    let fits = |report: &AdapterReport| wanted.is_none_or(|wanted| report.matches(wanted));
    let fitting = reports
        .iter()
        .enumerate()
        .filter(|(_, report)| fits(report));
    fitting
        .min_by_key(|(_, report)| report.kind)
        .map(|(index, _)| index)
}

/// An adapter together with what it was found through.
pub(super) struct Found {
    pub(super) instance: wgpu::Instance,
    pub(super) adapter: wgpu::Adapter,
    pub(super) surface: Option<wgpu::Surface<'static>>,
    pub(super) report: AdapterReport,
}

const FAST: wgpu::Backends = wgpu::Backends::VULKAN
    .union(wgpu::Backends::METAL)
    .union(wgpu::Backends::DX12);

/// Finds the adapter to use; with a screen, one that can show pictures there.
pub(super) fn find(
    choice: &AdapterChoice,
    screen: Option<&Arc<dyn Screen>>,
) -> Result<Found, GpuError> {
    let wanted = choice
        .name
        .as_deref()
        .filter(|name| !name.trim().is_empty());
    let mut best: Option<Found> = None;
    let mut available = Vec::new();
    let mut refused = None;
    for backends in [FAST, wgpu::Backends::GL] {
        let instance = instance(backends, screen);
        let surface = match screen.map(|screen| surface(&instance, screen)).transpose() {
            Ok(surface) => surface,
            Err(error) => {
                log::debug!("{backends:?}: {error}");
                refused = Some(error);
                continue;
            }
        };
        let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
        adapters.retain(|adapter| {
            surface
                .as_ref()
                .is_none_or(|surface| adapter.is_surface_supported(surface))
        });
        let reports: Vec<_> = adapters.iter().map(AdapterReport::of).collect();
        if let Some(index) = choose(&reports, wanted) {
            let report = reports[index].clone();
            if best
                .as_ref()
                .is_none_or(|best| report.kind < best.report.kind)
            {
                best = Some(Found {
                    instance,
                    adapter: adapters.swap_remove(index),
                    surface,
                    report,
                });
            }
        }
        available.extend(reports);
        if best
            .as_ref()
            .is_some_and(|best| wanted.is_some() || best.report.kind != AdapterKind::Software)
        {
            break;
        }
    }
    match (best, wanted, refused) {
        (Some(found), _, _) => Ok(found),
        (None, _, Some(error)) if available.is_empty() => Err(error),
        (None, Some(wanted), _) => Err(GpuError::UnknownAdapter {
            wanted: wanted.to_owned(),
            available,
        }),
        (None, None, _) => Err(GpuError::NoAdapter {
            reason: "none was found".into(),
        }),
    }
}

/// Every adapter of this machine, the preferred ones first. An adapter that two interfaces reach is listed twice.
pub fn adapters() -> Vec<AdapterReport> {
    let mut reports = Vec::new();
    for backends in [FAST, wgpu::Backends::GL] {
        let instance = instance(backends, None);
        let adapters = pollster::block_on(instance.enumerate_adapters(backends));
        reports.extend(adapters.iter().map(AdapterReport::of));
    }
    reports.sort_by_key(|report| report.kind);
    reports
}

fn instance(backends: wgpu::Backends, screen: Option<&Arc<dyn Screen>>) -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    descriptor.flags = wgpu::InstanceFlags::empty();
    descriptor.display = screen.map(|screen| Box::new(screen.clone()) as _);
    wgpu::Instance::new(descriptor)
}

/// Makes the drawable area of a window.
pub(super) fn surface(
    instance: &wgpu::Instance,
    screen: &Arc<dyn Screen>,
) -> Result<wgpu::Surface<'static>, GpuError> {
    instance
        .create_surface(screen.clone())
        .map_err(|error| GpuError::Surface(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(name: &str, backend: &str, kind: AdapterKind) -> AdapterReport {
        AdapterReport {
            name: name.into(),
            backend: backend.into(),
            kind,
            driver: "Mesa 22.3.6".into(),
        }
    }

    fn machine() -> Vec<AdapterReport> {
        vec![
            report(
                "llvmpipe (LLVM 15.0.6, 256 bits)",
                "vulkan",
                AdapterKind::Software,
            ),
            report("Intel UHD 620", "vulkan", AdapterKind::Integrated),
            report("NVIDIA RTX 3050", "vulkan", AdapterKind::Discrete),
            report("Virtio GPU", "gl", AdapterKind::Virtual),
        ]
    }

    #[test]
    fn the_fastest_kind_is_preferred() {
        assert_eq!(choose(&machine(), None), Some(2));
        assert_eq!(choose(&machine()[..2], None), Some(1));
        assert_eq!(choose(&machine()[..1], None), Some(0));
        assert_eq!(choose(&[], None), None);
    }

    #[test]
    fn names_match_in_part_and_any_case() {
        for (wanted, index) in [
            ("nvidia", Some(2)),
            ("UHD", Some(1)),
            ("software", Some(0)),
            ("LLVM", Some(0)),
            ("gl", Some(3)),
            ("vulkan", Some(2)),
            ("mesa", Some(2)),
            ("radeon", None),
        ] {
            assert_eq!(choose(&machine(), Some(wanted)), index, "{wanted}");
        }
    }

    #[test]
    fn a_report_reads_as_a_sentence_part() {
        assert_eq!(
            machine()[1].to_string(),
            "Intel UHD 620 (integrated, vulkan, Mesa 22.3.6)"
        );
    }
}
