//! Rendering a sketch to files: as many frames as asked for, each at its exact time, however long that takes.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use indicatif::{ProgressBar, ProgressStyle};

use super::{AppError, RenderArgs, readable};
use crate::gpu::{Gpu, Picture};
use crate::input::Inputs;
use crate::show::{Pace, Report, Show};

/// Renders what the arguments ask for and prints where it lies.
pub fn render(args: &RenderArgs) -> Result<(), AppError> {
    readable(&args.sketch)?;
    let frames = match (args.frames, args.duration) {
        (Some(frames), _) => frames.max(1),
        (None, Some(seconds)) => ((seconds * args.fps).round() as u64).max(1),
        (None, None) => {
            return Err(AppError::Usage(
                "render: expected --frames N or --duration SECONDS".into(),
            ));
        }
    };
    let mut target = Target::open(args)?;
    let gpu = Gpu::new(&args.adapter.choice(), None)?;
    log::info!("adapter {}", gpu.adapter());
    let pace = Pace {
        fps: args.fps,
        is_patient: true,
    };
    let sketch_error = |error: crate::script::ScriptError| AppError::Sketch(error.to_string());
    let mut show =
        Show::new(Some(gpu), Inputs::new(Vec::new()), args.size, pace).map_err(sketch_error)?;
    show.open(&args.sketch);
    let bar = ProgressBar::new(frames);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} frames, {eta} left") {
        bar.set_style(style);
    }
    let mut was_lit = false;
    let mut problems = Vec::new();
    for frame in 0..frames {
        show.frame(frame as f64 / args.fps);
        for report in show.take_reports() {
            match report {
                Report::Problem(text) => {
                    bar.suspend(|| log::error!("{text}"));
                    problems.push(text);
                }
                Report::Warning(text) | Report::Note(text) | Report::Answer(text) => {
                    bar.suspend(|| log::info!("{text}"))
                }
            }
        }
        if !show.has_entered() {
            bar.abandon();
            return Err(AppError::Sketch(format!(
                "{}: nothing was rendered",
                args.sketch.display()
            )));
        }
        let picture = show.picture(args.output.into())?;
        was_lit |= picture
            .rgba
            .chunks_exact(4)
            .any(|pixel| pixel[..3] != [0, 0, 0] && pixel[3] != 0);
        target.write(frame, picture)?;
        bar.inc(1);
    }
    bar.finish();
    let place = target.finish()?;
    if !was_lit {
        log::warn!(
            "every picture is black: does the sketch send anything to o{}?",
            args.output
        );
    }
    super::say(&place.display().to_string());
    match problems.first() {
        None => Ok(()),
        Some(first) => Err(AppError::Sketch(
            first.lines().next().unwrap_or_default().to_owned(),
        )),
    }
}

/// Where the pictures go.
enum Target {
    Folder(PathBuf),
    Film { path: PathBuf, encoder: Child },
}

impl Target {
    fn open(args: &RenderArgs) -> Result<Self, AppError> {
        let is_film = |path: &Path| {
            matches!(
                extension(path).as_deref(),
                Some("mp4" | "mov" | "webm" | "mkv" | "gif")
            )
        };
        if is_film(&args.out) {
            return Self::film(args);
        }
        let wrong = |error: std::io::Error| {
            AppError::Environment(format!(
                "{}: can't write pictures there: {error}",
                args.out.display()
            ))
        };
        fs::create_dir_all(&args.out).map_err(wrong)?;
        let folder = fs::canonicalize(&args.out).map_err(wrong)?;
        // A folder that exists may still refuse files; better to know before the first frame.
        let probe = folder.join(".gobo-probe");
        fs::write(&probe, b"")
            .and_then(|()| fs::remove_file(&probe))
            .map_err(wrong)?;
        Ok(Self::Folder(folder))
    }

    fn film(args: &RenderArgs) -> Result<Self, AppError> {
        let shown = args.out.display();
        let path = std::path::absolute(&args.out)
            .map_err(|e| AppError::Environment(format!("{shown}: {e}")))?;
        fs::File::create(&path)
            .map_err(|e| AppError::Environment(format!("{shown}: can't write the film: {e}")))?;
        let mut ffmpeg = Command::new("ffmpeg");
        ffmpeg.args([
            "-y",
            "-loglevel",
            "error",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgba",
            "-s",
        ]);
        ffmpeg
            .arg(args.size.to_string())
            .arg("-r")
            .arg(args.fps.to_string())
            .args(["-i", "-"]);
        if !matches!(extension(&path).as_deref(), Some("gif" | "webm")) {
            // Players want even sides and this pixel format.
            ffmpeg.args([
                "-vf",
                "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                "-pix_fmt",
                "yuv420p",
            ]);
        }
        let encoder = ffmpeg
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        match encoder {
            Ok(encoder) => Ok(Self::Film { path, encoder }),
            Err(_) => {
                let _unused = fs::remove_file(&path);
                Err(AppError::Environment(format!(
                    "{shown}: films are made by ffmpeg, which isn't installed (Debian, Ubuntu: apt install ffmpeg); \
                     or render pictures with --out FOLDER and turn them into a film elsewhere"
                )))
            }
        }
    }

    fn write(&mut self, frame: u64, picture: Picture) -> Result<(), AppError> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(format!("{frame:05}.png"));
                write_png(&path, &picture).map_err(|error| {
                    AppError::Environment(format!("{}: can't write: {error}", path.display()))
                })
            }
            Self::Film { path, encoder } => {
                let pipe = encoder
                    .stdin
                    .as_mut()
                    .ok_or(std::io::ErrorKind::BrokenPipe.into());
                pipe.and_then(|pipe| pipe.write_all(&picture.over_black().rgba))
                    .map_err(|error: std::io::Error| {
                        AppError::Environment(format!("{}: ffmpeg: {error}", path.display()))
                    })
            }
        }
    }

    /// Ends the film where it is one, and says where everything lies.
    fn finish(self) -> Result<PathBuf, AppError> {
        match self {
            Self::Folder(folder) => Ok(folder),
            Self::Film { path, mut encoder } => {
                drop(encoder.stdin.take());
                match encoder.wait() {
                    Ok(status) if status.success() => Ok(path),
                    Ok(status) => Err(AppError::Environment(format!(
                        "{}: ffmpeg ended with {status}",
                        path.display()
                    ))),
                    Err(error) => Err(AppError::Environment(format!(
                        "{}: ffmpeg: {error}",
                        path.display()
                    ))),
                }
            }
        }
    }
}

fn extension(path: &Path) -> Option<String> {
    path.extension()
        .and_then(|e| e.to_str())
        .map(str::to_lowercase)
}

/// Writes a picture as an 8-bit RGBA file.
pub fn write_png(path: &Path, picture: &Picture) -> Result<(), png::EncodingError> {
    let file = std::io::BufWriter::new(fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, picture.size.width, picture.size.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgba)?;
    writer.finish()
}
