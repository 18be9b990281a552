//! `require`: which file a name means, and what has been loaded.
//!
//! A name is looked for beside the file that requires it, then in the sketch's folder, then in its
//! `scripts/` folder; `./x` and `../x` only beside the file. Nothing outside the project folder is
//! ever read. Everything that was read, and everything that would have been read had it existed,
//! is recorded: these are the files whose saving means a reload.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::compile::Compiling;
use super::error::{Known, Noted, OWN, ScriptError};
use super::project::{Project, candidates, io_text, is_absent, normal, stem};
use super::source;

/// The most texts without a file whose lines are kept.
const TEXTS: usize = 64;
/// The most paths that are kept of those that were looked at in vain.
const MISSING: usize = 4096;

/// A script as it was read.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    /// How messages name it.
    pub(crate) name: String,
    /// Where it was looked for.
    pub(crate) path: PathBuf,
    /// Where it is, with links followed.
    pub(crate) real: PathBuf,
    /// What was read, also where it isn't a script.
    pub(crate) content: Rc<[u8]>,
}

/// A file that `require` found.
pub(crate) enum Found {
    /// It has been loaded: the value is kept under this number.
    Known(usize),
    /// It is to be run, as `name`, and its value kept under this number.
    Fresh(usize, Rc<SourceFile>),
}

/// The scripts of one generation of a sketch.
pub(crate) struct Modules {
    project: Project,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    files: Vec<Rc<SourceFile>>,
    missing: BTreeSet<PathBuf>,
    loaded: BTreeMap<PathBuf, usize>,
    running: Vec<usize>,
    compiling: BTreeMap<PathBuf, Compiling>,
    captured: Option<(String, String)>,
    raised: Option<(String, String)>,
    lines: VecDeque<(String, Rc<str>)>,
}

impl Modules {
    pub(crate) fn new(project: Project) -> Self {
        Self {
            project,
            state: RefCell::default(),
        }
    }

    pub(crate) fn project(&self) -> &Project {
        &self.project
    }

    /// Every path that was read, by either of its names, or looked at in vain.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let state = self.state.borrow();
        let read = state.files.iter().flat_map(|file| [&file.path, &file.real]);
        let all: BTreeSet<&PathBuf> = read.chain(&state.missing).collect();
        all.into_iter().cloned().collect()
    }

    /// Every path that was read, by either of its names, with what was read there last.
    pub(crate) fn contents(&self) -> Vec<(PathBuf, Rc<[u8]>)> {
        let state = self.state.borrow();
        let read = state
            .files
            .iter()
            .flat_map(|file| [&file.path, &file.real].map(|path| (path, &file.content)));
        let all: BTreeMap<&PathBuf, &Rc<[u8]>> = read.collect();
        all.into_iter()
            .map(|(path, content)| (path.clone(), content.clone()))
            .collect()
    }

    /// How many paths are known; grows when something new was read or looked for.
    pub(crate) fn count(&self) -> usize {
        let state = self.state.borrow();
        state.files.len() + state.missing.len()
    }

    /// Keeps a text that came from no file, for its source lines.
    pub(crate) fn note_text(&self, name: &str, text: &str) {
        let lines = &mut self.state.borrow_mut().lines;
        lines.retain(|(known, _)| known != name);
        if lines.len() >= TEXTS {
            lines.pop_front();
        }
        lines.push_back((name.to_owned(), text.into()));
    }

    /// Keeps what an error value that isn't text would say.
    pub(crate) fn note_raised(&self, value: String, shown: String) {
        self.state.borrow_mut().raised = Some((value, shown));
    }

    /// Keeps the traceback of an error that passes through `require`.
    pub(crate) fn note_traceback(&self, message: String, traceback: String) {
        let captured = &mut self.state.borrow_mut().captured;
        if captured.as_ref().is_none_or(|(held, _)| *held != message) {
            *captured = Some((message, traceback));
        }
    }

    /// Reads the sketch itself, unless its text is known.
    pub(crate) fn sketch(&self, text: Option<Vec<u8>>) -> Result<Rc<SourceFile>, ScriptError> {
        let path = self.project.sketch();
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let read = match text {
            Some(text) => Ok(self.add(path, &real, text)),
            None => self.read(path, &real),
        };
        match read {
            Ok(file) => Ok(file),
            Err(error) => {
                self.miss(path.to_owned());
                Err(ScriptError::of_file(
                    self.project.name(path),
                    io_text(&error),
                ))
            }
        }
    }

    /// Begins to compile a script, or goes on where that was put off.
    ///
    /// # Errors
    /// When it isn't text.
    pub(crate) fn compiling(&self, file: &SourceFile) -> Result<Compiling, ScriptError> {
        if let Some(begun) = self.state.borrow_mut().compiling.remove(&file.real) {
            return Ok(begun);
        }
        let text = text(file)?;
        Ok(Compiling::new(format!("@{}", file.name), text))
    }

    /// A module isn't compiled yet: the next `require` of it finds it again.
    pub(crate) fn put_off(&self, id: usize, compiling: Compiling) {
        let mut state = self.state.borrow_mut();
        state.running.retain(|running| *running != id);
        let file = state.files[id].clone();
        state.compiling.insert(file.real.clone(), compiling);
    }

    /// Finds what `name` means in the file `from`, and marks it as running when it is fresh.
    ///
    /// # Errors
    /// The sentence for the user.
    pub(crate) fn find(&self, name: &str, from: Option<&str>) -> Result<Found, String> {
        let (relative, stem) = stem(name)?;
        for folder in self.folders(from, relative) {
            let Some(base) = normal(&folder.join(&stem)).filter(|base| self.project.holds(base))
            else {
                return Err(format!("module \"{name}\" is outside the project folder"));
            };
            for candidate in candidates(&base) {
                if let Some(found) = self.look(name, candidate)? {
                    return Ok(found);
                }
            }
        }
        Err(self.not_found(name, from, relative, &stem))
    }

    /// Reads a file that isn't a module, named with its extension, from beside the file `from` or
    /// the sketch.
    ///
    /// # Errors
    /// The sentence for the user.
    pub(crate) fn read_beside(
        &self,
        name: &str,
        from: Option<&str>,
    ) -> Result<Rc<SourceFile>, String> {
        if Path::new(name).is_absolute() {
            return Err(format!(
                "\"{name}\" is an absolute path; files are named from the sketch's folder"
            ));
        }
        for folder in self.folders(from, false) {
            let path = normal(&folder.join(name)).filter(|path| self.project.holds(path));
            let Some(path) = path else {
                return Err(format!("\"{name}\" is outside the project folder"));
            };
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            if !self.project.holds(&real) {
                return Err(format!(
                    "\"{name}\" is a link that leaves the project folder"
                ));
            }
            match self.read(&path, &real) {
                Ok(file) => return Ok(file),
                Err(error) => {
                    self.miss(path);
                    if !is_absent(&error) {
                        return Err(format!("\"{name}\": {}", io_text(&error)));
                    }
                }
            }
        }
        Err(format!("\"{name}\" not found"))
    }

    fn look(&self, name: &str, path: PathBuf) -> Result<Option<Found>, String> {
        let real = match path.canonicalize() {
            Ok(real) if !self.project.holds(&real) => {
                let file = self.project.name(&path);
                return Err(format!(
                    "module \"{name}\": {file} is a link that leaves the project folder"
                ));
            }
            Ok(real) => real,
            Err(_) => path.clone(),
        };
        let known = self.state.borrow().loaded.get(&real).copied();
        if let Some(id) = known {
            let mut state = self.state.borrow_mut();
            if state.running.contains(&id) {
                drop(state);
                return Err(self.cycle(id));
            }
            if state.compiling.contains_key(&real) {
                state.running.push(id);
                return Ok(Some(Found::Fresh(id, state.files[id].clone())));
            }
            return Ok(Some(Found::Known(id)));
        }
        match self.read(&path, &real) {
            Ok(file) => {
                let mut state = self.state.borrow_mut();
                let id = state
                    .files
                    .iter()
                    .position(|known| Rc::ptr_eq(known, &file));
                let id = id.unwrap_or_default();
                state.loaded.insert(real, id);
                state.running.push(id);
                Ok(Some(Found::Fresh(id, file)))
            }
            Err(error) if is_absent(&error) => {
                self.miss(path);
                Ok(None)
            }
            Err(error) => {
                let file = self.project.name(&path);
                self.miss(path);
                Err(format!("module \"{name}\": {file}: {}", io_text(&error)))
            }
        }
    }

    /// A module has run, or failed: then the next `require` of it tries again.
    pub(crate) fn finish(&self, id: usize, ok: bool) {
        let mut state = self.state.borrow_mut();
        state.running.retain(|running| *running != id);
        if !ok {
            state.loaded.retain(|_, loaded| *loaded != id);
        }
    }

    fn miss(&self, path: PathBuf) {
        let missing = &mut self.state.borrow_mut().missing;
        if missing.len() < MISSING {
            missing.insert(path);
        }
    }

    fn read(&self, path: &Path, real: &Path) -> io::Result<Rc<SourceFile>> {
        Ok(self.add(path, real, self.project.read(real)?))
    }

    fn add(&self, path: &Path, real: &Path, content: Vec<u8>) -> Rc<SourceFile> {
        let file = Rc::new(SourceFile {
            name: self.project.name(path),
            path: path.to_owned(),
            real: real.to_owned(),
            content: content.into(),
        });
        let files = &mut self.state.borrow_mut().files;
        match files.iter_mut().find(|known| known.path == path) {
            Some(known) => *known = file.clone(),
            None => files.push(file.clone()),
        }
        file
    }

    fn folders(&self, from: Option<&str>, relative: bool) -> Vec<PathBuf> {
        let sketch = self.project.folder().to_owned();
        let state = self.state.borrow();
        let from = from.and_then(|from| state.files.iter().rev().find(|file| file.name == from));
        let beside = from
            .and_then(|file| file.path.parent())
            .map_or_else(|| sketch.clone(), Path::to_owned);
        let mut folders = vec![beside];
        if !relative {
            for folder in [sketch.clone(), sketch.join("scripts")] {
                if !folders.contains(&folder) {
                    folders.push(folder);
                }
            }
        }
        folders
    }

    fn cycle(&self, id: usize) -> String {
        let state = self.state.borrow();
        let start = state
            .running
            .iter()
            .position(|running| *running == id)
            .unwrap_or(0);
        let names = state.running[start..]
            .iter()
            .chain([&id])
            .map(|id| state.files[*id].name.as_str());
        format!(
            "modules require each other: {}",
            names.collect::<Vec<_>>().join(" -> ")
        )
    }

    fn not_found(&self, name: &str, from: Option<&str>, relative: bool, stem: &Path) -> String {
        let tried = self.folders(from, relative);
        let tried = tried
            .iter()
            .map(|folder| self.project.name(&folder.join(stem)) + ".lua");
        let tried = tried.collect::<Vec<_>>().join(", ");
        let hint = match name.strip_suffix(".lua") {
            Some(short) => format!("; write require(\"{short}\")"),
            None => String::new(),
        };
        format!("module \"{name}\" not found: no {tried}{hint}")
    }
}

impl Known for Modules {
    fn has(&self, file: &str) -> bool {
        let state = self.state.borrow();
        file != OWN
            && (state.lines.iter().any(|(known, _)| known == file)
                || state.files.iter().any(|known| known.name == file))
    }

    fn line(&self, file: &str, line: u32) -> Option<String> {
        let state = self.state.borrow();
        let known = state.files.iter().rev().find(|known| known.name == file);
        let text = match known {
            Some(known) => String::from_utf8_lossy(&known.content).into_owned(),
            None => state
                .lines
                .iter()
                .find(|(known, _)| known == file)?
                .1
                .to_string(),
        };
        let text = text.lines().nth(line.checked_sub(1)? as usize)?.trim_end();
        let end = text.floor_char_boundary(200);
        Some(if end < text.len() {
            format!("{}…", &text[..end])
        } else {
            text.to_owned()
        })
    }

    fn noted(&self, message: &str) -> Noted {
        let state = self.state.borrow();
        let of = |held: &Option<(String, String)>| {
            held.as_ref()
                .filter(|(key, _)| key == message)
                .map(|(_, value)| value.clone())
        };
        Noted {
            shown: of(&state.raised),
            traceback: of(&state.captured),
        }
    }
}

/// The script in a file.
///
/// # Errors
/// When it isn't text.
pub(crate) fn text(file: &SourceFile) -> Result<&str, ScriptError> {
    source::text(&file.content).map_err(|message| ScriptError::of_file(file.name.clone(), message))
}
