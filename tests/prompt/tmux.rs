//! A terminal to type into: a tmux server of its own for each test.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Far longer than anything takes, so that it is only ever waited out by a test that fails.
const DEADLINE: Duration = Duration::from_secs(30);

static COUNT: AtomicU32 = AtomicU32::new(0);

/// Whether tmux is there; says so when it isn't.
pub(crate) fn is_installed() -> bool {
    let is_installed = Command::new("tmux")
        .arg("-V")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    if !is_installed {
        eprintln!("not tested: tmux is not installed");
    }
    is_installed
}

/// What starts the program under test.
fn command() -> String {
    let program = std::env::current_exe().unwrap();
    let program = program.display();
    format!("{program} --ignored --exact subject --nocapture --test-threads=1")
}

/// A shell in a terminal of 100 by 40 cells.
pub(crate) struct Tmux {
    socket: String,
    home: tempfile::TempDir,
}

impl Tmux {
    pub(crate) fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    fn at(home: tempfile::TempDir) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let socket = format!("gobo-test-{}-{number}", std::process::id());
        let tmux = Self { socket, home };
        tmux.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            "100",
            "-y",
            "40",
            "env PS1='shell$ ' sh",
        ]);
        tmux.wait_for("shell$");
        tmux
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn tmux(&self, arguments: &[&str]) -> Output {
        let output = Command::new("tmux")
            .args(["-L", &self.socket])
            .args(arguments)
            .env("HOME", self.home())
            .env_remove("XDG_STATE_HOME")
            .env_remove("TMUX")
            .env_remove("NO_COLOR")
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "tmux {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        output
    }

    /// Starts the program under test, with these words before it.
    pub(crate) fn start(&self, before: &str) {
        self.launch(before);
        self.wait_for("ready");
        self.wait_for("gobo>");
    }

    pub(crate) fn launch(&self, before: &str) {
        self.type_line(&format!("clear; {before} {}", command()));
    }

    pub(crate) fn launch_in_background(&self) {
        self.type_line(&format!("clear; {} &", command()));
    }

    pub(crate) fn type_text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    pub(crate) fn key(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    pub(crate) fn type_line(&self, text: &str) {
        self.type_text(text);
        self.key("Enter");
    }

    /// Pastes as a terminal does, in brackets when the program asked for them.
    pub(crate) fn paste(&self, text: &str) {
        let file = self.home().join("paste");
        std::fs::write(&file, text).unwrap();
        self.tmux(&["load-buffer", file.to_str().unwrap()]);
        self.tmux(&["paste-buffer", "-p", "-r"]);
    }

    /// What the terminal shows, without trailing spaces and empty lines at the end.
    pub(crate) fn screen(&self) -> Vec<String> {
        let output = self.tmux(&["capture-pane", "-p"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut lines: Vec<_> = text
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, is_right: impl Fn(&[String]) -> bool) {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_right(&screen) {
                return;
            }
            assert!(
                start.elapsed() < DEADLINE,
                "{what}; the screen shows:\n{}",
                screen.join("\n")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(&format!("expected {text:?}"), |screen| {
            screen.iter().any(|line| line.contains(text))
        });
    }

    /// Waits until a text was on the screen, also if it has scrolled away since.
    #[track_caller]
    pub(crate) fn wait_for_passed(&self, text: &str) {
        self.wait_until(&format!("expected {text:?} at some time"), |_| {
            let all = self.tmux(&["capture-pane", "-p", "-S", "-2000"]).stdout;
            String::from_utf8_lossy(&all).contains(text)
        });
    }

    /// Waits until the last line is exactly this.
    #[track_caller]
    pub(crate) fn wait_for_last(&self, line: &str) {
        self.wait_until(&format!("expected {line:?} as the last line"), |screen| {
            screen.last().is_some_and(|last| last == line)
        });
    }

    /// Sends a signal to the program under test.
    pub(crate) fn signal(&self, name: &str) {
        let shell = String::from_utf8(self.tmux(&["display", "-p", "#{pane_pid}"]).stdout).unwrap();
        let output = Command::new("pgrep")
            .args(["-P", shell.trim()])
            .output()
            .unwrap();
        let program = String::from_utf8(output.stdout).unwrap();
        let status = Command::new("kill")
            .args([&format!("-{name}"), program.trim()])
            .status()
            .unwrap();
        assert!(status.success(), "no program to signal");
    }

    /// Waits for the shell, and asks it whether the terminal works as before.
    #[track_caller]
    pub(crate) fn expect_sane(&self) {
        self.wait_until("the shell is back", |screen| {
            screen.last().is_some_and(|line| line.starts_with("shell$"))
        });
        self.type_line("clear; stty -a | tr ' ;' '\\n\\n' | grep -xE -e '-?(icanon|echo|isig|icrnl)' | sort | xargs");
        self.wait_for("echo icanon icrnl isig");
        self.type_line("clear; echo out; echo err >&2");
        self.wait_until("the shell speaks", |screen| {
            screen == ["out", "err", "shell$"]
        });
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux")
            .args(["-L", &self.socket, "kill-server"])
            .status();
    }
}
