//! The picture in the terminal, and the prompt below it.

use crate::running;

/// Splits the screen into the picture's rows and the prompt's, and checks that neither strayed into the other.
fn parts(screen: &[String], above: usize) -> Option<(Vec<String>, Vec<String>)> {
    let (upper, lower) = screen.split_at_checked(above)?;
    let is_picture =
        |line: &String| !line.is_empty() && line.trim_start().chars().all(|c| c == '▀');
    let is_clean = upper.iter().filter(|line| !line.is_empty()).all(is_picture)
        && upper.iter().any(is_picture)
        && !lower.iter().any(|line| line.contains('▀'));
    is_clean.then(|| (upper.to_vec(), lower.to_vec()))
}

#[test]
fn typing_below_thirty_pictures_a_second_is_never_garbled() {
    let Some(tmux) = running("SUBJECT_PREVIEW=1") else {
        return;
    };
    tmux.wait_until("the picture", |screen| parts(screen, 26).is_some());
    let mut typed = String::new();
    for letter in "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".chars() {
        tmux.type_text(&letter.to_string());
        typed.push(letter);
        tmux.wait_for_last(&format!("gobo> {typed}"));
        assert!(
            parts(&tmux.screen(), 26).is_some(),
            "{}",
            tmux.screen().join("\n")
        );
    }
    tmux.key("Enter");
    tmux.wait_for(&format!("answer: \"{typed}\""));
    tmux.type_line("flood 100");
    tmux.type_text("half typed");
    tmux.wait_for("gobo: flood over");
    tmux.wait_for_last("gobo> half typed");
    let (_, lower) = parts(&tmux.screen(), 26).expect("the picture stays above");
    let said: Vec<_> = lower.iter().filter(|line| line.contains("line ")).collect();
    let last = (101 - said.len()..=100).map(|number| format!("gobo: line {number}"));
    assert!(
        said.len() >= 8 && said.into_iter().eq(&last.collect::<Vec<_>>()),
        "{lower:?}"
    );
    tmux.key("C-u");
    tmux.type_line("quit");
    tmux.wait_for("bye");
    tmux.expect_sane();
}

#[test]
fn the_picture_follows_the_size_of_the_terminal() {
    let Some(tmux) = running("SUBJECT_PREVIEW=1") else {
        return;
    };
    tmux.wait_until("the picture", |screen| parts(screen, 26).is_some());
    tmux.type_text("half typed");
    for (cols, rows, above) in [
        ("80", "24", 16),
        ("120", "50", 33),
        ("60", "12", 7),
        ("100", "40", 26),
    ] {
        tmux.tmux(&["resize-window", "-x", cols, "-y", rows]);
        tmux.wait_until("the picture above and the line below", |screen| {
            parts(screen, above).is_some_and(|(_, lower)| {
                lower.last().is_some_and(|line| line == "gobo> half typed")
            })
        });
    }
    tmux.key("C-l");
    tmux.wait_until("a cleared log", |screen| {
        parts(screen, 26).is_some_and(|(_, lower)| lower == ["gobo> half typed"])
    });
    tmux.key("C-u");
    tmux.type_line("quit");
    tmux.expect_sane();
}

#[test]
fn a_tiny_terminal_belongs_to_the_prompt() {
    let Some(tmux) = running("SUBJECT_PREVIEW=1") else {
        return;
    };
    tmux.tmux(&["resize-window", "-x", "30", "-y", "6"]);
    tmux.wait_until("no picture", |screen| {
        !screen.iter().any(|line| line.contains('▀'))
    });
    tmux.type_line("1");
    tmux.wait_for("answer: \"1\"");
    tmux.type_line("quit");
    tmux.wait_for("bye");
}

#[test]
fn signals_and_panics_remove_the_scroll_region() {
    for ending in ["TERM", "panic"] {
        let Some(tmux) = running("SUBJECT_PREVIEW=1") else {
            return;
        };
        tmux.wait_until("the picture", |screen| parts(screen, 26).is_some());
        match ending {
            "panic" => tmux.type_line("panic"),
            signal => tmux.signal(signal),
        }
        tmux.expect_sane();
        tmux.type_line("clear; seq 1 38");
        tmux.wait_until("the whole screen scrolls", |screen| {
            screen.first().is_some_and(|line| line == "1") && screen.len() == 39
        });
    }
}
