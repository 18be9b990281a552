//! The picture in the terminal, for machines without a display.
//!
//! It fills the upper part of the terminal; the prompt and the log keep a scroll region below it. Pictures are
//! drawn by a thread of their own, at most thirty a second and only when the last one is out, so that a slow
//! terminal costs pictures and never frames. Each is one write, between saving and restoring the cursor: the
//! prompt, which writes to the same terminal from its own thread, never notices.

mod blocks;

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use blocks::{fit, half_blocks};

use super::repl::Printer;
use super::terminal;
use crate::value::Size;

/// Between two pictures.
const PACE: Duration = Duration::from_millis(33);
/// Smaller terminals belong to the prompt alone.
const LEAST: (u16, u16) = (16, 8);

/// Why there is no picture in the terminal.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// Standard output leads elsewhere.
    #[error("standard output is not a terminal")]
    NoTerminal,
    /// The terminal knows no colours.
    #[error("the terminal (TERM={0}) shows no colours")]
    Dumb(String),
    /// The thread did not start.
    #[error("can't draw in the terminal: {0}")]
    Thread(#[from] std::io::Error),
}

struct Picture {
    size: Size,
    rgba: Vec<u8>,
}

#[derive(Default)]
struct Waiting {
    picture: Option<Picture>,
    is_closed: bool,
}

#[derive(Default)]
struct Slot {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// Draws pictures in the upper part of the terminal until it is dropped.
pub struct Preview {
    slot: Arc<Slot>,
}

impl Preview {
    /// Draws above the prompt that `printer` belongs to.
    ///
    /// # Errors
    /// Where standard output is no terminal, or one without colours.
    pub fn new(printer: &Printer) -> Result<Self, PreviewError> {
        if !std::io::stdout().is_terminal() {
            return Err(PreviewError::NoTerminal);
        }
        let term = std::env::var("TERM").unwrap_or_default();
        if cfg!(unix) && (term.is_empty() || term == "dumb") {
            return Err(PreviewError::Dumb(term));
        }
        let slot = Arc::new(Slot::default());
        let (own_slot, printer) = (Arc::clone(&slot), printer.clone());
        let mut screen = Screen {
            printer,
            size: None,
            last: String::new(),
        };
        // At once, so that what is said from now on is not moved out of sight.
        let (cols, rows) = crossterm::terminal::size()?;
        screen.arrange(Layout { cols, rows });
        std::thread::Builder::new()
            .name("preview".into())
            .spawn(move || run(&own_slot, screen))?;
        Ok(Self { slot })
    }

    /// Shows a picture of 4 bytes a pixel, the top row first, and returns at once. It is left out when the last
    /// one is still being drawn.
    pub fn draw(&mut self, size: Size, rgba: &[u8]) {
        let mut waiting = self
            .slot
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut picture = waiting.picture.take().unwrap_or(Picture {
            size,
            rgba: Vec::new(),
        });
        picture.size = size;
        picture.rgba.clear();
        picture.rgba.extend_from_slice(rgba);
        waiting.picture = Some(picture);
        self.slot.changed.notify_one();
    }
}

impl Drop for Preview {
    fn drop(&mut self) {
        self.slot
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_closed = true;
        self.slot.changed.notify_one();
    }
}

fn run(slot: &Slot, mut screen: Screen) {
    loop {
        let waiting = slot.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let is_idle = |waiting: &mut Waiting| waiting.picture.is_none() && !waiting.is_closed;
        let mut waiting = slot
            .changed
            .wait_while(waiting, is_idle)
            .unwrap_or_else(PoisonError::into_inner);
        if waiting.is_closed {
            return;
        }
        let Some(picture) = waiting.picture.take() else {
            continue;
        };
        drop(waiting);
        let start = Instant::now();
        screen.show(&picture);
        std::thread::sleep(PACE.saturating_sub(start.elapsed()));
    }
}

/// Where pictures and the prompt lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    cols: u16,
    rows: u16,
}

impl Layout {
    /// Rows for pictures: two thirds, and never so many that fewer than five are left below.
    fn above(self) -> u16 {
        (self.rows * 2 / 3).min(self.rows.saturating_sub(5))
    }

    /// Top and bottom row of what belongs to the prompt.
    fn region(self) -> (u16, u16) {
        (self.above() + 1, self.rows)
    }

    fn has_room(self) -> bool {
        self.cols >= LEAST.0 && self.rows >= LEAST.1
    }
}

struct Screen {
    printer: Printer,
    size: Option<Layout>,
    last: String,
}

impl Screen {
    fn show(&mut self, picture: &Picture) {
        let Ok((cols, rows)) = crossterm::terminal::size() else {
            return;
        };
        let layout = Layout { cols, rows };
        if self.size != Some(layout) || (layout.has_room() && terminal::region().is_none()) {
            self.arrange(layout);
        }
        if !layout.has_room() {
            return;
        }
        let Some((width, height)) = fit(picture.size, cols, layout.above()) else {
            return;
        };
        let blocks = half_blocks(picture.size, &picture.rgba, width, height);
        let text = placed(
            &blocks,
            (cols - width) / 2 + 1,
            (layout.above() - height) / 2 + 1,
        );
        if text != self.last {
            terminal::draw(&text, None);
            self.last = text;
        }
    }

    /// Divides the terminal anew. What was there at the start moves up out of sight; after a change of size it is
    /// wiped, since the terminal has moved rows between the two parts.
    fn arrange(&mut self, layout: Layout) {
        let mut text = String::from("\x1b[r");
        if self.size.is_none() {
            let _ = write!(
                text,
                "\x1b[{};1H{}",
                layout.rows,
                "\n".repeat(usize::from(layout.rows))
            );
        }
        text.push_str("\x1b[0m\x1b[2J");
        let region = if layout.has_room() {
            layout.region()
        } else {
            (1, layout.rows)
        };
        let _ = write!(text, "\x1b[{};{}r\x1b[{};1H", region.0, region.1, region.0);
        terminal::draw(&text, Some(region));
        self.printer.repaint();
        self.size = Some(layout);
        self.last.clear();
    }
}

/// The lines of a picture, each put in its place, without moving the cursor for anyone else.
fn placed(blocks: &str, left: u16, top: u16) -> String {
    let mut text = String::with_capacity(blocks.len() + 1024);
    text.push_str("\x1b7\x1b[?25l");
    for (row, line) in (top..).zip(blocks.lines()) {
        let _ = write!(text, "\x1b[{row};{left}H{line}");
    }
    text.push_str("\x1b8\x1b[?25h");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompt_keeps_at_least_five_rows() {
        for rows in LEAST.1..=200 {
            let layout = Layout { cols: 80, rows };
            let (top, bottom) = layout.region();
            assert!(bottom - top >= 4 && top > 1, "{layout:?}");
        }
    }

    #[test]
    fn each_line_is_put_in_its_place_and_the_cursor_back() {
        assert_eq!(
            placed("a\nb", 3, 2),
            "\x1b7\x1b[?25l\x1b[2;3Ha\x1b[3;3Hb\x1b8\x1b[?25h"
        );
    }
}
