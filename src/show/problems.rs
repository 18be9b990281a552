//! What went wrong, each thing said once; and what there is to tell a performer.

use std::collections::BTreeMap;

use super::stage::{Failure, Refused, failures};
use crate::gpu::{GpuError, ShaderError};
use crate::graph::{Graph, NodeId};
use crate::input::{Notice, NoticeKind};
use crate::script::{ScriptError, Version};

/// Something to tell whoever watches the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// What a typed line gave, or what the sketch printed.
    Answer(String),
    /// Something that happened.
    Note(String),
    /// Something that is missing; the sketch plays without it.
    Warning(String),
    /// Something that is wrong with the sketch; the show goes on without it.
    Problem(String),
}

/// An error with the line of the sketch that it is about.
fn with_line(error: &ScriptError) -> String {
    format!("{error}\n{}", error.excerpt())
        .trim_end()
        .to_owned()
}

/// What is wrong at present, by where it came from.
#[derive(Default)]
pub(super) struct Problems {
    /// Why the sketch on disk isn't the one that plays.
    load: Option<String>,
    update: Option<String>,
    /// Failing nodes, with how many frames each has failed for.
    nodes: BTreeMap<String, u64>,
    /// What functions of the sketch failed with, by the message without the source line.
    explained: BTreeMap<String, String>,
    shaders: BTreeMap<usize, String>,
    device: Option<String>,
    reports: Vec<Report>,
}

impl Problems {
    pub(super) fn note(&mut self, text: String) {
        self.reports.push(Report::Note(text));
    }

    pub(super) fn answer(&mut self, text: String) {
        self.reports.push(Report::Answer(text));
    }

    pub(super) fn notice(&mut self, notice: Notice) {
        self.reports.push(match notice.kind {
            NoticeKind::Info => Report::Note(notice.text),
            NoticeKind::Problem => Report::Warning(notice.text),
        });
    }

    pub(super) fn problem(&mut self, text: &str) {
        self.reports.push(Report::Problem(text.to_owned()));
    }

    pub(super) fn load_failed(&mut self, error: &ScriptError) {
        self.load_refused(with_line(error));
    }

    fn load_refused(&mut self, text: String) {
        if self.load.as_ref() != Some(&text) {
            self.problem(&text);
        }
        self.load = Some(text);
    }

    pub(super) fn line_failed(&mut self, error: &ScriptError) {
        self.problem(&with_line(error));
    }

    pub(super) fn update_failed(&mut self, error: &ScriptError) {
        let text = with_line(error);
        if self.update.as_ref() != Some(&text) {
            self.problem(&text);
        }
        self.update = Some(text);
    }

    pub(super) fn update_went_well(&mut self) {
        if self.update.take().is_some() {
            self.note("`update` works again".into());
        }
    }

    /// A change can't enter; `playing` is the version that goes on.
    pub(super) fn refused(&mut self, refused: &Refused, playing: &Version) {
        let version = refused.version.as_ref().unwrap_or(playing);
        let texts: Vec<String> = refused
            .failures
            .iter()
            .map(|failure| self.text_of(failure, version))
            .collect();
        let text = texts.join("\n");
        if refused.version.is_some() {
            self.load_refused(text);
        } else {
            self.problem(&text);
        }
    }

    pub(super) fn version_entered(&mut self, name: &str, is_first: bool) {
        self.update = None;
        self.explained.clear();
        let verb = if is_first { "playing" } else { "reloaded" };
        let mended = if self.load.take().is_some() {
            ", which is mended"
        } else {
            ""
        };
        self.note(format!("{verb} {name}{mended}"));
    }

    pub(super) fn watch_shader(&mut self, output: usize, error: Option<&ShaderError>) {
        let text = error.map(|error| format!("o{output}: {error}"));
        if self.shaders.get(&output) == text.as_ref() {
            return;
        }
        match text {
            Some(text) => {
                self.problem(&text);
                self.shaders.insert(output, text);
            }
            None => {
                self.shaders.remove(&output);
            }
        }
    }

    pub(super) fn device_missing(&mut self, error: &GpuError) {
        let text = error.to_string();
        if self.device.as_ref() != Some(&text) {
            self.problem(&text);
        }
        self.device = Some(text);
    }

    /// Remembers what functions of the sketch failed with, for when their nodes are looked at.
    pub(super) fn explain(&mut self, failures: Vec<ScriptError>) {
        self.explained.extend(
            failures
                .into_iter()
                .map(|error| (error.to_string(), with_line(&error))),
        );
    }

    /// What to tell of a failing node of a version.
    fn text_of(&self, failure: &Failure, version: &Version) -> String {
        match self.explained.get(&failure.message) {
            Some(excerpt) => excerpt.clone(),
            None => failure.text(version),
        }
    }

    /// Compares the errors of playing nodes with those of the last frame.
    pub(super) fn watch(
        &mut self,
        graph: &Graph,
        version: &Version,
        playing: impl Iterator<Item = NodeId>,
    ) {
        if graph.stats().failed == 0 && self.nodes.is_empty() {
            return;
        }
        let playing: Vec<NodeId> = playing.collect();
        let before = std::mem::take(&mut self.nodes);
        for failure in failures(graph, &playing) {
            let text = self.text_of(&failure, version);
            let frames = before.get(&text).copied().unwrap_or(0);
            if frames == 0 {
                self.problem(&text);
            }
            self.nodes.insert(text, frames + 1);
        }
        for (text, frames) in before {
            if !self.nodes.contains_key(&text) {
                let first = text.lines().next().unwrap_or_default();
                self.note(format!("mended after {frames} frames: {first}"));
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        let single = [&self.load, &self.update, &self.device];
        single.into_iter().flatten().count() + self.nodes.len() + self.shaders.len()
    }

    pub(super) fn take(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }
}
