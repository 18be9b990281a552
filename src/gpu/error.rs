//! What can go wrong between a picture and the screen.

use std::fmt;

use super::adapter::AdapterReport;

/// Why the graphics device can't do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// The machine has no graphics adapter at all, not even a software one.
    #[error("no graphics adapter: {reason}; {}", ADVICE)]
    NoAdapter {
        /// What was looked for, or why none is open.
        reason: String,
    },
    /// An adapter was asked for by name and none of those present matches.
    #[error("no graphics adapter matches \"{wanted}\"; {}", listed(.available))]
    UnknownAdapter {
        /// What was asked for.
        wanted: String,
        /// What there is.
        available: Vec<AdapterReport>,
    },
    /// The adapter is there but gives no device.
    #[error("{adapter} gives no device: {reason}")]
    Device {
        /// The adapter that was tried.
        adapter: AdapterReport,
        /// What the driver said.
        reason: String,
    },
    /// The window can't be drawn to.
    #[error("the window can't be drawn to: {0}")]
    Surface(String),
    /// The device is gone; `Gpu::rebuild` makes a new one.
    #[error("the graphics device was lost: {0}")]
    Lost(String),
    /// Pixels could not be read back.
    #[error("the picture of o{} can't be read back: {reason}", .output + 1)]
    Read {
        /// The output, counted from 0.
        output: usize,
        /// What the driver said.
        reason: String,
    },
    /// The thread that compiles shaders could not start.
    #[error("the shader compiler thread can't start: {0}")]
    Thread(#[from] std::io::Error),
}

#[cfg(target_os = "linux")]
const ADVICE: &str = "install a driver: on Debian or Ubuntu `sudo apt install mesa-vulkan-drivers` brings one that \
                      needs no graphics card";
#[cfg(not(target_os = "linux"))]
const ADVICE: &str = "install or update the graphics driver of this machine";

fn listed(available: &[AdapterReport]) -> String {
    if available.is_empty() {
        return format!("there is none; {ADVICE}");
    }
    let names: Vec<_> = available.iter().map(AdapterReport::to_string).collect();
    format!("there is: {}", names.join("; "))
}

/// Why a shader can't run. One shader's error never harms the device or another shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderError {
    /// What is wrong, in one line.
    pub message: String,
    /// Line of the WGSL text, from 1; `None` when the error belongs to no line, as a missing entry point.
    pub line: Option<u32>,
    /// Column of that line in bytes, from 1.
    pub column: Option<u32>,
    /// The text of that line, empty when there is none.
    pub source_line: String,
}

impl ShaderError {
    /// An error that belongs to no line.
    pub(super) fn general(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            line: None,
            column: None,
            source_line: String::new(),
        }
    }

    /// An error at a place of `text`; `line` and `column` count from 1.
    pub(super) fn at(message: impl Into<String>, text: &str, line: u32, column: u32) -> Self {
        let source_line = text
            .lines()
            .nth(line.saturating_sub(1) as usize)
            .unwrap_or_default();
        Self {
            message: message.into(),
            line: Some(line),
            column: Some(column),
            source_line: source_line.to_owned(),
        }
    }
}

impl fmt::Display for ShaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "wgsl:{line}:{column}: {}", self.message)?;
            if !self.source_line.trim().is_empty() {
                write!(f, "\n{line:>5} | {}", self.source_line)?;
            }
            Ok(())
        } else {
            write!(f, "wgsl: {}", self.message)
        }
    }
}

impl std::error::Error for ShaderError {}

/// Makes one line of a message by wgpu or naga: the headline and its causes, without the drawing of the source
/// text and without the names of the calls that it went through.
pub(super) fn one_line(report: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for line in report.lines() {
        let line = line.trim();
        let line = line
            .strip_prefix("= note:")
            .or_else(|| line.strip_prefix("="))
            .unwrap_or(line)
            .trim();
        let headline = line.rsplit_once("error: ").map_or(line, |(_, rest)| rest);
        let drawing = line.contains('│')
            || line.contains('┌')
            || line.trim_matches(|c: char| c == '^' || c == '-').is_empty();
        let frame = headline.starts_with("In ")
            || headline.ends_with("Error")
            || headline == "Caused by:"
            || headline.ends_with("parsing error:");
        if !drawing && !frame && !headline.is_empty() && !parts.contains(&headline) {
            parts.push(headline);
        }
    }
    parts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_report_becomes_its_headline() {
        let report = "\nShader 'osc' parsing error: error: expected expression, found \";\"\n  ┌─ wgsl:3:13\n  │\n3 │     return ;\n  │            ^ expected expression\n";
        assert_eq!(one_line(report), "expected expression, found \";\"");
    }

    #[test]
    fn a_pipeline_report_becomes_its_causes() {
        let report = "Validation Error\n\nCaused by:\n  In Device::create_render_pipeline\n    Error matching ShaderStages(FRAGMENT) shader requirements against the pipeline\n      Unable to find entry point 'fragment'\n";
        assert_eq!(
            one_line(report),
            "Error matching ShaderStages(FRAGMENT) shader requirements against the pipeline: Unable to find entry point 'fragment'"
        );
    }

    #[test]
    fn an_error_shows_its_place_and_line() {
        let error = ShaderError::at("unknown identifier: `x`", "fn a() {\n    x;\n}", 2, 5);
        assert_eq!(
            error.to_string(),
            "wgsl:2:5: unknown identifier: `x`\n    2 |     x;"
        );
    }

    #[test]
    fn an_unknown_adapter_without_any_present_says_what_to_install() {
        let error = GpuError::UnknownAdapter {
            wanted: "nvidia".into(),
            available: Vec::new(),
        };
        assert!(
            error
                .to_string()
                .starts_with("no graphics adapter matches \"nvidia\"; there is none; install")
        );
    }
}
