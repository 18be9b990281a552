//! A project folder of its own for each test, and the ways in which editors save.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A folder with sketches beside a home of its own, so that no test sees the files of a person or of another test.
pub(crate) struct Folder {
    top: TempDir,
    project: PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self::named("show")
    }

    /// A folder whose project has this name, which may hold spaces and any letters.
    pub(crate) fn named(name: &str) -> Self {
        let top = tempfile::tempdir().unwrap();
        let project = top.path().join(name);
        let runtime = top.path().join("run");
        for folder in [&project, &top.path().join("home"), &runtime] {
            fs::create_dir(folder).unwrap();
        }
        fs::set_permissions(&runtime, fs::Permissions::from_mode(0o700)).unwrap();
        Self { top, project }
    }

    /// A folder with one sketch, `sketch.lua`.
    pub(crate) fn with_sketch(text: &str) -> Self {
        let folder = Self::new();
        folder.write("sketch.lua", text);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.project
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.top.path().join("home")
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.project.join(name)
    }

    /// Saves in place: truncates and writes.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Saves by writing a temporary file and renaming it over the old one.
    pub(crate) fn write_by_rename(&self, name: &str, text: &str) {
        let beside = self.join(&format!("{name}.tmp~"));
        fs::write(&beside, text).unwrap();
        fs::rename(beside, self.join(name)).unwrap();
    }

    /// Saves as vim does with a backup: the old file is renamed away, the new one is created.
    pub(crate) fn write_by_backup(&self, name: &str, text: &str) {
        fs::rename(self.join(name), self.join(&format!("{name}~"))).unwrap();
        fs::write(self.join(name), text).unwrap();
    }

    /// Saves by deleting and creating.
    pub(crate) fn write_by_delete(&self, name: &str, text: &str) {
        fs::remove_file(self.join(name)).unwrap();
        fs::write(self.join(name), text).unwrap();
    }

    /// Opens for writing, which empties the file; the test writes the parts when it likes.
    pub(crate) fn truncate(&self, name: &str) -> File {
        OpenOptions::new()
            .write(true)
            .truncate(true)
            .open(self.join(name))
            .unwrap()
    }

    /// `gobo` with these arguments, started in the project, on no display.
    pub(crate) fn gobo<A: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gobo"));
        command.args(arguments).current_dir(&self.project);
        self.settle(&mut command);
        command
    }

    /// Gives a program the surroundings of this folder: its home, a software adapter, no display.
    pub(crate) fn settle(&self, command: &mut Command) {
        for name in [
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "WAYLAND_SOCKET",
            "RUST_LOG",
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_DATA_HOME",
            "XDG_STATE_HOME",
        ] {
            command.env_remove(name);
        }
        command
            .env("HOME", self.home())
            .env("XDG_RUNTIME_DIR", self.top.path().join("run"))
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("GOBO_ADAPTER", "software")
            // Compiled shaders of the driver are shared by all tests of a machine.
            .env(
                "MESA_SHADER_CACHE_DIR",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("mesa"),
            );
    }
}

/// Writes a part of a file and hands it to the system at once.
pub(crate) fn write_part(file: &mut File, part: &str) {
    file.write_all(part.as_bytes()).unwrap();
    file.sync_data().unwrap();
}

/// The files of a folder in order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}
