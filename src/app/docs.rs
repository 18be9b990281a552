//! What gobo knows, printed: operators and devices.

use super::{AppError, say, terminal};
use crate::device::DeviceKind;
use crate::graph::Library;
use crate::{device, gpu, script, shader};

/// Every operator there is, without a show.
fn library() -> Result<Library, AppError> {
    let mut library = Library::built_in();
    shader::add_built_in(&mut library).map_err(|error| AppError::Environment(error.to_string()))?;
    Ok(library)
}

/// Prints what an operator does, or all operators by category.
pub fn docs(name: Option<&str>) -> Result<(), AppError> {
    let library = library()?;
    let Some(name) = name else {
        say(&script::listing(&library));
        return Ok(());
    };
    match script::reference(&library, name) {
        Some(text) => {
            say(&text);
            Ok(())
        }
        None => {
            let near = library
                .nearest(name)
                .map(|near| format!("; did you mean {near}?"))
                .unwrap_or_default();
            Err(AppError::Usage(format!(
                "there is no operator {name}{near}"
            )))
        }
    }
}

/// Lists graphics adapters, sound inputs and MIDI inputs.
pub fn devices() -> Result<(), AppError> {
    // Drivers and sound libraries complain at length about what isn't there; the reasons below say it better.
    if let Err(error) = terminal::capture_stderr() {
        log::debug!("can't catch standard error: {error}");
    }
    say("graphics adapters");
    let adapters = gpu::adapters();
    for adapter in &adapters {
        say(&format!("  {adapter}"));
    }
    if adapters.is_empty() {
        say(&format!(
            "  {}",
            gpu::GpuError::NoAdapter {
                reason: "none was found".into()
            }
        ));
    }
    let inputs = device::list();
    for (kind, title) in [
        (DeviceKind::AudioInput, "sound inputs"),
        (DeviceKind::MidiInput, "midi inputs"),
    ] {
        say(title);
        let of_kind = inputs.devices.iter().filter(|device| device.kind == kind);
        of_kind.for_each(|device| say(&format!("  {}", device.name)));
        let reasons = inputs
            .reasons
            .iter()
            .filter(|reason| reason.starts_with(kind.prefix()));
        reasons.for_each(|reason| say(&format!("  {reason}")));
    }
    Ok(())
}
