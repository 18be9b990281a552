//! What the tests share that drive the built program as a person would: folders with sketches, the running
//! program, a virtual screen, a virtual terminal, and pictures to compare.
#![allow(
    dead_code,
    reason = "each test file is a crate of its own and uses its part"
)]

pub(crate) mod folder;
pub(crate) mod picture;
pub(crate) mod process;
pub(crate) mod screen;
pub(crate) mod server;
pub(crate) mod sketches;
pub(crate) mod terminal;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up. Generous, since the machine may be small and busy;
/// no test passes or fails by how fast something was.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Asks again and again until there is an answer, and fails with `what` was awaited where there is none.
pub(crate) fn until<T>(what: &str, mut answer: impl FnMut() -> Result<T, String>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        match answer() {
            Ok(found) => return found,
            Err(instead) => assert!(
                Instant::now() < end,
                "waited {} s for {what}, but {instead}",
                PATIENCE.as_secs()
            ),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The output of a tool that the tests stand on.
pub(crate) fn output_of(command: &mut Command) -> Result<Vec<u8>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("could not start {name}: {error}; run .ci/setup test"));
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!(
            "{name} failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))
    }
}

/// Sends a signal by name, such as `TERM`, to one process.
pub(crate) fn signal(pid: u32, name: &str) {
    // The shell's own, since a small system has no other.
    let line = "kill -s \"$0\" \"$1\"";
    output_of(Command::new("sh").args(["-c", line, name, &pid.to_string()])).unwrap();
}

/// The root of the project, where `examples` and `shaders` are.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
