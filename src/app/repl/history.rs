//! Where the lines of earlier sessions are kept.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The first line of a history file, as the line editor writes it.
const HEADER: &[u8] = b"#V2\n";

/// The history file, made ready for several sessions to append to; none without a home, or where it can't be written.
pub(super) fn prepare() -> Option<PathBuf> {
    let path = path(|name| std::env::var_os(name))?;
    match make(&path) {
        Ok(()) => Some(path),
        Err(error) => {
            log::debug!("no history: {}: {error}", path.display());
            None
        }
    }
}

fn path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("gobo").join("history"))
}

fn make(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Only one of two sessions that start together makes the file, so that neither empties the other's.
    match private().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(HEADER),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => mend(path),
        Err(error) => Err(error),
    }
}

/// Files that aren't UTF-8 would be refused for ever; what is readable is kept.
fn mend(path: &Path) -> std::io::Result<()> {
    let bytes = fs::read(path)?;
    match String::from_utf8_lossy(&bytes) {
        std::borrow::Cow::Borrowed(_) => Ok(()),
        std::borrow::Cow::Owned(mended) => fs::write(path, mended),
    }
}

#[cfg(unix)]
fn private() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

#[cfg(not(unix))]
fn private() -> OpenOptions {
    OpenOptions::new()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]

    use super::*;

    fn with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        path(|name| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.into())
        })
    }

    #[test]
    fn it_lies_in_the_state_folder() {
        let expected = PathBuf::from("/state/gobo/history");
        assert_eq!(
            with(&[("XDG_STATE_HOME", "/state"), ("HOME", "/home/x")]),
            Some(expected)
        );
    }

    #[test]
    fn it_lies_in_the_home_otherwise() {
        let expected = PathBuf::from("/home/x/.local/state/gobo/history");
        assert_eq!(with(&[("HOME", "/home/x")]), Some(expected.clone()));
        assert_eq!(
            with(&[("XDG_STATE_HOME", "relative"), ("HOME", "/home/x")]),
            Some(expected.clone())
        );
        assert_eq!(
            with(&[("XDG_STATE_HOME", ""), ("HOME", "/home/x")]),
            Some(expected)
        );
    }

    #[test]
    fn without_a_home_there_is_none() {
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[("HOME", "")]), None);
    }

    #[test]
    fn a_file_that_exists_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/history");
        make(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), HEADER);
        fs::write(&path, "#V2\nosc()\n").unwrap();
        make(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "#V2\nosc()\n");
    }

    #[test]
    fn bytes_that_are_not_text_are_mended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        fs::write(&path, b"#V2\nosc(\xff)\nnoise()\n").unwrap();
        make(&path).unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "#V2\nosc(\u{fffd})\nnoise()\n"
        );
    }

    #[test]
    fn a_folder_in_its_place_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(make(folder.path()).is_err());
    }
}
