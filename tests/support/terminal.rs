//! A virtual terminal: what is typed into it and what stands on it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use super::folder::Folder;
use super::picture::Picture;
use super::{output_of, until};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A terminal of 100 × 40 characters with a program in it. Ends when dropped.
pub(crate) struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    /// Starts `gobo` with these arguments in a shell, which says how it ended: `ended with 0`.
    pub(crate) fn play(folder: &Folder, arguments: &str) -> Self {
        let terminal = Self::shell(folder, &[]);
        terminal.type_line(&format!("gobo {arguments}; echo \"ended with $?\""));
        terminal
    }

    /// A shell in which `gobo` is the built program, with more environment.
    pub(crate) fn shell(folder: &Folder, environment: &[(&str, &str)]) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let socket =
            std::env::temp_dir().join(format!("gobo-test-{}-{number}", std::process::id()));
        let mut tmux = Command::new("tmux");
        folder.settle(&mut tmux);
        let programs = std::path::Path::new(env!("CARGO_BIN_EXE_gobo"))
            .parent()
            .unwrap()
            .to_owned();
        let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        )))
        .unwrap();
        tmux.env("PATH", path)
            .env("COLORTERM", "truecolor")
            .env("PS1", "shell> ")
            .env_remove("TMUX")
            .envs(environment.iter().copied());
        tmux.arg("-S")
            .arg(&socket)
            .args(["-f", "/dev/null", "-u", "new-session", "-d"])
            .args(["-x", "100", "-y", "40", "-c"])
            .arg(folder.path())
            .args(["sh", "-i"]);
        output_of(&mut tmux).unwrap();
        let terminal = Self { socket };
        terminal.wait_for("the shell", |screen| screen.contains("shell>"));
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> Result<String, String> {
        output_of(
            Command::new("tmux")
                .arg("-S")
                .arg(&self.socket)
                .args(arguments),
        )
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Types text as it is, without Enter.
    pub(crate) fn type_text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", "--", text]).unwrap();
    }

    pub(crate) fn type_line(&self, line: &str) {
        self.type_text(line);
        self.press("Enter");
    }

    /// Presses a key by its tmux name: `Enter`, `Tab`, `Up`, `C-c`.
    pub(crate) fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]).unwrap();
    }

    /// The characters on the terminal.
    pub(crate) fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"]).unwrap()
    }

    /// The characters on the terminal and those that scrolled out of it.
    pub(crate) fn history(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-J", "-S", "-"]).unwrap()
    }

    /// The lines of the terminal with their colours as escape sequences.
    pub(crate) fn coloured(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-e"]).unwrap()
    }

    pub(crate) fn wait_for(&self, what: &str, is_wanted: impl Fn(&str) -> bool) -> String {
        until(what, || {
            let screen = self.screen();
            if is_wanted(&screen) {
                Ok(screen)
            } else {
                Err(format!("the terminal shows:\n{}", screen.trim_end()))
            }
        })
    }

    /// Waits for the prompt of a show, whose last blank a capture leaves out.
    pub(crate) fn wait_for_prompt(&self) {
        self.wait_for_text("gobo>");
    }

    pub(crate) fn wait_for_text(&self, text: &str) -> String {
        self.wait_for(&format!("{text:?}"), |screen| screen.contains(text))
    }

    /// The picture that the half blocks draw: two pixels a character.
    pub(crate) fn picture(&self) -> Picture {
        half_blocks(&self.coloured())
    }

    pub(crate) fn wait_for_picture(
        &self,
        what: &str,
        is_wanted: impl Fn(&Picture) -> bool,
    ) -> Picture {
        until(what, || {
            let picture = self.picture();
            if is_wanted(&picture) {
                Ok(picture)
            } else {
                Err(format!(
                    "the terminal shows {}:\n{}",
                    picture.describe(),
                    self.screen().trim_end()
                ))
            }
        })
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.tmux(&[
            "resize-window",
            "-x",
            &width.to_string(),
            "-y",
            &height.to_string(),
        ])
        .unwrap();
    }

    /// The number of the shell in the terminal.
    pub(crate) fn shell_pid(&self) -> u32 {
        let pid = self
            .tmux(&["display-message", "-p", "#{pane_pid}"])
            .unwrap();
        pid.trim().parse().unwrap()
    }

    /// The settings of the terminal as `stty -a` prints them, asked at the shell's prompt.
    pub(crate) fn settings(&self) -> String {
        self.type_line("clear; stty -a; echo sett''ings");
        self.wait_for_text("settings")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Ends the server of this socket, which ends what runs in it.
        let _ = self.tmux(&["kill-server"]);
        let _ = std::fs::remove_file(&self.socket);
    }
}

/// Reads the rows that consist of half blocks: `▀` has the upper pixel as its colour and the lower as its
/// background, `▄` the other way round.
fn half_blocks(coloured: &str) -> Picture {
    let mut rows = Vec::new();
    let (mut front, mut back) = ([0; 3], [0; 3]);
    for line in coloured.lines() {
        let (mut upper, mut lower): (Vec<[u8; 3]>, Vec<[u8; 3]>) = Default::default();
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\x1b' => {
                    let code: String = letters.by_ref().skip(1).take_while(|c| *c != 'm').collect();
                    colour(&code, &mut front, &mut back);
                }
                '▀' => {
                    upper.push(front);
                    lower.push(back);
                }
                '▄' => {
                    upper.push(back);
                    lower.push(front);
                }
                '█' => {
                    upper.push(front);
                    lower.push(front);
                }
                _ => {}
            }
        }
        if !upper.is_empty() {
            rows.push((upper, lower));
        }
    }
    let width = rows.iter().map(|(upper, _)| upper.len()).max().unwrap_or(0);
    rows.retain(|(upper, _)| upper.len() == width);
    Picture {
        width,
        height: rows.len() * 2,
        pixels: rows
            .into_iter()
            .flat_map(|(upper, lower)| [upper, lower])
            .flatten()
            .collect(),
    }
}

/// Applies one sequence of colours: `38;2;r;g;b` in front, `48;2;r;g;b` behind, `0` neither.
fn colour(code: &str, front: &mut [u8; 3], back: &mut [u8; 3]) {
    let numbers: Vec<u8> = code
        .split([';', ':'])
        .map(|number| number.parse().unwrap_or(0))
        .collect();
    let mut rest = numbers.as_slice();
    loop {
        match rest {
            [which @ (38 | 48), 2, r, g, b, tail @ ..] => {
                *(if *which == 38 {
                    &mut *front
                } else {
                    &mut *back
                }) = [*r, *g, *b];
                rest = tail;
            }
            [0, tail @ ..] => {
                (*front, *back) = ([0; 3], [0; 3]);
                rest = tail;
            }
            [39, tail @ ..] => {
                *front = [0; 3];
                rest = tail;
            }
            [49, tail @ ..] => {
                *back = [0; 3];
                rest = tail;
            }
            [_, tail @ ..] => rest = tail,
            [] => return,
        }
    }
}
