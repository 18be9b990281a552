//! Sketches that go wrong in every way the guard, `require` and the errors must bear.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod declared;
mod definitions;
mod errors;
mod functions;
mod guard;
mod kinds;
mod limits;
mod modules;
mod names;
mod nodes;
mod numbers;
mod sandbox;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::{
    Answer, Cause, Effect, FrameInfo, Limits, Loading, Reader, Script, ScriptError, Settings, Step,
    Version, read_file,
};
use crate::graph::{Key, NodeId};
use crate::value::Value;

/// A folder with files, and a script to load them into.
struct Stage {
    folder: tempfile::TempDir,
    script: Script,
    printed: Rc<RefCell<Vec<String>>>,
}

const SHORT: Limits = Limits {
    load: Duration::from_millis(60),
    frame: Duration::from_millis(20),
    is_live: true,
};
/// For what isn't about time, so that a busy machine doesn't matter.
const AMPLE: Limits = Limits::OFFLINE;

impl Stage {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(AMPLE, files)
    }

    fn sketch(text: &str) -> Self {
        Self::new(&[("sketch.lua", text)])
    }

    fn with(limits: Limits, files: &[(&str, &str)]) -> Self {
        let printed = Rc::new(RefCell::new(Vec::new()));
        let lines = printed.clone();
        let print = move |line: &str| lines.borrow_mut().push(line.to_owned());
        let settings = Settings {
            memory_bytes: 64 << 20,
            ..Settings::new(limits, print)
        };
        let script = Script::new(settings).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let stage = Self {
            folder,
            script,
            printed,
        };
        for (name, text) in files {
            stage.write(name, text.as_bytes());
        }
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn loading(&self) -> Loading {
        let read: Reader = Rc::new(|path: &Path| read_file(path));
        self.script.load(&self.path("sketch.lua"), None, read)
    }

    /// Loads `sketch.lua` to its end.
    fn load(&self) -> Result<Version, ScriptError> {
        self.loading().finish()
    }

    fn fails(&self) -> ScriptError {
        match self.load() {
            Ok(_) => panic!("loaded: printed {:?}", self.printed.borrow()),
            Err(error) => error,
        }
    }

    /// Runs a typed line to its end.
    fn answer(&self, version: &Version, line: &str) -> Result<Answer, ScriptError> {
        self.script.eval(version, line).finish()
    }

    /// What a typed line shows.
    fn typed(&self, version: &Version, line: &str) -> Result<Option<String>, ScriptError> {
        self.answer(version, line).map(|answer| answer.text)
    }

    fn printed(&self) -> Vec<String> {
        self.script.begin_frame(AMPLE.frame);
        self.printed.take()
    }

    /// Starts a frame at a time, at 120 beats a minute.
    fn frame(&self, frame: u64, time: f64) -> FrameInfo {
        self.script.begin_frame(AMPLE.frame);
        let mut graph = self.script.graph().borrow_mut();
        graph.begin_frame(frame);
        graph.set_root(&Key::Time, Some(Value::Number(time)));
        graph.set_root(&Key::Beat, Some(Value::Number(time * 2.0)));
        FrameInfo {
            time,
            beat: time * 2.0,
            dt: 0.5,
            frame,
        }
    }

    fn eval(&self, node: NodeId) -> Value {
        self.script.graph().borrow_mut().eval(node).unwrap()
    }

    /// The picture that a version sends to an output, as it is described.
    fn picture(&self, version: &Version, output: usize) -> String {
        self.eval(self.out(version, output)).to_string()
    }

    fn out(&self, version: &Version, wanted: usize) -> NodeId {
        let found = version
            .effects()
            .iter()
            .rev()
            .find_map(|effect| match effect {
                Effect::Out { output, node } if *output == wanted => Some(node.id()),
                _ => None,
            });
        found.unwrap()
    }
}

/// Loads one sketch and returns what it printed.
fn prints(text: &str) -> Vec<String> {
    let stage = Stage::sketch(text);
    if let Err(error) = stage.load() {
        panic!("{error}\n{}", error.excerpt());
    }
    stage.printed()
}

/// Loads one sketch and returns its error.
fn fails(text: &str) -> ScriptError {
    Stage::sketch(text).fails()
}
