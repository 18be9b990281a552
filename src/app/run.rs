//! Playing live: a show, the files it watches, the prompt below it, and a window or the terminal to see it in.

mod live;
mod view;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::preview::Preview;
use super::repl::Repl;
use super::terminal::Terminal;
use super::window::{WindowError, WindowOptions, run_window};
use super::{AppError, ViewArgs, readable};
use crate::gpu::Gpu;
use crate::show::Shown;
use crate::value::Size;
use live::{Live, Outside};
use view::View;

/// The size of a window, where none is asked for.
const WINDOW: Size = Size {
    width: 1280,
    height: 720,
};
/// The size of the outputs without a window, where none is asked for.
const WITHOUT_WINDOW: Size = Size {
    width: 640,
    height: 360,
};
/// The size at which a picture is fetched for the terminal, in pixels at the most.
const PREVIEW: Size = Size {
    width: 320,
    height: 180,
};

/// Plays until somebody ends it. Without a display the picture is shown in the terminal.
pub fn run(sketch: Option<PathBuf>, view: &ViewArgs, terminal: &Terminal) -> Result<(), AppError> {
    if let Some(sketch) = &sketch {
        readable(sketch)?;
    }
    let repl = Repl::start().map_err(|error| AppError::Environment(error.to_string()))?;
    let mut outside = Outside {
        repl,
        stops: terminal.stops(),
    };
    if !view.headless && !view.preview {
        let options = WindowOptions {
            title: "gobo".into(),
            size: view.size.unwrap_or(WINDOW),
            is_fullscreen: view.fullscreen,
            display: view.display,
            fps: view.fps,
        };
        match run_window(
            options.clone(),
            View::new(sketch.clone(), view.clone(), options.size, outside),
        ) {
            Ok(_) => return Ok(()),
            Err((WindowError::NoDisplay(reason), stage)) => {
                log::info!("no display, so the picture is in the terminal");
                log::debug!("{reason}");
                outside = match stage.into_outside() {
                    Some(outside) => outside,
                    None => return Err(AppError::Environment(reason)),
                };
            }
            Err((WindowError::Stage(error), _)) => return Err(error),
            Err((error, _)) => return Err(AppError::Environment(error.to_string())),
        }
    }
    let gpu = if view.headless {
        None
    } else {
        Some(Gpu::new(&view.adapter.choice(), None)?)
    };
    // First of all, since it scrolls away what was said before.
    let preview = if view.headless {
        None
    } else {
        preview(&outside.repl)
    };
    let size = view.size.unwrap_or(WITHOUT_WINDOW);
    play_in_terminal(
        Live::new(sketch, view, size, gpu, outside)?,
        preview,
        view.fps,
    );
    Ok(())
}

/// A place for the picture above the prompt, where the terminal can show one.
fn preview(repl: &Repl) -> Option<Preview> {
    Preview::new(repl.printer())
        .map_err(|error| log::warn!("no picture in the terminal: {error}"))
        .ok()
}

/// Plays without a window, at `fps` frames per second.
fn play_in_terminal(mut live: Live<'_>, mut preview: Option<Preview>, fps: f64) {
    let pace = Duration::from_secs_f64(1.0 / fps);
    let mut next = Instant::now();
    while live.frame() {
        if let (Some(preview), shown) = (&mut preview, live.show.shown())
            && let Some(gpu) = live.show.gpu_mut()
        {
            if let Some(picture) = gpu.poll_read() {
                preview.draw(picture.size, &picture.rgba);
            }
            let output = match shown {
                Shown::One(output) => output,
                Shown::Grid => 0,
            };
            gpu.request_read(output, PREVIEW);
        }
        next = (next + pace).max(Instant::now());
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}
