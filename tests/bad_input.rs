//! What a person may hand over by mistake: nothing ends the show, and each fault is named.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod support;

use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use support::folder::Folder;
use support::process::{Ended, Show, run, run_with_input};
use support::sketches::RED;

/// A show without a window.
fn headless(folder: &Folder, sketch: &str) -> Show {
    Show::start(folder.gobo([
        "run",
        sketch,
        "--headless",
        "--size",
        "32x32",
        "--fps",
        "30",
    ]))
}

fn assert_refused(ended: &Ended, parts: &[&str]) {
    assert_ne!(ended.code(), 0, "it said: {}", ended.said());
    for part in parts {
        assert!(
            ended.err.contains(part),
            "expected {part:?} in: {}",
            ended.said()
        );
    }
    assert!(
        !ended.said().contains("panicked"),
        "it panicked: {}",
        ended.said()
    );
}

#[test]
fn a_sketch_that_is_no_script_is_refused_by_name() {
    let folder = Folder::new();
    std::fs::create_dir(folder.join("folder.lua")).unwrap();
    folder.write(
        "binary.lua",
        [0x7f, b'E', b'L', b'F', 0, 1, 2, 0xff, 0xfe, 0],
    );
    folder.write("latin1.lua", b"-- caf\xe9\nosc(10):out()\n");
    folder.write("garbage.lua", garbage(10 * 1024 * 1024));
    for (name, part) in [
        ("missing.lua", "missing.lua"),
        ("folder.lua", "folder"),
        ("binary.lua", "binary.lua"),
        ("latin1.lua", "UTF-8"),
        ("garbage.lua", "garbage.lua"),
        ("no/such/place/sketch.lua", "no/such/place/sketch.lua"),
    ] {
        for command in [
            &["check", name][..],
            &[
                "render", name, "--frames", "1", "--size", "16x16", "--out", "frames",
            ],
        ] {
            let ended = run(folder.gobo(command));
            assert_refused(&ended, &[part]);
            assert!(
                ended.said().len() < 4096,
                "{command:?} said {} bytes",
                ended.said().len()
            );
        }
    }
}

#[test]
fn a_missing_sketch_is_named_before_anything_opens() {
    let folder = Folder::new();
    let ended = run(folder.gobo(["run", "missing.lua", "--headless"]));
    assert_refused(&ended, &["missing.lua"]);
}

/// Letters, signs and bytes that are no text, without order.
fn garbage(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[3]
        })
        .collect()
}

#[test]
fn a_show_outlives_any_file_that_is_saved_over_its_sketch() {
    let folder = Folder::with_sketch(RED);
    let mut show = headless(&folder, "sketch.lua");
    show.settle();
    let letters: Vec<u8> = garbage(2 * 1024 * 1024)
        .into_iter()
        .map(|byte| b' ' + byte % 95)
        .collect();
    for (count, bytes) in [
        garbage(10 * 1024 * 1024),
        letters,
        b"-- \xff\xfe".to_vec(),
        [RED.as_bytes(), &[0; 64]].concat(),
        b"(".repeat(100_000),
        b"local x = {".repeat(50_000),
        [b"return ".to_vec(), b"-".repeat(200_000)].concat(),
        [b"x = \"".to_vec(), b"a".repeat(5_000_000)].concat(),
    ]
    .into_iter()
    .enumerate()
    {
        let said = show.lines().len();
        folder.write("sketch.lua", bytes);
        show.wait_for_line_after(said, &["sketch.lua"]);
        folder.write("sketch.lua", RED);
        show.wait_for_lines(count + 1, &["gobo: reloaded sketch.lua"]);
    }
    assert!(
        show.lines().iter().all(|line| line.len() < 4096),
        "a line of a broken file was shown whole"
    );
    show.signal("TERM");
    assert_eq!(show.wait_for_end().code(), Some(0));
}

#[test]
fn a_sketch_may_be_deleted_and_come_back() {
    let folder = Folder::with_sketch(RED);
    let mut show = headless(&folder, "sketch.lua");
    show.settle();
    std::fs::remove_file(folder.join("sketch.lua")).unwrap();
    std::fs::create_dir(folder.join("sketch.lua")).unwrap();
    show.settle();
    std::fs::remove_dir(folder.join("sketch.lua")).unwrap();
    folder.write("sketch.lua", "solid(0, 1, 0):out()\n");
    show.wait_for_line(&["gobo: reloaded sketch.lua"]);
}

#[test]
fn names_with_spaces_and_any_letters_work() {
    let folder = Folder::named("mein Auftritt ★ 日本");
    let name = "größe & licht.lua";
    folder.write(
        name,
        "local farbe = require(\"ton höhe\")\nsolid(farbe):out()\n",
    );
    folder.write("ton höhe.lua", "return 0.5\n");
    assert_eq!(run(folder.gobo(["check", name])).code(), 0);
    let mut show = headless(&folder, name);
    show.settle();
    folder.write(name, "solid(\"x\"):out()\n");
    show.wait_for_line(&[&format!(
        "{name}:1: solid.r: expected number, got string \"x\""
    )]);
    folder.write(name, RED);
    show.wait_for_line(&[&format!("gobo: reloaded {name}")]);
}

#[test]
fn a_name_that_is_no_text_works() {
    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.lua");
    std::fs::write(folder.path().join(name), RED).unwrap();
    let ended = run(folder.gobo([std::ffi::OsStr::new("check"), name]));
    assert_eq!(ended.code(), 0, "it said: {}", ended.said());
}

#[test]
fn numbers_that_are_none_are_named() {
    for number in ["0/0", "1/0", "-1/0"] {
        let folder = Folder::with_sketch(&format!("osc(10):rotate({number}):out()\n"));
        let ended = run(folder.gobo(["check", "sketch.lua"]));
        assert_eq!(ended.code(), 1, "{number}: {}", ended.said());
        assert!(
            ended
                .err
                .contains("sketch.lua:1: rotate.angle: expected a finite number"),
            "{number}: {}",
            ended.said()
        );
    }
}

#[test]
fn a_show_plays_in_a_folder_that_cannot_be_written() {
    let folder = Folder::with_sketch(RED);
    let mut command = folder.gobo([
        "run",
        folder.join("sketch.lua").to_str().unwrap(),
        "--headless",
    ]);
    // Nobody, not even root, can make a file here.
    command.current_dir("/proc/self");
    command.env("HOME", "/proc/self");
    let mut show = Show::start(command);
    show.settle();
    folder.write("sketch.lua", "solid(0, 1, 0):out()\n");
    show.wait_for_line(&["gobo: reloaded sketch.lua"]);
    show.signal("INT");
    assert_eq!(show.wait_for_end().code(), Some(0));
}

#[test]
fn a_show_plays_without_a_home() {
    let folder = Folder::with_sketch(RED);
    let mut command = folder.gobo(["run", "sketch.lua", "--headless"]);
    for name in ["HOME", "XDG_RUNTIME_DIR", "TERM", "LC_ALL", "PATH"] {
        command.env_remove(name);
    }
    let mut show = Show::start(command);
    show.settle();
    folder.write("sketch.lua", "solid(0, 1, 0):out()\n");
    show.wait_for_line(&["gobo: reloaded sketch.lua"]);
    show.signal("TERM");
    assert_eq!(show.wait_for_end().code(), Some(0));
}

#[test]
fn a_closed_input_does_not_end_the_show() {
    let folder = Folder::with_sketch(RED);
    let mut show = headless(&folder, "sketch.lua");
    show.settle();
    show.close_input();
    folder.write("sketch.lua", "solid(0, 1, 0):out()\n");
    show.wait_for_line(&["gobo: reloaded sketch.lua"]);
    show.signal("TERM");
    assert_eq!(show.wait_for_end().code(), Some(0));
}

#[test]
fn an_input_that_was_never_open_does_not_end_the_show() {
    let folder = Folder::with_sketch(RED);
    // The shell closes all that the program inherits but its error stream.
    let mut command = std::process::Command::new("sh");
    folder.settle(&mut command);
    command
        .current_dir(folder.path())
        .args(["-c", "exec \"$0\" run sketch.lua --headless <&- >&-"])
        .arg(env!("CARGO_BIN_EXE_gobo"));
    let mut show = Show::start(command);
    let mut saves = 0;
    // Nothing can be typed, so it is saved until it is seen.
    support::until("a reload", || {
        assert!(show.is_running(), "it ended: {:?}", show.lines());
        saves += 1;
        folder.write("sketch.lua", format!("solid(0, {saves}, 0):out()\n"));
        std::thread::sleep(std::time::Duration::from_millis(200));
        match show.count(&["gobo: reloaded sketch.lua"]) {
            0 => Err(format!("it said: {:?}", show.lines())),
            _ => Ok(()),
        }
    });
    show.signal("TERM");
    assert_eq!(show.wait_for_end().code(), Some(0));
}

#[test]
fn a_closed_output_does_not_end_the_show() {
    let folder = Folder::with_sketch(RED);
    let mut ended = std::process::Command::new("sh");
    folder.settle(&mut ended);
    // `head` closes the pipe after one line, long before the show is done.
    ended
        .current_dir(folder.path())
        .args([
            "-c",
            "{ \"$0\" docs; echo \"docs ended with $?\" >&2; } | head -n 1",
        ])
        .arg(env!("CARGO_BIN_EXE_gobo"))
        .stdin(Stdio::null());
    let ended = run_with_input(ended);
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
    assert!(ended.err.contains("docs ended with "), "{}", ended.err);
}

#[test]
fn lines_that_are_no_text_are_answered_at_the_prompt() {
    let folder = Folder::with_sketch(RED);
    let mut show = headless(&folder, "sketch.lua");
    show.settle();
    show.type_bytes(b"print(\"caf\xe9\")\n\0\0\n\x1b[A\x03\n");
    show.type_line(&"x".repeat(1_000_000));
    show.type_line("osc(");
    show.type_line("))");
    show.settle();
}

// --- runaway code ------------------------------------------------------------------------------

#[test]
fn runaway_code_is_cut_wherever_it_stands() {
    for (place, sketch, line) in [
        ("loading", "osc(10):out()\nwhile true do end\n", 2),
        (
            "a per-frame function",
            "solid(function(ctx)\n  while true do end\nend):out()\n",
            2,
        ),
        (
            "a coroutine",
            "local run = coroutine.wrap(function()\n  while true do end\nend)\nrun()\n",
            2,
        ),
        (
            "a protected call",
            "while true do\n  pcall(function() while true do end end)\nend\n",
            2,
        ),
        (
            "a handler of errors",
            "xpcall(function() error(\"x\") end, function()\n  while true do end\nend)\n",
            2,
        ),
        ("a numeric loop", "for i = 1, 1e12 do end\n", 1),
        (
            "a metamethod",
            "local t = setmetatable({}, { __index = function()\n  while true do end\nend })\nprint(t.x)\n",
            2,
        ),
        (
            "a sort",
            "local t = {}\nfor i = 1, 100 do t[i] = i end\ntable.sort(t, function() while true do end end)\n",
            3,
        ),
        ("a recursion", "local function f() return f() end\nf()\n", 1),
        ("a required file", "require(\"endless\")\n", 1),
    ] {
        let folder = Folder::with_sketch(RED);
        folder.write("endless.lua", "while true do end\n");
        let mut show = headless(&folder, "sketch.lua");
        show.settle();
        folder.write("sketch.lua", sketch);
        let file = if place == "a required file" {
            "endless.lua"
        } else {
            "sketch.lua"
        };
        show.wait_for_line(&[&format!("{file}:{line}: ")]);
        // The prompt answers and a save mends, so the show goes on.
        show.settle();
        folder.write("sketch.lua", "solid(0, 1, 0):out()\n");
        show.wait_for_line(&["gobo: reloaded sketch.lua"]);
        assert!(show.is_running(), "{place} ended the show");
    }
}

#[test]
fn runaway_code_at_the_prompt_is_cut() {
    let folder = Folder::with_sketch(RED);
    let mut show = headless(&folder, "sketch.lua");
    show.settle();
    for line in [
        "while true do end",
        "coroutine.wrap(function() while true do end end)()",
        "pcall(function() while true do end end) while true do end",
        "string.rep(\"x\", 1e10)",
        "local t = {} while true do t[#t + 1] = {} end",
        "local s = \"x\" while true do s = s .. s end",
        "string.find(string.rep(\"a\", 50000), string.rep(\"a*\", 50) .. \"b\")",
    ] {
        let said = show.lines().len();
        show.type_line(line);
        show.wait_for_line_after(said, &["repl"]);
        show.settle();
    }
}

#[test]
fn a_show_may_start_with_a_sketch_that_runs_away() {
    let folder = Folder::with_sketch("while true do end\n");
    let mut show = headless(&folder, "sketch.lua");
    show.wait_for_line(&["sketch.lua:1: "]);
    folder.write("sketch.lua", RED);
    show.wait_for_line(&["gobo: playing sketch.lua, which is mended"]);
    let ended = run(folder.gobo(["check", "sketch.lua"]));
    assert_eq!(ended.code(), 0);
}

#[test]
fn check_ends_on_a_sketch_that_runs_away() {
    let folder = Folder::with_sketch("\nwhile true do end\n");
    let ended = run(folder.gobo(["check", "sketch.lua"]));
    assert_eq!(ended.code(), 1);
    assert!(ended.err.contains("sketch.lua:2: "), "{}", ended.said());
}
