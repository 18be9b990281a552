//! The prompt, driven as a performer drives it: keys in, screen out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a failing test should panic"
)]
#![cfg(unix)]

#[path = "prompt/preview.rs"]
mod preview;
#[path = "prompt/subject.rs"]
mod subject;
#[path = "prompt/tmux.rs"]
mod tmux;

use std::io::Write;
use std::process::{Command, Stdio};

use tmux::Tmux;

#[test]
#[ignore = "the program that the other tests start"]
fn subject() {
    subject::run();
}

/// A running program with its prompt up.
pub(crate) fn running(before: &str) -> Option<Tmux> {
    tmux::is_installed().then(|| {
        let tmux = Tmux::new();
        tmux.start(before);
        tmux
    })
}

#[test]
fn a_line_is_answered_above_the_next_prompt() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("osc(20):out()");
    tmux.wait_until("the answer", |screen| {
        screen.ends_with(&[
            "gobo> osc(20):out()".into(),
            "answer: \"osc(20):out()\"".into(),
            "gobo>".into(),
        ]) || screen.ends_with(&["gobo>".into()])
            && screen.contains(&"answer: \"osc(20):out()\"".into())
    });
}

#[test]
fn unfinished_lua_is_continued() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("for i = 1, 3 do");
    tmux.wait_for_last("  ...");
    tmux.type_line("f(i)");
    tmux.type_line("end");
    tmux.wait_for("answer: \"for i = 1, 3 do\\nf(i)\\nend\"");
    tmux.key("Up");
    tmux.wait_until("the whole block is recalled", |screen| {
        screen.ends_with(&["gobo> for i = 1, 3 do".into(), "f(i)".into(), "end".into()])
    });
}

#[test]
fn log_lines_leave_what_is_being_typed_alone() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("flood 200");
    for letter in "abcdefghijklmnopqrstuvwxyz0123456789".chars() {
        tmux.type_text(&letter.to_string());
    }
    tmux.wait_for("gobo: flood over");
    tmux.wait_for_last("gobo> abcdefghijklmnopqrstuvwxyz0123456789");
    tmux.key("Enter");
    tmux.wait_for("answer: \"abcdefghijklmnopqrstuvwxyz0123456789\"");
    let lines = tmux.tmux(&["capture-pane", "-p", "-S", "-1000"]).stdout;
    let lines = String::from_utf8(lines).unwrap();
    let said: Vec<_> = lines
        .lines()
        .filter(|line| line.contains("line "))
        .collect();
    let expected: Vec<_> = (1..=200)
        .map(|number| format!("gobo: line {number}"))
        .collect();
    assert_eq!(said, expected);
}

#[test]
fn a_repeated_error_is_shown_once_with_a_count() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("fail 500");
    tmux.wait_for("gobo: a.lua:3: no such thing (×100)");
    tmux.type_line("1");
    tmux.wait_for("answer: \"1\"");
    let shown = tmux
        .screen()
        .iter()
        .filter(|line| line.contains("no such thing"))
        .count();
    assert_eq!(shown, 3, "once, ×10 and ×100");
}

#[test]
fn a_paste_is_kept_whole() {
    let Some(tmux) = running("") else { return };
    let body: String = (1..=198)
        .map(|number| format!("\tx{number} = 1\r\n"))
        .collect();
    tmux.paste(&format!("count do\r\n{body}end;"));
    tmux.wait_for("end;");
    tmux.key("Enter");
    tmux.wait_for("200 lines, 198 tabs, ends with \"end;\"");
    tmux.paste("a = 1\n\tb = 2\nc = 3\n");
    tmux.key("Enter");
    tmux.wait_for("answer: \"a = 1\\n\\tb = 2\\nc = 3\"");
}

#[test]
fn lines_typed_ahead_are_all_read() {
    let Some(tmux) = running("") else { return };
    let lines: String = (1..=50).map(|number| format!("line{number}()\r")).collect();
    tmux.type_text(&lines);
    tmux.wait_for("answer: \"line50()\"");
    let screen = tmux.tmux(&["capture-pane", "-p", "-S", "-1000"]).stdout;
    let screen = String::from_utf8(screen).unwrap();
    for number in 1..=50 {
        assert!(
            screen.contains(&format!("answer: \"line{number}()\"\n")),
            "{screen}"
        );
    }
}

#[test]
fn answers_log_lines_and_prompts_never_share_a_line() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("flood 300");
    for _ in 0..10 {
        tmux.type_text(&"x()\r".repeat(10));
    }
    tmux.wait_for_passed("gobo: flood over");
    tmux.wait_for_last("gobo>");
    let screen = tmux.tmux(&["capture-pane", "-p", "-S", "-2000"]).stdout;
    let screen = String::from_utf8(screen).unwrap();
    let said = screen.lines().skip_while(|line| !line.starts_with("gobo>"));
    let is_right = |line: &str| {
        let is_log =
            |rest: &str| rest == "flood over" || rest.starts_with("line ") && rest.len() <= 8;
        // What is typed while the editor is between two lines is echoed by the terminal itself, as a line of its own.
        matches!(
            line.trim_end(),
            "" | "x()" | "gobo>" | "gobo> x()" | "gobo> flood 300" | "answer: \"x()\""
        ) || line.strip_prefix("gobo: ").is_some_and(is_log)
    };
    let wrong: Vec<_> = said.filter(|line| !is_right(line)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(screen.matches("answer: ").count(), 100);
    assert_eq!(screen.matches("gobo: line ").count(), 300);
}

#[test]
fn tab_completes_names_and_methods() {
    let Some(tmux) = running("") else { return };
    tmux.type_text("noi");
    tmux.key("Tab");
    tmux.wait_for_last("gobo> noise");
    tmux.type_text("():k");
    tmux.key("Tab");
    tmux.wait_for_last("gobo> noise():kaleid");
    tmux.key("C-u");
    tmux.type_text("os");
    tmux.key("Tab");
    tmux.wait_until("both are listed", |screen| {
        screen
            .iter()
            .any(|line| line.starts_with("osc ") && line.contains("oscillate"))
    });
    tmux.wait_for_last("gobo> osc");
}

#[test]
fn history_outlives_the_program_and_is_shared() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("first()");
    tmux.wait_for("answer: \"first()\"");
    let program = std::env::current_exe().unwrap();
    tmux.tmux(&["split-window", "-l", "12", "env PS1='shell$ ' sh"]);
    tmux.wait_for("shell$");
    tmux.start("");
    tmux.type_line("second()");
    tmux.wait_for("answer: \"second()\"");
    tmux.type_line("quit");
    tmux.wait_for("shell$");
    tmux.tmux(&["kill-pane"]);
    tmux.type_line("third()");
    tmux.wait_for("answer: \"third()\"");
    tmux.type_line("quit");
    tmux.wait_until("the shell", |screen| {
        screen.last().is_some_and(|line| line.starts_with("shell$"))
    });
    tmux.start("");
    for line in ["quit", "third()", "quit", "second()", "first()"] {
        tmux.key("Up");
        tmux.wait_for_last(&format!("gobo> {line}"));
    }
    drop(program);
}

#[test]
fn history_of_another_format_is_kept() {
    if !tmux::is_installed() {
        return;
    }
    let tmux = Tmux::new();
    let file = tmux.home().join(".local/state/gobo/history");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, b"older()\nbroken(\xff)\n").unwrap();
    tmux.start("");
    tmux.type_line("newer()");
    tmux.wait_for("answer: \"newer()\"");
    tmux.type_line("quit");
    tmux.expect_sane();
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "#V2\nolder()\nbroken(\u{fffd})\nnewer()\nquit\n"
    );
}

#[test]
fn without_a_home_there_is_no_history_and_no_complaint() {
    let Some(tmux) = running("env -u HOME -u XDG_STATE_HOME") else {
        return;
    };
    tmux.type_line("1");
    tmux.wait_until("only the answer", |screen| {
        screen.contains(&"answer: \"1\"".to_owned())
            && screen.last().is_some_and(|line| line == "gobo>")
    });
    assert!(!tmux.screen().iter().any(|line| line.contains("history")));
    tmux.key("Up");
    tmux.wait_for_last("gobo> 1");
}

#[test]
fn an_interrupted_line_comes_back() {
    let Some(tmux) = running("") else { return };
    tmux.type_text("half a li");
    tmux.wait_for_last("gobo> half a li");
    tmux.key("C-c");
    tmux.wait_for_last("gobo>");
    tmux.key("Up");
    tmux.wait_for_last("gobo> half a li");
}

#[test]
fn two_interrupts_on_an_empty_line_leave() {
    let Some(tmux) = running("") else { return };
    tmux.key("C-c");
    tmux.wait_for("Ctrl-C once more stops the show");
    tmux.key("C-c");
    tmux.wait_for("end: Interrupt");
    tmux.expect_sane();
}

#[test]
fn the_end_of_input_leaves() {
    let Some(tmux) = running("") else { return };
    tmux.key("C-d");
    tmux.wait_for("end: Eof");
    tmux.expect_sane();
}

#[test]
fn leaving_with_a_prompt_up_gives_the_terminal_back() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("quit");
    tmux.wait_for("bye");
    tmux.expect_sane();
}

#[test]
fn a_panic_gives_the_terminal_back_and_is_shown() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("panic");
    tmux.wait_for("asked to");
    tmux.wait_for("panicked at tests/prompt/subject.rs");
    tmux.expect_sane();
}

#[test]
fn a_panic_that_is_caught_leaves_the_prompt_working() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("caught");
    tmux.wait_for("asked to, caught");
    tmux.wait_for_last("gobo>");
    tmux.type_line("still here");
    tmux.wait_for("answer: \"still here\"");
    tmux.type_text("unechoed");
    tmux.wait_for_last("gobo> unechoed");
    tmux.key("C-u");
    tmux.type_line("quit");
    tmux.expect_sane();
}

#[test]
fn a_panic_elsewhere_is_an_error_in_the_log() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("thread");
    tmux.wait_for("gobo: the thread helper failed: asked to, elsewhere (tests/prompt/subject.rs");
    tmux.type_line("still here");
    tmux.wait_for("answer: \"still here\"");
}

#[test]
fn signals_stop_it_with_the_terminal_given_back() {
    for (signal, name) in [
        ("TERM", "Terminate"),
        ("INT", "Interrupt"),
        ("HUP", "HangUp"),
    ] {
        let Some(tmux) = running("") else { return };
        tmux.type_text("half typed");
        tmux.wait_for_last("gobo> half typed");
        tmux.signal(signal);
        tmux.wait_for(&format!("stop: {name}"));
        tmux.expect_sane();
    }
}

#[test]
fn a_second_interrupt_ends_a_show_that_hangs() {
    for signal in ["INT", "TERM"] {
        let Some(tmux) = running("") else { return };
        tmux.type_line("hang");
        tmux.wait_for_last("gobo>");
        tmux.signal(signal);
        // Two signals that come together are one.
        std::thread::sleep(std::time::Duration::from_millis(300));
        tmux.signal(signal);
        tmux.expect_sane();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn in_the_background_it_runs_without_a_prompt() {
    if !tmux::is_installed() {
        return;
    }
    let tmux = Tmux::new();
    tmux.type_line("set -m");
    tmux.launch_in_background();
    tmux.wait_for("ready");
    tmux.type_line("clear; jobs");
    tmux.wait_for("Running");
    tmux.type_line("kill %1; wait");
    tmux.wait_for("stop: Terminate");
    tmux.wait_for("bye");
    tmux.expect_sane();
}

#[test]
fn what_libraries_write_to_standard_error_stays_off_the_screen() {
    let Some(tmux) = running("") else { return };
    tmux.type_line("native ALSA lib pcm.c:2660: noise");
    tmux.type_line("1");
    tmux.wait_for("answer: \"1\"");
    assert!(
        !tmux
            .screen()
            .iter()
            .any(|line| line.contains("noise") && !line.starts_with("gobo> "))
    );
    tmux.type_line("quit");
    tmux.expect_sane();
    tmux.start("GOBO_LOG=debug");
    tmux.type_line("native ALSA lib pcm.c:2660: noise");
    tmux.wait_for("gobo: native: ALSA lib pcm.c:2660: noise");
}

#[test]
fn a_dumb_terminal_gets_no_escape_codes() {
    if !tmux::is_installed() {
        return;
    }
    let tmux = Tmux::new();
    let raw = tmux.home().join("raw");
    tmux.tmux(&["pipe-pane", &format!("cat > {}", raw.display())]);
    tmux.start("TERM=dumb SUBJECT_PREVIEW=1");
    tmux.wait_for("gobo: no picture here: the terminal (TERM=dumb) shows no colours");
    tmux.type_line("for i = 1, 3 do");
    tmux.wait_for("  ...");
    tmux.type_line("f(i) end");
    tmux.wait_for("answer: \"for i = 1, 3 do\\nf(i) end\"");
    tmux.type_line("fail 1");
    tmux.wait_for("gobo: a.lua:3: no such thing");
    tmux.type_line("quit");
    tmux.wait_for("bye");
    tmux.tmux(&["pipe-pane"]);
    let raw = std::fs::read_to_string(raw).unwrap();
    let said = raw
        .split_once("running 1 test")
        .expect("the program was seen")
        .1;
    assert!(!said.contains('\x1b'), "{said:?}");
}

/// Starts the program without a terminal.
fn piped(input: Option<&str>) -> (String, String) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--ignored",
            "--exact",
            "subject",
            "--nocapture",
            "--test-threads=1",
        ])
        .stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let Some(input) = input {
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn lines_from_a_pipe_are_read_plainly() {
    let (out, err) = piped(Some("osc()\nfor i = 1, 3 do\n\tf(i)\nend\nfail 1\nlast"));
    let answers: Vec<_> = out.lines().skip_while(|line| *line != "ready").collect();
    let expected = [
        "ready",
        "answer: \"osc()\"",
        "answer: \"for i = 1, 3 do\\n\\tf(i)\\nend\"",
        "answer: \"last\"",
        "end: Eof",
        "bye",
    ];
    assert_eq!(answers, expected);
    assert_eq!(err, "gobo: a.lua:3: no such thing\n");
}

#[test]
fn a_closed_standard_input_is_an_end_of_input() {
    let (out, err) = piped(None);
    assert!(out.ends_with("ready\nend: Eof\nbye\n"), "{out}");
    assert_eq!(err, "");
}
