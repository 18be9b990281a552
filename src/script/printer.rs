//! What scripts print, on its way to the log.

use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The most lines a second that reach the log.
const LINES: u32 = 200;
const WINDOW: Duration = Duration::from_secs(1);
/// The longest line, in bytes.
const WIDTH: usize = 4096;

/// Hands on lines at a rate that a terminal can show; a flood becomes one line with its size.
pub(crate) struct Printer {
    sink: Box<dyn Fn(&str)>,
    flow: RefCell<Flow>,
}

struct Flow {
    window: Instant,
    shown: u32,
    held: u64,
    partial: String,
}

impl Printer {
    pub(crate) fn new(sink: Box<dyn Fn(&str)>) -> Self {
        let flow = Flow {
            window: Instant::now(),
            shown: 0,
            held: 0,
            partial: String::new(),
        };
        Self {
            sink,
            flow: RefCell::new(flow),
        }
    }

    /// Prints text, which may hold several lines and need not end one.
    pub(crate) fn write(&self, text: &str, now: Instant) {
        let mut lines = self.renew(now);
        let mut flow = self.flow.borrow_mut();
        for piece in text.split_inclusive('\n') {
            match piece.strip_suffix('\n') {
                Some(end) => {
                    push(&mut flow.partial, end);
                    let line = std::mem::take(&mut flow.partial);
                    flow.take(line, &mut lines);
                }
                None => push(&mut flow.partial, piece),
            }
        }
        drop(flow);
        lines.iter().for_each(|line| (self.sink)(line));
    }

    /// Prints the answer to a question, which is shown whole however long it is; in a flood it counts as one line.
    pub(crate) fn answer(&self, text: &str, now: Instant) {
        let mut lines = self.renew(now);
        let mut flow = self.flow.borrow_mut();
        let is_shown = flow.shown < LINES;
        for line in text.lines() {
            match is_shown {
                true => lines.push(line.to_owned()),
                false => flow.held += 1,
            }
        }
        flow.shown += u32::from(is_shown);
        drop(flow);
        lines.iter().for_each(|line| (self.sink)(line));
    }

    /// Once a frame: says how much was held back, and shows a line that nobody ended.
    pub(crate) fn tick(&self, now: Instant) {
        let mut lines = self.renew(now);
        let mut flow = self.flow.borrow_mut();
        if !flow.partial.is_empty() {
            let line = std::mem::take(&mut flow.partial);
            flow.take(line, &mut lines);
        }
        drop(flow);
        lines.iter().for_each(|line| (self.sink)(line));
    }

    fn renew(&self, now: Instant) -> Vec<String> {
        let mut flow = self.flow.borrow_mut();
        if now.saturating_duration_since(flow.window) < WINDOW {
            return Vec::new();
        }
        flow.window = now;
        flow.shown = 0;
        match std::mem::take(&mut flow.held) {
            0 => Vec::new(),
            1 => vec!["… 1 more line".to_owned()],
            n => vec![format!("… {n} more lines")],
        }
    }
}

impl Flow {
    fn take(&mut self, line: String, lines: &mut Vec<String>) {
        if self.shown < LINES {
            self.shown += 1;
            lines.push(line);
        } else {
            self.held += 1;
        }
    }
}

fn push(line: &mut String, text: &str) {
    if line.len() >= WIDTH {
        return;
    }
    line.push_str(text);
    if line.len() > WIDTH {
        line.truncate(line.floor_char_boundary(WIDTH));
        line.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    fn printer() -> (Printer, Rc<RefCell<Vec<String>>>) {
        let lines = Rc::new(RefCell::new(Vec::new()));
        let seen = lines.clone();
        (
            Printer::new(Box::new(move |line| {
                seen.borrow_mut().push(line.to_owned())
            })),
            lines,
        )
    }

    #[test]
    fn an_answer_is_shown_whole_and_counts_as_one_line() {
        let (printer, lines) = printer();
        let now = Instant::now();
        let answer = "line\n".repeat(500);
        printer.answer(&answer, now);
        assert_eq!(lines.borrow().len(), 500);
        for _ in 0..199 {
            printer.answer("line", now);
        }
        printer.answer(&answer, now);
        assert_eq!(lines.borrow().len(), 699);
        printer.tick(now + WINDOW);
        let last = lines.borrow().last().cloned();
        assert_eq!(last.as_deref(), Some("… 500 more lines"));
    }

    #[test]
    fn a_flood_is_counted_and_not_shown() {
        let (printer, lines) = printer();
        let now = Instant::now();
        for i in 0..1000 {
            printer.write(&format!("{i}\n"), now);
        }
        assert_eq!(lines.borrow().len(), 200);
        printer.tick(now + WINDOW);
        assert_eq!(
            lines.borrow().last().map(String::as_str),
            Some("… 800 more lines")
        );
        printer.write("calm\n", now + WINDOW);
        assert_eq!(lines.borrow().last().map(String::as_str), Some("calm"));
        assert_eq!(lines.borrow().len(), 202);
    }

    #[test]
    fn pieces_join_into_a_line_and_an_unended_line_shows_at_the_frame() {
        let (printer, lines) = printer();
        let now = Instant::now();
        printer.write("a", now);
        printer.write("b\nc\nd", now);
        assert_eq!(*lines.borrow(), ["ab", "c"]);
        printer.tick(now);
        assert_eq!(*lines.borrow(), ["ab", "c", "d"]);
    }

    #[test]
    fn a_long_line_is_shortened_between_letters() {
        let (printer, lines) = printer();
        printer.write(&("ä".repeat(5000) + "\n"), Instant::now());
        let line = lines.borrow()[0].clone();
        assert_eq!(line.chars().count(), WIDTH / 2 + 1);
        assert!(line.ends_with('…'));
    }
}
