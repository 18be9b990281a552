//! Lines from a pipe or a file: no prompt, no editing.

use std::io::{BufRead, Read};
use std::sync::mpsc::SyncSender;

use super::{Entry, lua};

/// Longer lines are cut; nobody types them, and a pipe without line breaks must not fill the memory.
const MAX_LINE: u64 = 1 << 20;

/// Reads to the end, or until nobody listens. Lines that belong together are joined, an empty line ends them.
pub(super) fn read(mut input: impl BufRead, entries: &SyncSender<Entry>) {
    let mut text = String::new();
    loop {
        let mut line = Vec::new();
        let length = match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(length) => length,
            Err(error) => {
                log::debug!("standard input: {error}");
                0
            }
        };
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        let is_unfinished = !line.is_empty() && {
            text.push_str(line);
            text.push('\n');
            lua::is_incomplete(&text)
        };
        if length > 0 && is_unfinished {
            continue;
        }
        let whole = std::mem::take(&mut text);
        let whole = whole.trim_end();
        if !whole.is_empty() && entries.send(Entry::Line(whole.to_owned())).is_err() {
            return;
        }
        if length == 0 {
            // Nobody listening is the other way to end.
            let _ = entries.send(Entry::Eof);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn entries(input: &[u8]) -> Vec<Entry> {
        let (sender, receiver) = sync_channel(100);
        read(input, &sender);
        drop(sender);
        receiver.iter().collect()
    }

    fn lines(lines: &[&str]) -> Vec<Entry> {
        lines
            .iter()
            .map(|line| Entry::Line((*line).into()))
            .chain([Entry::Eof])
            .collect()
    }

    #[test]
    fn each_line_is_an_entry() {
        assert_eq!(entries(b"osc()\nnoise()\n"), lines(&["osc()", "noise()"]));
        assert_eq!(
            entries(b"osc()\r\n\r\n  \nnoise()"),
            lines(&["osc()", "noise()"])
        );
        assert_eq!(entries(b""), lines(&[]));
    }

    #[test]
    fn unfinished_lines_are_joined() {
        let text = "for i = 1, 3 do\n  print(i)\nend";
        assert_eq!(
            entries(format!("{text}\nosc()").as_bytes()),
            lines(&[text, "osc()"])
        );
    }

    #[test]
    fn an_empty_line_ends_what_is_never_finished() {
        assert_eq!(entries(b"osc(\n\nnoise()\n"), lines(&["osc(", "noise()"]));
        assert_eq!(entries(b"osc("), lines(&["osc("]));
    }

    #[test]
    fn bytes_that_are_not_text_are_read_all_the_same() {
        assert_eq!(
            entries(b"x = '\xff'\nosc()\n"),
            lines(&["x = '\u{fffd}'", "osc()"])
        );
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let long = vec![b'x'; (MAX_LINE * 2) as usize];
        assert_eq!(entries(&long).len(), 3);
    }
}
