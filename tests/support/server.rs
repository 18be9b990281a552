//! X servers without hardware: one screen, or a laptop's with a projector that can be unplugged.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::output_of;

/// A server at a free display number. Ends when dropped.
pub(crate) struct Server {
    child: Child,
    display: String,
    /// Where its settings and its log are, for as long as it runs.
    folder: TempDir,
}

/// The name that the server gives to the projector.
const PROJECTOR: &str = "DUMMY1";

impl Server {
    /// One screen of this size in pixels.
    pub(crate) fn with_screen(width: u32, height: u32) -> Self {
        let mut command = Command::new("Xvfb");
        command.args(["-screen", "0", &format!("{width}x{height}x24")]);
        Self::start(command)
    }

    /// A laptop of 1024 × 768 pixels, and a projector of 800 × 600 to the right of it.
    pub(crate) fn with_projector() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = folder.path().join("xorg.conf");
        std::fs::write(&settings, SETTINGS).unwrap();
        let mut command = Command::new("Xorg");
        command
            .arg("-config")
            .arg(&settings)
            .arg("-logfile")
            .arg(folder.path().join("log"))
            .args(["-novtswitch", "-sharevts"]);
        let server = Self::start_in(command, folder);
        server.xrandr(&["--addmode", PROJECTOR, "800x600"]);
        server.plug_projector();
        server
    }

    fn start(command: Command) -> Self {
        Self::start_in(command, tempfile::tempdir().unwrap())
    }

    /// The server picks a free number itself and tells it when it is ready, so tests can run side by side.
    fn start_in(mut command: Command, folder: TempDir) -> Self {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("could not start {name}: {error}; run .ci/setup test"));
        let mut number = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut number)
            .unwrap();
        let number = number.trim();
        assert!(!number.is_empty(), "{name} ended before it was ready");
        Self {
            child,
            display: format!(":{number}"),
            folder,
        }
    }

    pub(crate) fn display(&self) -> &str {
        &self.display
    }

    pub(crate) fn plug_projector(&self) {
        self.xrandr(&[
            "--output",
            PROJECTOR,
            "--mode",
            "800x600",
            "--right-of",
            "DUMMY0",
        ]);
    }

    pub(crate) fn unplug_projector(&self) {
        self.xrandr(&["--output", PROJECTOR, "--off"]);
    }

    fn xrandr(&self, arguments: &[&str]) {
        output_of(
            Command::new("xrandr")
                .args(arguments)
                .env("DISPLAY", &self.display),
        )
        .unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which is no fault.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const SETTINGS: &str = r#"
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "DontVTSwitch" "true"
EndSection
Section "Monitor"
  Identifier "Laptop"
  HorizSync 5-1000
  VertRefresh 5-1000
EndSection
Section "Device"
  Identifier "Card"
  Driver "dummy"
  VideoRam 64000
EndSection
Section "Screen"
  Identifier "Screen"
  Device "Card"
  Monitor "Laptop"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "1024x768" "800x600"
    Virtual 2048 1024
  EndSubSection
EndSection
"#;
