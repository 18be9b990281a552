//! Tests that need their own process: libasound and libjack read the environment once, before anything else.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Set in the child: the folder it shares with its parent.
const FOLDER: &str = "GOBO_TEST_FOLDER";

/// No test here takes longer than a few seconds; a child that hangs is stopped.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs `body` in a child process whose environment `prepare` made; both get a folder of their own.
///
/// `name` is the full name of the calling test: the child is this same program, told to run that one test.
pub(crate) fn in_child(
    name: &str,
    prepare: impl FnOnce(&Path) -> Vec<(&'static str, OsString)>,
    body: impl FnOnce(&Path),
) {
    if let Some(folder) = std::env::var_os(FOLDER) {
        body(Path::new(&folder));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("output");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--include-ignored"])
        .env(FOLDER, folder.path())
        .envs(prepare(folder.path()))
        .stdout(File::create(&output).unwrap())
        .stderr(File::options().append(true).open(&output).unwrap())
        .spawn()
        .unwrap();
    let end = Instant::now() + LIMIT;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if Instant::now() > end {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let output = String::from_utf8_lossy(&fs::read(&output).unwrap()).into_owned();
    let status = status.unwrap_or_else(|| panic!("{name} hangs:\n{output}"));
    assert!(status.success(), "{name} failed:\n{output}");
    assert!(
        output.contains("1 passed"),
        "{name} ran no test of that name:\n{output}"
    );
}
