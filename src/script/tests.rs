//! Sketches that go wrong in every way the guard, `require` and the errors must bear.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod errors;
mod limits;
mod modules;
mod sandbox;

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use super::{Cause, Generation, Limits, Project, ScriptError, Step, Vm, read_file};

/// A folder with files, and a state to load them into.
struct Stage {
    folder: tempfile::TempDir,
    vm: Vm,
    printed: Rc<RefCell<Vec<String>>>,
}

const SHORT: Limits = Limits {
    load: Duration::from_millis(60),
    call: Duration::from_millis(20),
    memory: 64 << 20,
};
/// For what isn't about time, so that a busy machine doesn't matter.
const AMPLE: Limits = Limits {
    memory: 64 << 20,
    ..Limits::RENDER
};

impl Stage {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(AMPLE, files)
    }

    fn with(limits: Limits, files: &[(&str, &str)]) -> Self {
        let printed = Rc::new(RefCell::new(Vec::new()));
        let lines = printed.clone();
        let vm = Vm::new(limits, move |line| lines.borrow_mut().push(line)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let stage = Self {
            folder,
            vm,
            printed,
        };
        for (name, text) in files {
            stage.write(name, text.as_bytes());
        }
        stage
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn generation(&self) -> Generation {
        let project = Project::of(
            &self.path("sketch.lua"),
            Rc::new(|path: &Path| read_file(path)),
        );
        self.vm.generation(project.unwrap()).unwrap()
    }

    /// Loads `sketch.lua` to its end.
    fn load(&self) -> Result<Generation, ScriptError> {
        let generation = self.generation();
        generation.load()?.finish()?;
        Ok(generation)
    }

    fn fails(&self) -> ScriptError {
        match self.load() {
            Ok(_) => panic!("loaded: printed {:?}", self.printed.borrow()),
            Err(error) => error,
        }
    }

    fn printed(&self) -> Vec<String> {
        self.vm.tick();
        self.printed.take()
    }
}

/// Loads one sketch and returns what it printed.
fn prints(text: &str) -> Vec<String> {
    let stage = Stage::new(&[("sketch.lua", text)]);
    if let Err(error) = stage.load() {
        panic!("{error}\n{}", error.excerpt());
    }
    stage.printed()
}

/// Loads one sketch and returns its error.
fn fails(text: &str) -> ScriptError {
    Stage::new(&[("sketch.lua", text)]).fails()
}

/// What a typed line shows.
fn typed(generation: &Generation, line: &str) -> Result<Option<String>, ScriptError> {
    generation.line(line)?.finish()
}
