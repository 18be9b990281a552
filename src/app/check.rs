//! Preflight: a sketch is loaded, played for a second without being shown, and every shader of it checked.

use std::path::Path;

use super::{AppError, readable};
use crate::input::Inputs;
use crate::show::{Pace, Report, Show};
use crate::value::Size;

/// How long the sketch is played, in frames of a sixtieth of a second.
const FRAMES: u64 = 60;

/// Says what is wrong with a sketch, or that nothing is.
pub fn check(sketch: &Path) -> Result<(), AppError> {
    readable(sketch)?;
    let pace = Pace {
        fps: 60.0,
        is_patient: true,
    };
    let size = Size::new(640, 360);
    let show = Show::new(None, Inputs::new(Vec::new()), size, pace);
    let mut show = show.map_err(|error| AppError::Sketch(error.to_string()))?;
    show.open(sketch);
    let mut problems = 0;
    for frame in 0..FRAMES {
        show.frame(frame as f64 / pace.fps);
        for report in show.take_reports() {
            match report {
                Report::Problem(text) => {
                    problems += 1;
                    log::error!("{text}");
                }
                Report::Warning(text) | Report::Note(text) => log::debug!("{text}"),
                Report::Answer(text) => log::info!("{text}"),
            }
        }
        if !show.has_entered() {
            break;
        }
    }
    let name = sketch.display();
    for output in 0..crate::ops::output::OUTPUTS {
        if let Err(error) = show.check_shaders(output) {
            problems += 1;
            log::error!("{error}");
        }
    }
    if problems > 0 {
        let s = if problems == 1 { "" } else { "s" };
        return Err(AppError::Sketch(format!("{name}: {problems} problem{s}")));
    }
    super::say(&format!("{name}: nothing wrong in {FRAMES} frames"));
    Ok(())
}
