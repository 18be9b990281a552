//! A sketch, the folder that its scripts come from, and how a name becomes a path in it.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::error::ScriptError;

/// Hands out the bytes of a file. Paths are canonical where the file exists.
pub type Reader = Rc<dyn Fn(&Path) -> io::Result<Vec<u8>>>;

/// A sketch and the folder that its scripts may come from.
#[derive(Clone)]
pub(crate) struct Project {
    root: PathBuf,
    sketch: PathBuf,
    read: Reader,
}

impl Project {
    /// The project of a sketch: its folder.
    ///
    /// # Errors
    /// When the folder doesn't exist.
    pub(crate) fn of(sketch: &Path, read: Reader) -> Result<Self, ScriptError> {
        let folder = match sketch.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Self::within(folder, sketch, read)
    }

    /// A sketch somewhere below a project folder.
    ///
    /// # Errors
    /// When either folder doesn't exist, or the sketch isn't below `root`.
    pub(crate) fn within(root: &Path, sketch: &Path, read: Reader) -> Result<Self, ScriptError> {
        let wrong = |message: String| ScriptError::of_file(sketch.display().to_string(), message);
        let absolute = std::path::absolute(sketch).map_err(|e| wrong(io_text(&e)))?;
        let (Some(folder), Some(file)) = (absolute.parent(), absolute.file_name()) else {
            return Err(wrong("names no file".to_owned()));
        };
        let root = root
            .canonicalize()
            .map_err(|e| wrong(format!("its project folder: {}", io_text(&e))))?;
        let folder = folder
            .canonicalize()
            .map_err(|e| wrong(format!("its folder: {}", io_text(&e))))?;
        if !folder.starts_with(&root) {
            return Err(wrong(format!(
                "lies outside the project folder {}",
                root.display()
            )));
        }
        Ok(Self {
            root,
            sketch: folder.join(file),
            read,
        })
    }

    /// The sketch's path.
    pub(crate) fn sketch(&self) -> &Path {
        &self.sketch
    }

    /// The sketch's folder.
    pub(crate) fn folder(&self) -> &Path {
        self.sketch.parent().unwrap_or(&self.root)
    }

    /// Whether a path without `..` lies in the project folder.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.root)
    }

    pub(crate) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        (self.read)(path)
    }

    /// A path as messages name it: from the project folder.
    pub(crate) fn name(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = path
            .components()
            .map(|c| c.as_os_str().to_string_lossy())
            .collect();
        parts.join("/")
    }
}

/// The path that a module name stands for, without extension, and whether it starts at the file.
pub(crate) fn stem(name: &str) -> Result<(bool, PathBuf), String> {
    let relative = name.starts_with("./") || name.starts_with("../");
    if name.starts_with(['/', '\\', '~']) || name.get(1..2) == Some(":") {
        return Err(format!(
            "module \"{name}\" is an absolute path; modules are named from the sketch's folder"
        ));
    }
    let path = if relative || name.contains('/') {
        name.to_owned()
    } else {
        name.replace('.', "/")
    };
    if name.is_empty()
        || name.len() > 255
        || name.contains(['\0', '\n'])
        || path.split('/').any(str::is_empty)
    {
        let name: String = name.chars().take(60).collect();
        return Err(format!(
            "\"{}\" is no module name; write require(\"lib.name\")",
            name.escape_debug()
        ));
    }
    Ok((relative, PathBuf::from(path)))
}

pub(crate) fn candidates(base: &Path) -> impl Iterator<Item = PathBuf> {
    [".lua", ".luau", "/init.lua", "/init.luau"]
        .into_iter()
        .map(|end| {
            let mut path = base.as_os_str().to_owned();
            path.push(end);
            PathBuf::from(path)
        })
}

/// Takes `.` and `..` out of a path; `None` where it climbs above its root.
pub(crate) fn normal(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if !out.pop() => return None,
            Component::ParentDir => {}
            other => out.push(other),
        }
    }
    Some(out)
}

pub(crate) fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory)
}

/// What the system said, in our manner.
pub(crate) fn io_text(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "not found".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "is a directory, not a script".to_owned(),
        _ => error.to_string(),
    }
}
