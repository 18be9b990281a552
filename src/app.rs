//! Who drives the show: the command line, a window, the terminal, a renderer.

pub mod check;
pub mod docs;
pub mod log;
pub mod preview;
pub mod project;
pub mod render;
pub mod repl;
pub mod run;
pub mod terminal;
pub mod watch;
pub mod window;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use self::terminal::Terminal;
use crate::gpu::{AdapterChoice, GpuError};
use crate::value::Size;

/// The command line.
#[derive(Parser)]
#[command(
    name = "gobo",
    version,
    about = "Live-coded light for the stage",
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What gobo can do.
#[derive(Subcommand)]
pub enum Command {
    /// Play a sketch in a window, and load it again at every save
    Run(RunArgs),
    /// Explore by typing, with or without a sketch
    Repl(ReplArgs),
    /// Render a sketch to numbered PNG files or to a film, always the same
    Render(RenderArgs),
    /// Try a sketch without showing it, and say what is wrong
    Check {
        /// The sketch
        sketch: PathBuf,
    },
    /// Show what an operator does, or list all of them
    Docs {
        /// Name of an operator, such as osc or num.add
        name: Option<String>,
    },
    /// List graphics adapters, sound inputs and MIDI inputs
    Devices,
    /// Make a project folder with a first sketch and editor types
    New {
        /// Name of the folder
        name: PathBuf,
    },
}

/// Which graphics adapter draws.
#[derive(Args, Clone, Default)]
pub struct AdapterArgs {
    /// Part of the name of the adapter, or `vulkan`, `gl`, `software` [env: GOBO_ADAPTER]
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Draw on the processor instead of a graphics card
    #[arg(long)]
    pub software: bool,
}

impl AdapterArgs {
    /// The flag, else the environment, else the best there is.
    pub fn choice(&self) -> AdapterChoice {
        if self.software {
            return AdapterChoice::software();
        }
        let from_env = || {
            std::env::var("GOBO_ADAPTER")
                .ok()
                .filter(|name| !name.is_empty())
        };
        AdapterChoice {
            name: self.adapter.clone().or_else(from_env),
        }
    }
}

/// How a sketch is played.
#[derive(Args, Clone)]
pub struct RunArgs {
    /// The sketch
    pub sketch: PathBuf,
    /// How it is shown
    #[command(flatten)]
    pub view: ViewArgs,
}

/// How the prompt is started.
#[derive(Args, Clone)]
pub struct ReplArgs {
    /// A sketch to begin with
    pub sketch: Option<PathBuf>,
    /// How it is shown
    #[command(flatten)]
    pub view: ViewArgs,
}

/// How a show is shown.
#[derive(Args, Clone)]
pub struct ViewArgs {
    /// Which adapter draws
    #[command(flatten)]
    pub adapter: AdapterArgs,
    /// Size of the window, else 1280x720; of the picture where there is no window, else 640x360
    #[arg(long, value_parser = parse_size, value_name = "WxH")]
    pub size: Option<Size>,
    /// Frames per second at the most
    #[arg(long, default_value_t = 60.0, value_parser = parse_fps)]
    pub fps: f64,
    /// Fill the screen
    #[arg(long)]
    pub fullscreen: bool,
    /// Which screen to fill, from 1
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub display: Option<usize>,
    /// Show the picture in the terminal instead of a window
    #[arg(long)]
    pub preview: bool,
    /// Show no picture at all
    #[arg(long)]
    pub headless: bool,
    /// Name of the sound input to listen to
    #[arg(long, value_name = "NAME")]
    pub audio: Option<String>,
}

/// What is rendered to files.
#[derive(Args, Clone)]
pub struct RenderArgs {
    /// The sketch
    pub sketch: PathBuf,
    /// How many frames
    #[arg(long, conflicts_with = "duration")]
    pub frames: Option<u64>,
    /// How many seconds
    #[arg(long, value_parser = parse_seconds)]
    pub duration: Option<f64>,
    /// Frames per second
    #[arg(long, default_value_t = 60.0, value_parser = parse_fps)]
    pub fps: f64,
    /// Size of the pictures
    #[arg(long, value_parser = parse_size, default_value = "1280x720", value_name = "WxH")]
    pub size: Size,
    /// A folder for PNG files, or a film such as clip.mp4
    #[arg(long, default_value = "frames")]
    pub out: PathBuf,
    /// Which output, o0 to o3
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub output: u8,
    /// Which adapter draws
    #[command(flatten)]
    pub adapter: AdapterArgs,
}

fn parse_size(text: &str) -> Result<Size, String> {
    let sides = text
        .split_once(['x', 'X', '×'])
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match sides {
        Some((width, height))
            if (1..=Size::MAX_SIDE).contains(&width) && (1..=Size::MAX_SIDE).contains(&height) =>
        {
            Ok(Size::new(width, height))
        }
        _ => Err(format!(
            "expected WIDTHxHEIGHT with sides from 1 to {}, got {text}",
            Size::MAX_SIDE
        )),
    }
}

fn parse_fps(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps| (1.0..=1000.0).contains(fps));
    fps.ok_or_else(|| format!("expected frames per second from 1 to 1000, got {text}"))
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text
        .parse()
        .ok()
        .filter(|s: &f64| s.is_finite() && *s > 0.0);
    seconds.ok_or_else(|| format!("expected seconds above 0, got {text}"))
}

/// Why gobo ends with something else than success; the exit code says whose fault it is.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The sketch is wrong: exit code 1. The message may already have been shown.
    #[error("{0}")]
    Sketch(String),
    /// The command was used wrongly: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The machine lacks something: exit code 3.
    #[error("{0}")]
    Environment(String),
}

impl AppError {
    /// The exit code: 1, 2 or 3.
    pub fn code(&self) -> u8 {
        match self {
            Self::Sketch(_) => 1,
            Self::Usage(_) => 2,
            Self::Environment(_) => 3,
        }
    }
}

impl From<GpuError> for AppError {
    fn from(error: GpuError) -> Self {
        Self::Environment(error.to_string())
    }
}

/// Reads the command line; ends the program with a message and exit code 2 where it is wrong.
pub fn arguments() -> Cli {
    Cli::parse()
}

/// Does what the command line says.
pub fn main(cli: Cli, terminal: &Terminal) -> Result<(), AppError> {
    match cli.command {
        Command::Run(RunArgs { sketch, view }) => run::run(Some(sketch), &view, terminal),
        Command::Repl(ReplArgs { sketch, view }) => run::run(sketch, &view, terminal),
        Command::Render(args) => render::render(&args),
        Command::Check { sketch } => check::check(&sketch),
        Command::Docs { name } => docs::docs(name.as_deref()),
        Command::Devices => docs::devices(),
        Command::New { name } => project::create(&name),
    }
}

/// Prints a line of the answer; a closed pipe at the other end is nobody's fault.
fn say(text: &str) {
    use std::io::Write as _;
    let _closed = writeln!(std::io::stdout().lock(), "{text}");
}

/// Refuses what can't be a sketch at all, with what was expected.
fn readable(sketch: &std::path::Path) -> Result<(), AppError> {
    let shown = sketch.display();
    match std::fs::metadata(sketch) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let near = sketch
                .parent()
                .and_then(|folder| nearest_file(folder, sketch));
            let near = near
                .map(|name| format!("; did you mean {name}?"))
                .unwrap_or_default();
            Err(AppError::Usage(format!(
                "{shown}: there is no such file{near}"
            )))
        }
        Err(error) => Err(AppError::Usage(format!("{shown}: {error}"))),
        Ok(data) if data.is_dir() => Err(AppError::Usage(format!(
            "{shown}: expected a sketch, got a folder"
        ))),
        Ok(_) => Ok(()),
    }
}

fn nearest_file(folder: &std::path::Path, wanted: &std::path::Path) -> Option<String> {
    let folder = if folder.as_os_str().is_empty() {
        std::path::Path::new(".")
    } else {
        folder
    };
    let wanted = wanted.file_name()?.to_str()?;
    let names = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let names: Vec<String> = names
        .filter(|name| name.ends_with(".lua") || name.ends_with(".luau"))
        .collect();
    crate::graph::nearest(wanted, names.iter().map(String::as_str)).map(str::to_owned)
}
