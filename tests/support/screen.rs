//! A virtual screen with a window manager, and the window of a show on it.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::picture::Picture;
use super::process::Show;
use super::server::Server;
use super::{output_of, until};

/// A screen of its own for each test. Ends, with its window manager, when dropped.
pub(crate) struct Screen {
    manager: Option<Child>,
    server: Server,
}

impl Screen {
    /// 1400 × 900 pixels.
    pub(crate) fn start() -> Self {
        Self::with_size(1400, 900)
    }

    pub(crate) fn with_size(width: u32, height: u32) -> Self {
        Self::on(Server::with_screen(width, height))
    }

    /// A laptop of 1024 × 768 pixels, and a projector of 800 × 600 to the right of it.
    pub(crate) fn with_projector() -> Self {
        Self::on(Server::with_projector())
    }

    fn on(server: Server) -> Self {
        let mut screen = Self {
            manager: None,
            server,
        };
        screen.press_first_key();
        screen.start_manager();
        screen
    }

    /// The first key of a new server changes the keyboard of all that run on it: a window manager lets go of its keys
    /// for a moment to take them anew, and what is pressed meanwhile is lost. So that key is pressed before.
    fn press_first_key(&self) {
        let pressed = Command::new("xdotool")
            .args(["key", "Shift_L"])
            .env("DISPLAY", self.display())
            .status();
        assert!(
            pressed.is_ok_and(|status| status.success()),
            "could not press a key; run .ci/setup test"
        );
    }

    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    fn start_manager(&mut self) {
        let ready = tempfile::tempdir().unwrap();
        let mark = ready.path().join("ready");
        let manager = Command::new("openbox")
            .args(["--sm-disable", "--startup"])
            .arg(format!("touch {}", mark.display()))
            .env("DISPLAY", self.display())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("could not start openbox: {error}; run .ci/setup test"));
        self.manager = Some(manager);
        until("the window manager", || {
            if mark.exists() {
                Ok(())
            } else {
                Err("it has not said that it is ready".to_owned())
            }
        });
    }

    pub(crate) fn display(&self) -> &str {
        self.server.display()
    }

    /// A program on this screen.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", self.display());
        command
    }

    /// Starts a show on this screen and waits for its window.
    pub(crate) fn play(&self, mut gobo: Command) -> (Show, Window<'_>) {
        gobo.env("DISPLAY", self.display());
        let mut show = Show::start(gobo);
        let window = self.window_of(&mut show);
        (show, window)
    }

    /// The window of a show, once it is on the screen.
    pub(crate) fn window_of(&self, show: &mut Show) -> Window<'_> {
        let pid = show.pid().to_string();
        let id = until("a window", || {
            assert!(
                show.is_running(),
                "the program ended without a window; it said:\n    {}",
                show.lines().join("\n    ")
            );
            let ids = output_of(self.command("xdotool").args([
                "search",
                "--onlyvisible",
                "--all",
                "--pid",
                &pid,
                "--name",
                "",
            ]));
            let ids = String::from_utf8(ids.unwrap_or_default()).unwrap();
            ids.split_whitespace()
                .next_back()
                .map(str::to_owned)
                .ok_or_else(|| format!("it said:\n    {}", show.lines().join("\n    ")))
        });
        Window { screen: self, id }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Some(child) = &mut self.manager {
            // It may have ended by itself, which is no fault.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The window of a show, handled as a person does: keys, mouse, its frame, and looking at it.
pub(crate) struct Window<'a> {
    screen: &'a Screen,
    id: String,
}

/// Where a window is on its screen and how large, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Window<'_> {
    fn xdotool(&self, arguments: &[&str]) -> Result<String, String> {
        output_of(self.screen.command("xdotool").args(arguments))
            .map(|bytes| String::from_utf8_lossy(&bytes).trim_end().to_owned())
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn title(&self) -> String {
        self.xdotool(&["getwindowname", &self.id]).unwrap()
    }

    pub(crate) fn place(&self) -> Place {
        let shell = self
            .xdotool(&["getwindowgeometry", "--shell", &self.id])
            .unwrap();
        let value = |name: &str| {
            shell
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
                .unwrap_or_else(|| panic!("no {name} in {shell}"))
                .parse::<i32>()
                .unwrap()
        };
        Place {
            x: value("X"),
            y: value("Y"),
            width: value("WIDTH").unsigned_abs(),
            height: value("HEIGHT").unsigned_abs(),
        }
    }

    /// Gives the window the keyboard and presses a key, or several at once: `F11`, `alt+F4`.
    pub(crate) fn press(&self, key: &str) {
        self.focus();
        self.xdotool(&["key", key]).unwrap();
    }

    pub(crate) fn hold(&self, key: &str) {
        self.focus();
        self.xdotool(&["keydown", key]).unwrap();
    }

    pub(crate) fn release(&self, key: &str) {
        self.xdotool(&["keyup", key]).unwrap();
    }

    pub(crate) fn focus(&self) {
        until("the window to have the keyboard", || {
            let focused = self.xdotool(&["getwindowfocus"])?;
            let active = self.xdotool(&["getactivewindow"]).unwrap_or_default();
            if focused == self.id && active == self.id {
                return Ok(());
            }
            // Only then, since the manager takes the keyboard away for a moment while it activates a window. Not
            // synchronous: with another window in front, it may refuse.
            self.xdotool(&["windowactivate", &self.id])?;
            Err(format!("window {focused} has it, and {active} is active"))
        });
    }

    /// Moves the mouse to a pixel of the window, from its top left.
    pub(crate) fn point(&self, x: u32, y: u32) {
        self.xdotool(&[
            "mousemove",
            "--window",
            &self.id,
            &x.to_string(),
            &y.to_string(),
        ])
        .unwrap();
    }

    pub(crate) fn click(&self, button: u32) {
        self.xdotool(&["click", &button.to_string()]).unwrap();
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.xdotool(&[
            "windowsize",
            &self.id,
            &width.to_string(),
            &height.to_string(),
        ])
        .unwrap();
        self.wait_for_place("the new size", |place| {
            (place.width, place.height) == (width, height)
        });
    }

    /// Moves the window to a place on the screen.
    pub(crate) fn move_to(&self, x: i32, y: i32) {
        self.xdotool(&["windowmove", &self.id, &x.to_string(), &y.to_string()])
            .unwrap();
    }

    pub(crate) fn wait_for_place(&self, what: &str, is_wanted: impl Fn(Place) -> bool) -> Place {
        until(what, || {
            let place = self.place();
            if is_wanted(place) {
                Ok(place)
            } else {
                Err(format!("the window is {place:?}"))
            }
        })
    }

    pub(crate) fn minimise(&self) {
        self.xdotool(&["windowminimize", &self.id]).unwrap();
    }

    pub(crate) fn restore(&self) {
        self.xdotool(&["windowmap", &self.id]).unwrap();
        self.focus();
    }

    /// What the window shows now.
    pub(crate) fn screenshot(&self) -> Result<Picture, String> {
        let png = output_of(
            self.screen
                .command("import")
                .args(["-silent", "-window", &self.id, "png24:-"]),
        )?;
        Picture::decode(&png)
    }

    /// Looks again and again until the picture is as wanted.
    pub(crate) fn wait_for(&self, what: &str, is_wanted: impl Fn(&Picture) -> bool) -> Picture {
        until(what, || {
            let picture = self.screenshot()?;
            if is_wanted(&picture) {
                Ok(picture)
            } else {
                Err(format!("the window shows {}", picture.describe()))
            }
        })
    }

    /// Waits until the window shows one colour only.
    pub(crate) fn wait_for_colour(&self, colour: [u8; 3]) -> Picture {
        self.wait_for(&format!("the colour {colour:?}"), |picture| {
            picture.is_all(colour)
        })
    }
}

/// Keeps a picture that a test failed on, for a person to look at.
pub(crate) fn keep(picture: &Picture, name: &str) -> std::path::PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let file = std::fs::File::create(&path).unwrap();
    let mut encoder = png::Encoder::new(
        file,
        u32::try_from(picture.width).unwrap(),
        u32::try_from(picture.height).unwrap(),
    );
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer
        .write_image_data(picture.pixels.as_flattened())
        .unwrap();
    path
}
