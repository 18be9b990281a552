//! The picture in the terminal and the prompt below it, under a virtual terminal and without a display.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod support;

use support::folder::Folder;
use support::sketches::{GREEN, RED};
use support::terminal::Terminal;

fn play(sketch: &str) -> (Folder, Terminal) {
    let folder = Folder::with_sketch(sketch);
    let terminal = Terminal::play(&folder, "run sketch.lua");
    terminal.wait_for_text("gobo: playing sketch.lua");
    terminal.wait_for_prompt();
    (folder, terminal)
}

/// Ends the show and says what the shell saw. One Ctrl-C could be a slip, so at the prompt it takes two.
fn quit(terminal: &Terminal) {
    terminal.press("C-c");
    terminal.wait_for_text("Ctrl-C once more stops the show");
    terminal.press("C-c");
    terminal.wait_for_text("ended with 0");
}

fn assert_sane(terminal: &Terminal) {
    let settings = terminal.settings();
    for setting in ["icanon", "echo", "isig", "icrnl", "opost"] {
        assert!(
            settings.split_whitespace().any(|word| word == setting),
            "{setting} is off after the show: {settings}"
        );
    }
}

#[test]
fn without_a_display_the_picture_is_in_the_terminal() {
    let (folder, terminal) = play(RED);
    let picture = terminal.wait_for_picture("red half blocks", |p| p.is_all([255, 0, 0]));
    assert!(
        picture.width >= 40 && picture.height >= 20,
        "{}",
        picture.describe()
    );
    folder.write("sketch.lua", GREEN);
    terminal.wait_for_picture("green half blocks", |p| p.is_all([0, 255, 0]));
    terminal.type_line("solid(0, 0, 1):out()");
    terminal.wait_for_picture("blue half blocks", |p| p.is_all([0, 0, 255]));
    quit(&terminal);
    assert_sane(&terminal);
}

#[test]
fn the_picture_in_the_terminal_has_24_bit_colours_and_the_right_way_up() {
    let (_folder, terminal) = play("gradient():out()\n");
    terminal.wait_for_picture("red to the right and green upwards", |picture| {
        let (right, bottom) = (picture.width.max(1) - 1, picture.height.max(1) - 1);
        let step = |side: usize| 255 / side.max(1) + 3;
        picture.height > 10
            && usize::from(picture.at(0, bottom)[0]) <= step(picture.width)
            && usize::from(picture.at(0, bottom)[1]) <= step(picture.height)
            && 255 - usize::from(picture.at(right, 0)[0]) <= step(picture.width)
            && 255 - usize::from(picture.at(right, 0)[1]) <= step(picture.height)
    });
    let picture = terminal.picture();
    let colours: std::collections::BTreeSet<_> = picture.pixels.iter().collect();
    assert!(
        colours.len() > 256,
        "only {} colours in {}",
        colours.len(),
        picture.describe()
    );
    quit(&terminal);
}

#[test]
fn a_log_line_never_garbles_what_is_typed() {
    let (folder, terminal) = play(RED);
    terminal.type_text("solid(0, 0,");
    terminal.wait_for_text("gobo> solid(0, 0,");
    for (version, green) in (1..=5).zip([0.2, 0.4, 0.6, 0.8, 1.0]) {
        folder.write(
            "sketch.lua",
            format!("print(\"version {version}\")\nsolid(1, {green}, 0):out()\n"),
        );
        terminal.wait_for_text(&format!("version {version}"));
    }
    folder.write("sketch.lua", "solid(:out()\n");
    terminal.wait_for_text("sketch.lua:1: ");
    let screen = terminal.wait_for("the half-typed line as the last one", |screen| {
        screen.trim_end().ends_with("gobo> solid(0, 0,")
    });
    for line in screen.lines() {
        let whole = !line.contains("gobo> ") || line == "gobo> solid(0, 0,";
        assert!(whole, "a line is garbled: {line:?} in\n{screen}");
    }
    terminal.type_line(" 1):out()");
    terminal.wait_for_picture("blue half blocks", |p| p.is_all([0, 0, 255]));
    quit(&terminal);
}

#[test]
fn names_are_completed() {
    let (_folder, terminal) = play(RED);
    terminal.type_text("kalei");
    terminal.press("Tab");
    terminal.wait_for_text("gobo> kaleid");
    terminal.press("C-u");
    terminal.type_text("osc(10):modul");
    terminal.press("Tab");
    terminal.wait_for_text("gobo> osc(10):modulate");
    terminal.press("C-u");
    quit(&terminal);
}

#[test]
fn help_explains_a_name() {
    let (_folder, terminal) = play(RED);
    terminal.type_line("help(osc)");
    let screen = terminal.wait_for_text("frequency");
    for part in ["sync", "offset", "60"] {
        assert!(screen.contains(part), "{part} is missing in\n{screen}");
    }
    terminal.type_line("help(\"kalied\")");
    terminal.wait_for_text("kaleid");
    terminal.type_line("help()");
    terminal.wait_for_text("help(lfo) lists a group");
    quit(&terminal);
}

#[test]
fn lines_are_remembered_also_by_the_next_show() {
    let (folder, terminal) = play(RED);
    terminal.type_line("solid(0, 0, 1):out()");
    terminal.wait_for_picture("blue half blocks", |p| p.is_all([0, 0, 255]));
    terminal.type_line("solid(0, 1, 0):out()");
    terminal.wait_for_picture("green half blocks", |p| p.is_all([0, 255, 0]));
    terminal.press("Up");
    terminal.press("Up");
    terminal.press("Enter");
    terminal.wait_for_picture("blue half blocks", |p| p.is_all([0, 0, 255]));
    quit(&terminal);
    drop(terminal);
    let terminal = Terminal::play(&folder, "run sketch.lua");
    terminal.wait_for_picture("red half blocks", |p| p.is_all([255, 0, 0]));
    terminal.press("Up");
    terminal.wait_for_text("gobo> solid(0, 0, 1):out()");
    terminal.press("Enter");
    terminal.wait_for_picture("blue half blocks", |p| p.is_all([0, 0, 255]));
    quit(&terminal);
}

#[test]
fn an_unfinished_line_goes_on_in_the_next() {
    let (_folder, terminal) = play(RED);
    terminal.type_line("solid(0,");
    terminal.type_line("0, 1):out()");
    terminal.wait_for_picture("blue half blocks", |p| p.is_all([0, 0, 255]));
    quit(&terminal);
}

#[test]
fn the_prompt_answers_with_values_and_faults() {
    let (_folder, terminal) = play(RED);
    terminal.type_line("1 + 2");
    terminal.wait_for("the sum", |screen| {
        screen.lines().any(|line| line.trim() == "3")
    });
    terminal.type_line("oscc(10)");
    terminal.wait_for_text("osc");
    terminal.wait_for_text("repl:1: ");
    quit(&terminal);
}

#[test]
fn the_terminal_is_sane_however_the_show_ends() {
    for way in ["C-c", "C-d", "TERM", "INT", "HUP"] {
        let (_folder, terminal) = play(RED);
        terminal.wait_for_picture("red half blocks", |p| p.is_all([255, 0, 0]));
        match way {
            "C-c" => quit(&terminal),
            "C-d" => terminal.press("C-d"),
            signal => support::signal(pid_in(&terminal), signal),
        }
        terminal.wait_for_text("ended with 0");
        assert_sane(&terminal);
    }
}

/// The number of the program that runs in a terminal: the child of its shell.
fn pid_in(terminal: &Terminal) -> u32 {
    let shell = terminal.shell_pid();
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
    children.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_simple_terminal_has_a_prompt_and_no_escapes() {
    let folder = Folder::with_sketch(RED);
    let terminal = Terminal::shell(&folder, &[]);
    terminal.type_line("TERM=dumb gobo run sketch.lua | cat -v; echo \"ended with $?\"");
    terminal.wait_for_text("gobo: playing sketch.lua");
    folder.write("sketch.lua", GREEN);
    terminal.wait_for_text("gobo: reloaded sketch.lua");
    terminal.type_line("print(\"an\" .. \"swer\")");
    terminal.wait_for_text("answer");
    terminal.press("C-c");
    let screen = terminal.wait_for_text("ended with");
    assert!(
        !screen.contains("^[["),
        "escapes for a terminal that knows none:\n{screen}"
    );
}

#[test]
fn the_prompt_works_on_a_terminal_that_calls_itself_dumb() {
    let folder = Folder::with_sketch(RED);
    let terminal = Terminal::shell(&folder, &[]);
    terminal.type_line("TERM=dumb gobo run sketch.lua; echo \"ended with $?\"");
    terminal.wait_for_text("gobo: playing sketch.lua");
    terminal.wait_for_prompt();
    terminal.type_line("print(\"an\" .. \"swer\")");
    terminal.wait_for_text("answer");
    folder.write("sketch.lua", GREEN);
    terminal.wait_for_text("gobo: reloaded sketch.lua");
    // Without an editor that takes it for a key, Ctrl-C is the signal.
    terminal.press("C-c");
    terminal.wait_for_text("ended with 0");
    assert_sane(&terminal);
}

#[test]
fn a_prompt_without_a_sketch_plays_what_is_typed() {
    let folder = Folder::new();
    let terminal = Terminal::play(&folder, "repl");
    terminal.wait_for_prompt();
    terminal.type_line("solid(0, 0, 1):out()");
    terminal.wait_for_picture("blue half blocks", |p| p.is_all([0, 0, 255]));
    quit(&terminal);
}

#[test]
fn the_picture_follows_the_size_of_the_terminal() {
    let (_folder, terminal) = play(RED);
    let before = terminal.wait_for_picture("red half blocks", |p| p.is_all([255, 0, 0]));
    terminal.resize(60, 24);
    let after = terminal.wait_for_picture("a smaller picture", |p| {
        p.width < before.width && p.is_all([255, 0, 0])
    });
    assert!(after.width <= 60, "{}", after.describe());
    terminal.type_line("solid(0, 0, 1):out()");
    terminal.wait_for_picture("blue half blocks", |p| p.is_all([0, 0, 255]));
    quit(&terminal);
}
