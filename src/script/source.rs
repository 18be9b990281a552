//! A script's text: read whole, and refused with a reason where it isn't text.

use std::io::{self, Read};
use std::path::Path;

/// The largest script, in bytes.
pub const MAX_BYTES: usize = 8 << 20;

/// Reads a script file; what a [`Project`](super::Project) is given where nobody has read it yet.
///
/// # Errors
/// What the system says, or [`io::ErrorKind::InvalidInput`] for anything but a plain file (a pipe
/// would block the show), or [`io::ErrorKind::FileTooLarge`] past [`MAX_BYTES`].
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "is a directory",
        ));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "isn't a plain file",
        ));
    }
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    std::fs::File::open(path)?
        .take(limit)
        .read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, too_large()));
    }
    Ok(bytes)
}

fn too_large() -> String {
    format!("is over the limit of {} MiB for a script", MAX_BYTES >> 20)
}

/// The text of a script, or why it is none.
///
/// A byte order mark and a `#!` line are taken off; lines keep their numbers.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, String> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let bad = |at: usize, why: &str| format!("{why}: byte {at} is 0x{:02x}", bytes[at]);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let start = &bytes[..error.valid_up_to()];
            return match start.iter().position(|b| is_binary(*b)) {
                Some(at) => Err(bad(at, "isn't text")),
                None => Err(bad(start.len(), "isn't UTF-8 text")),
            };
        }
    };
    if let Some(at) = bytes.iter().position(|b| is_binary(*b)) {
        return Err(bad(at, "isn't text"));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(match text.strip_prefix("#!") {
        Some(rest) => &rest[rest.find('\n').unwrap_or(rest.len())..],
        None => text,
    })
}

/// Bytes that no text has, among them the first of every precompiled chunk but three, which have
/// one of these soon after.
fn is_binary(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_refused_at_its_byte() {
        let cases: [(&[u8], Result<&str, &str>); 7] = [
            (b"x = 1\r\n", Ok("x = 1\r\n")),
            ("\u{feff}x = 'ä 日本'".as_bytes(), Ok("x = 'ä 日本'")),
            (b"#!/usr/bin/env gobo\nx()", Ok("\nx()")),
            (b"x = 1\0", Err("isn't text: byte 5 is 0x00")),
            (b"ab\xff", Err("isn't UTF-8 text: byte 2 is 0xff")),
            (b"\x06\x03abc\xff", Err("isn't text: byte 0 is 0x06")),
            (b"", Ok("")),
        ];
        for (bytes, expected) in cases {
            assert_eq!(text(bytes), expected.map_err(str::to_owned), "{bytes:?}");
        }
    }

    #[test]
    fn a_script_over_8_mib_is_refused() {
        let bytes = vec![b' '; MAX_BYTES + 1];
        assert_eq!(
            text(&bytes),
            Err("is over the limit of 8 MiB for a script".to_owned())
        );
        assert!(text(&bytes[1..]).is_ok());
    }
}
