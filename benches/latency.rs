//! What a performer waits for, seen from outside on a virtual screen: from the start to the first frame, and from a
//! save to the frame that shows it.
//!
//! `cargo bench --bench latency` drives the built program under Xvfb and watches one pixel of its frame buffer.
#![allow(clippy::print_stdout, reason = "a bench prints figures")]

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

type Done<T> = Result<T, Box<dyn Error>>;

const STARTS: usize = 5;
const SAVES: usize = 40;
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Done<()> {
    let screen = Screen::start()?;
    println!(
        "{:<46} {:>9} {:>9}",
        "from … to the frame", "median ms", "worst ms"
    );
    let mut starts = Vec::new();
    let mut adapter = String::new();
    for _ in 0..STARTS {
        // The last show has left the screen.
        screen.wait_for([0, 0, 0], Instant::now())?;
        let start = Instant::now();
        let show = Show::play(&screen, "solid(1, 0, 0):out()\n")?;
        starts.push(screen.wait_for([255, 0, 0], start)?);
        adapter = show.adapter()?;
    }
    print("start", starts);

    let show = Show::play(&screen, "solid(0, 0, 0):out()\n")?;
    let save = |name: &str, sketch: &dyn Fn(usize, [u8; 3]) -> String| -> Done<()> {
        let mut times = Vec::new();
        for round in 0..SAVES {
            let colour = [(round * 6 % 250) as u8, 0, (250 - round * 5 % 250) as u8];
            let text = sketch(round, colour);
            let start = Instant::now();
            fs::write(show.folder.path().join("sketch.lua"), text)?;
            times.push(screen.wait_for(colour, start)?);
        }
        print(name, times);
        Ok(())
    };
    save("a save that changes a number", &|_, colour| {
        format!("{}:out()\n", solid(colour))
    })?;
    save("a save that changes the structure", &|round, colour| {
        // A chain of another length each time, which ends in the colour that is waited for.
        let turns = ":rotate(0.1)".repeat(round + 1);
        format!(
            "osc(9){turns}:mult(solid(0, 0, 0)):add({}):out()\n",
            solid(colour)
        )
    })?;
    println!("adapter: {adapter}");
    Ok(())
}

fn solid([r, g, b]: [u8; 3]) -> String {
    format!("solid({r} / 255, {g} / 255, {b} / 255)")
}

fn print(name: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    println!(
        "{name:<46} {:>9.1} {:>9.1}",
        times[times.len() / 2],
        times[times.len() - 1]
    );
}

/// A screen whose pixels lie in a file.
struct Screen {
    server: Child,
    display: String,
    pixels: File,
    _folder: tempfile::TempDir,
}

impl Screen {
    fn start() -> Done<Self> {
        let folder = tempfile::tempdir()?;
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
                "640x360x24",
            ])
            .arg("-fbdir")
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("could not start Xvfb: {error}; run .ci/setup test"))?;
        let mut number = String::new();
        if let Some(out) = server.stdout.take() {
            BufReader::new(out).read_line(&mut number)?;
        }
        Ok(Self {
            server,
            display: format!(":{}", number.trim()),
            pixels: File::open(folder.path().join("Xvfb_screen0"))?,
            _folder: folder,
        })
    }

    /// The pixel in the middle. The file is an X window dump: a header, colours, then rows of blue, green, red, 0.
    fn pixel(&self) -> Done<[u8; 3]> {
        let word = |at: u64| -> Done<u64> {
            let mut bytes = [0; 4];
            self.pixels.read_exact_at(&mut bytes, at)?;
            Ok(u64::from(u32::from_be_bytes(bytes)))
        };
        let (header, row, colours) = (word(0)?, word(48)?, word(76)?);
        let mut pixel = [0; 4];
        let at = header + colours * 12 + 180 * row + 320 * 4;
        self.pixels.read_exact_at(&mut pixel, at)?;
        Ok([pixel[2], pixel[1], pixel[0]])
    }

    /// Milliseconds until the pixel has this colour.
    fn wait_for(&self, colour: [u8; 3], start: Instant) -> Done<f64> {
        loop {
            let pixel = self.pixel()?;
            if pixel.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 1) {
                return Ok(start.elapsed().as_secs_f64() * 1000.0);
            }
            if start.elapsed() > PATIENCE {
                return Err(format!("waited for {colour:?}, the screen shows {pixel:?}").into());
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        end(&mut self.server);
    }
}

/// A running program and its folder.
struct Show {
    child: Child,
    folder: tempfile::TempDir,
}

impl Show {
    fn play(screen: &Screen, sketch: &str) -> Done<Self> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("sketch.lua"), sketch)?;
        let log = File::create(folder.path().join("log"))?;
        let child = Command::new(env!("CARGO_BIN_EXE_gobo"))
            .args(["run", "sketch.lua", "--size", "640x360"])
            .current_dir(folder.path())
            .env("DISPLAY", &screen.display)
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        Ok(Self { child, folder })
    }

    /// The line in which the program names its adapter.
    fn adapter(&self) -> Done<String> {
        let log = fs::read_to_string(self.folder.path().join("log"))?;
        let line = log.lines().find(|line| line.contains("adapter"));
        Ok(line.unwrap_or("not named").to_owned())
    }
}

impl Drop for Show {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn end(child: &mut Child) {
    // It may have ended by itself, which is no fault.
    let _ = child.kill();
    let _ = child.wait();
}
