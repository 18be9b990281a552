//! A sound card of files: ALSA's `file` plug-in reads samples from a pipe that a thread of the test fills at the pace of a sound card.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};

const RATE_HZ: u32 = 48_000;
const BLOCK_FRAMES: u32 = 480;

/// The environment that makes libasound read the settings of `folder` instead of the machine's.
pub(crate) fn environment(folder: &Path) -> Vec<(&'static str, OsString)> {
    vec![("ALSA_CONFIG_PATH", settings(folder).into())]
}

fn settings(folder: &Path) -> PathBuf {
    folder.join("asound.conf")
}

fn pipe(folder: &Path) -> PathBuf {
    folder.join("in.fifo")
}

/// Settings of a machine without a sound card.
pub(crate) fn unplug(folder: &Path) {
    write_settings(folder, "pcm.!default { type hw card 31 device 7 }\n");
}

/// Settings of a machine whose default input is the pipe; `name` is a second name for it.
pub(crate) fn plug(folder: &Path, name: &str) {
    if !pipe(folder).exists() {
        mknodat(
            CWD,
            pipe(folder),
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
    }
    let pipe = pipe(folder);
    let pipe = pipe.to_str().unwrap();
    let input =
        format!("type plug slave {{ pcm \"pipe\" format S16_LE rate {RATE_HZ} channels 2 }}");
    write_settings(
        folder,
        &format!(
            "pcm.!default {{ {input} }}\n\
             pcm.second {{ {input} hint {{ show on description \"{name}\" }} }}\n\
             pcm.pipe {{ type file slave {{ pcm \"null\" }} file \"/dev/null\" infile \"{pipe}\" format \"raw\" }}\n"
        ),
    );
}

fn write_settings(folder: &Path, text: &str) {
    // In one step, and never half-read: libasound reads it again whenever it changed.
    let draft = folder.join("asound.draft");
    fs::write(&draft, format!("</usr/share/alsa/alsa.conf>\n{text}")).unwrap();
    fs::rename(draft, settings(folder)).unwrap();
}

/// Whether anybody has the sound card open.
pub(crate) fn is_open(folder: &Path) -> bool {
    OpenOptions::new()
        .write(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(pipe(folder))
        .is_ok()
}

/// What plays into the sound card.
pub(crate) struct Player {
    control: Arc<Control>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Control {
    hz: AtomicU32,
    is_paused: AtomicBool,
    is_over: AtomicBool,
}

impl Player {
    /// Plays a sine of `hz` at half of full scale, 0 being silence.
    pub(crate) fn start(folder: &Path, hz: u32) -> Self {
        let control = Arc::new(Control::default());
        control.hz.store(hz, Ordering::Relaxed);
        // Open for reading too: the pipe outlives the moments in which nobody else reads it.
        let pipe = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
            .open(pipe(folder))
            .unwrap();
        let thread = {
            let control = Arc::clone(&control);
            std::thread::spawn(move || control.play(pipe))
        };
        Self {
            control,
            thread: Some(thread),
        }
    }

    pub(crate) fn play(&self, hz: u32) {
        self.control.hz.store(hz, Ordering::Relaxed);
    }

    /// The card stands still: no samples and no error.
    pub(crate) fn set_paused(&self, is_paused: bool) {
        self.control.is_paused.store(is_paused, Ordering::Relaxed);
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.control.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Control {
    fn play(&self, mut pipe: File) {
        let start = Instant::now();
        let mut phase = 0.0_f64;
        for block in 0_u32.. {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let due = Duration::from_secs_f64(
                f64::from(block) * f64::from(BLOCK_FRAMES) / f64::from(RATE_HZ),
            );
            std::thread::sleep(due.saturating_sub(start.elapsed()));
            if self.is_paused.load(Ordering::Relaxed) {
                continue;
            }
            let hz = self.hz.load(Ordering::Relaxed);
            let mut bytes = Vec::new();
            for _ in 0..BLOCK_FRAMES {
                let sample = (0.5 * (phase * std::f64::consts::TAU).sin() * 32767.0) as i16;
                phase = (phase + f64::from(hz) / f64::from(RATE_HZ)).fract();
                if hz == 0 {
                    phase = 0.0;
                }
                let sample = if hz == 0 { 0 } else { sample };
                bytes.extend_from_slice(&sample.to_le_bytes());
                bytes.extend_from_slice(&sample.to_le_bytes());
            }
            // A full pipe means that nobody listens: a sound card doesn't wait either.
            let _ = pipe.write(&bytes);
        }
    }
}
