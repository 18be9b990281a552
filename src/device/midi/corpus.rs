//! The parser on the bytes of real files, where the folder of them is there.

use std::path::Path;

use super::parse::{Message, Parser};

/// MIDI files of many programs, beside the checkout.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpora/midi");

/// The messages of a track as they would come over a cable: the status left out where the file leaves it out.
#[derive(Default)]
struct Track {
    bytes: Vec<u8>,
    /// Number of channel messages.
    count: usize,
}

/// Reads the tracks of a standard MIDI file; nothing when it isn't a legal one.
fn tracks(mut file: &[u8]) -> Option<Vec<Track>> {
    let mut tracks = Vec::new();
    while !file.is_empty() {
        let (head, rest) = file.split_at_checked(8)?;
        let length = u32::from_be_bytes(head[4..].try_into().ok()?) as usize;
        let (body, rest) = rest.split_at_checked(length)?;
        if &head[..4] == b"MTrk" {
            tracks.push(track(body)?);
        }
        file = rest;
    }
    (!tracks.is_empty()).then_some(tracks)
}

fn track(mut body: &[u8]) -> Option<Track> {
    let mut track = Track::default();
    let mut running = None;
    while !body.is_empty() {
        number(&mut body)?;
        let first = *body.first()?;
        match first {
            0xff => {
                body = body.get(2..)?;
                let length = number(&mut body)?;
                body = body.get(length..)?;
            }
            0xf0 | 0xf7 => {
                body = body.get(1..)?;
                let length = number(&mut body)?;
                track.bytes.push(0xf0);
                track.bytes.extend(&body[..length.min(body.len())]);
                body = body.get(length..)?;
                running = None;
            }
            _ => {
                let status = if first >= 0x80 { first } else { running? };
                running = Some(status);
                let data = if matches!(status & 0xf0, 0xc0 | 0xd0) {
                    1
                } else {
                    2
                };
                let length = data + usize::from(first >= 0x80);
                let message = body.get(..length)?;
                let data_is_legal = message[length - data..].iter().all(|&byte| byte < 0x80);
                if status >= 0xf0 || !data_is_legal {
                    return None;
                }
                track.bytes.extend(message);
                track.count += 1;
                body = &body[length..];
            }
        }
    }
    Some(track)
}

/// A number of variable length.
fn number(body: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    loop {
        let (&byte, rest) = body.split_first()?;
        *body = rest;
        value = value.checked_mul(128)? + usize::from(byte & 0x7f);
        if byte < 0x80 {
            return Some(value);
        }
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "a test says what it does not check")]
fn every_channel_message_of_real_files_is_read() {
    let Ok(folder) = Path::new(FOLDER).read_dir() else {
        println!("not checked: 1 check, the MIDI files of {FOLDER}, which isn't there");
        return;
    };
    let (mut legal, mut not_legal) = (0, 0);
    for path in folder.flatten().map(|entry| entry.path()) {
        let bytes = std::fs::read(&path).unwrap_or_default();
        let mut raw = Vec::new();
        Parser::default().feed(&bytes, |message| raw.push(message));
        let Some(tracks) = tracks(&bytes) else {
            not_legal += 1;
            continue;
        };
        legal += 1;
        for track in tracks {
            let mut count = 0;
            Parser::default().feed(&track.bytes, |message| {
                let is_system = matches!(
                    message,
                    Message::System { .. } | Message::Clock | Message::Exclusive { .. }
                );
                count += usize::from(!is_system);
            });
            assert_eq!(count, track.count, "{}", path.display());
        }
    }
    println!("read {legal} files in full; not legal: {not_legal}");
    assert!(legal > not_legal);
}
