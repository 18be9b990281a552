//! The thread that opens a sound input and watches over it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Data, Device, ErrorKind, FromSample, Host, SampleFormat, SizedSample, Stream};

use super::Shared;
use crate::device::listing::choose;
use crate::device::{DeviceError, DeviceInfo, DeviceKind};

/// A device that sends no block for so long stands still.
const STARVED: Duration = Duration::from_secs(2);

/// Time between two attempts to open.
const RETRY: Duration = Duration::from_secs(2);

/// How often the watch looks.
const WATCH: Duration = Duration::from_millis(100);

/// Listens to the wanted device, again and again, until the session closes.
pub(super) fn run(shared: &Arc<Shared>, wanted: Option<&str>, listener: &Thread) {
    // Letting go of a stream whose device hangs can wait for ever too, so it happens beside this thread; while it hangs, nothing new is opened.
    let mut leaving: Option<JoinHandle<()>> = None;
    while !shared.is_closing() {
        if leaving.as_ref().is_none_or(JoinHandle::is_finished) {
            match Capture::open(shared, wanted, listener) {
                Ok(capture) => leaving = capture.watch(shared),
                Err(error) => shared.report.absent(&error),
            }
        }
        pause(shared, RETRY);
    }
}

fn pause(shared: &Shared, length: Duration) {
    let end = Instant::now() + length;
    while !shared.is_closing() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        thread::park_timeout(left);
    }
}

/// A stream that was started.
struct Capture {
    stream: Stream,
    name: String,
    detail: String,
    faults: Receiver<cpal::Error>,
}

impl Capture {
    fn open(
        shared: &Arc<Shared>,
        wanted: Option<&str>,
        listener: &Thread,
    ) -> Result<Self, DeviceError> {
        // A fresh host reads the system's sound settings afresh.
        let device = find(&host()?, wanted)?;
        let config = device.default_input_config()?;
        let (rate_hz, channels) = (config.sample_rate(), config.channels());
        shared.ring.set_rate_hz(rate_hz);

        let (fault, faults) = sync_channel(8);
        let stream = match config.sample_format() {
            SampleFormat::I8 => stream::<i8>(&device, &config, shared, listener, fault),
            SampleFormat::I16 => stream::<i16>(&device, &config, shared, listener, fault),
            SampleFormat::I24 => stream::<cpal::I24>(&device, &config, shared, listener, fault),
            SampleFormat::I32 => stream::<i32>(&device, &config, shared, listener, fault),
            SampleFormat::I64 => stream::<i64>(&device, &config, shared, listener, fault),
            SampleFormat::U8 => stream::<u8>(&device, &config, shared, listener, fault),
            SampleFormat::U16 => stream::<u16>(&device, &config, shared, listener, fault),
            SampleFormat::U24 => stream::<cpal::U24>(&device, &config, shared, listener, fault),
            SampleFormat::U32 => stream::<u32>(&device, &config, shared, listener, fault),
            SampleFormat::U64 => stream::<u64>(&device, &config, shared, listener, fault),
            SampleFormat::F32 => stream::<f32>(&device, &config, shared, listener, fault),
            SampleFormat::F64 => stream::<f64>(&device, &config, shared, listener, fault),
            other => return Err(DeviceError::Format(other.to_string())),
        }?;
        stream.play()?;
        Ok(Self {
            stream,
            name: device.to_string(),
            detail: format!("{rate_hz} Hz, {channels} channels"),
            faults,
        })
    }

    /// Watches until the session closes, the device fails, or nothing comes from it. Gives the thread that lets go of the stream.
    fn watch(self, shared: &Shared) -> Option<JoinHandle<()>> {
        let mut blocks = shared.ring.blocks();
        let mut last_block = Instant::now();
        loop {
            pause(shared, WATCH);
            if shared.is_closing() {
                break;
            }
            if shared.ring.blocks() != blocks {
                blocks = shared.ring.blocks();
                last_block = Instant::now();
                // Only now: a device that opens but never sends must not be announced with every attempt.
                shared
                    .report
                    .live(vec![self.name.clone()], self.detail.clone());
            }
            let fault = self.faults.try_iter().find_map(|fault| match fault.kind() {
                ErrorKind::Xrun | ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => None,
                ErrorKind::DeviceNotAvailable | ErrorKind::StreamInvalidated => {
                    Some(DeviceError::Gone(self.name.clone()))
                }
                _ => Some(fault.into()),
            });
            if let Some(fault) = fault {
                shared.report.absent(&fault);
                break;
            }
            if last_block.elapsed() > STARVED {
                shared
                    .report
                    .absent(&DeviceError::Silent(STARVED.as_secs()));
                break;
            }
        }
        let stream = self.stream;
        thread::Builder::new()
            .name("audio release".into())
            .spawn(move || drop(stream))
            .ok()
    }
}

fn stream<T>(
    device: &Device,
    config: &cpal::SupportedStreamConfig,
    shared: &Arc<Shared>,
    listener: &Thread,
    fault: SyncSender<cpal::Error>,
) -> Result<Stream, cpal::Error>
where
    T: SizedSample,
    f32: FromSample<T>,
{
    let channels = usize::from(config.channels()).max(1);
    let shared = Arc::clone(shared);
    let listener = listener.clone();
    device.build_input_stream_raw(
        config.config(),
        T::FORMAT,
        move |data: &Data, _| {
            if let Some(samples) = data.as_slice::<T>() {
                shared.ring.write(mono(samples, channels));
                listener.unpark();
            }
        },
        move |error| {
            // A full channel already holds a reason to stop.
            let _ = fault.try_send(error);
        },
        Some(STARVED),
    )
}

/// The mean of the channels of each frame; a frame that was cut off at the end is left out.
fn mono<T>(samples: &[T], channels: usize) -> impl Iterator<Item = f32>
where
    T: SizedSample,
    f32: FromSample<T>,
{
    samples.chunks_exact(channels).map(move |frame| {
        frame
            .iter()
            .map(|&sample| f32::from_sample_(sample))
            .sum::<f32>()
            / channels as f32
    })
}

/// The system's usual sound service.
fn host() -> Result<Host, DeviceError> {
    let id = cpal::available_hosts()
        .into_iter()
        .next()
        .ok_or(DeviceError::NoService("sound"))?;
    Ok(cpal::host_from_id(id)?)
}

fn find(host: &Host, wanted: Option<&str>) -> Result<Device, DeviceError> {
    let Some(wanted) = wanted else {
        return host.default_input_device().ok_or(DeviceError::NoDevice);
    };
    let mut devices: Vec<Device> = host.input_devices()?.collect();
    let names: Vec<String> = devices.iter().map(ToString::to_string).collect();
    let index = choose(&names, wanted)?;
    Ok(devices.swap_remove(index))
}

/// Calls `each` with every sound input that a person would choose, the default one first.
pub(in crate::device) fn find_all(mut each: impl FnMut(DeviceInfo)) -> Result<(), DeviceError> {
    let host = host()?;
    let default = host.default_input_device();
    let default_id = default.as_ref().and_then(|device| device.id().ok());
    let others = host.input_devices()?.filter(|device| {
        device.id().ok() != default_id && device.id().is_ok_and(|id| is_worth_listing(id.id()))
    });
    for (index, device) in default.into_iter().chain(others).enumerate() {
        let detail = match device.default_input_config() {
            Ok(config) => format!(
                "{} Hz, {} channels",
                config.sample_rate(),
                config.channels()
            ),
            Err(error) => match DeviceError::from(error) {
                DeviceError::NoDevice => continue,
                error => error.to_string(),
            },
        };
        each(DeviceInfo {
            kind: DeviceKind::AudioInput,
            name: device.to_string(),
            detail,
            is_default: index == 0 && default_id.is_some(),
        });
    }
    Ok(())
}

/// ALSA lists every card under a dozen names and its own converters too; one name a card, and the sound servers, are enough.
#[cfg(target_os = "linux")]
fn is_worth_listing(id: &str) -> bool {
    const CONVERTERS: [&str; 9] = [
        "null",
        "lavrate",
        "samplerate",
        "speexrate",
        "speex",
        "upmix",
        "vdownmix",
        "usbstream",
        "oss",
    ];
    match id.split_once(':') {
        Some(("plughw", card)) => !card
            .trim_start_matches("CARD=")
            .starts_with(|first: char| first.is_ascii_digit()),
        Some(_) => !id.contains("CARD="),
        None => !CONVERTERS.contains(&id),
    }
}

#[cfg(not(target_os = "linux"))]
fn is_worth_listing(_id: &str) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_mixed_to_their_mean_in_any_format() {
        let mixed = |samples: &[i16], channels| mono(samples, channels).collect::<Vec<_>>();
        assert_eq!(mixed(&[16384, 0, -16384, -16384], 2), [0.25, -0.5]);
        assert_eq!(mixed(&[16384, 8192], 1), [0.5, 0.25]);
        assert_eq!(mixed(&[16384, 16384, 16384, 16384, 1], 4), [0.5]);
        assert_eq!(mono(&[128_u8, 255, 0], 1).next(), Some(0.0));
        assert_eq!(mono(&[0.5_f64, -0.5], 2).next(), Some(0.0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_card_is_listed_once() {
        for id in [
            "pulse",
            "pipewire",
            "jack",
            "plughw:CARD=Loopback,DEV=1",
            "my_mixer",
        ] {
            assert!(is_worth_listing(id), "{id}");
        }
        for id in [
            "null",
            "hw:CARD=0,DEV=0",
            "plughw:CARD=0,DEV=0",
            "front:CARD=PCH,DEV=0",
            "dsnoop:CARD=PCH,DEV=0",
        ] {
            assert!(!is_worth_listing(id), "{id}");
        }
    }
}
