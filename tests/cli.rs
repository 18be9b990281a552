//! The commands that end by themselves, driven as a person would type them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod support;

use std::fs;

use support::folder::{Folder, files};
use support::process::{Ended, assert_code, run};

const OPERATORS: [&str; 17] = [
    "osc", "noise", "shape", "gradient", "solid", "src", "rotate", "scale", "kaleid", "tile",
    "scroll", "modulate", "add", "blend", "mult", "invert", "color",
];

fn gobo(folder: &Folder, arguments: &[&str]) -> Ended {
    run(folder.gobo(arguments))
}

// --- check -------------------------------------------------------------------------------------

#[test]
fn check_passes_every_example() {
    let folder = Folder::new();
    let examples = files(&support::root().join("examples"));
    assert!(examples.len() >= 5, "only {} examples", examples.len());
    for sketch in examples {
        let ended = gobo(&folder, &["check", sketch.to_str().unwrap()]);
        assert_code(&ended, 0);
        let lines = fs::read_to_string(&sketch).unwrap().lines().count();
        assert!(lines < 40, "{} has {lines} lines", sketch.display());
    }
}

#[test]
fn check_names_file_line_and_fault() {
    for (sketch, message, source) in [
        (
            "osc(10):out()\nosc(:out()\n",
            "sketch.lua:2: ",
            "    2 | osc(:out()",
        ),
        (
            "\n\nosc(\"x\"):out()\n",
            "sketch.lua:3: osc.frequency: expected number, got string \"x\"",
            "    3 | osc(\"x\"):out()",
        ),
        (
            "local image = oscc(10)\n",
            "sketch.lua:1: ",
            "    1 | local image = oscc(10)",
        ),
        (
            "osc(10):kalied(3):out()\n",
            "kaleid",
            "    1 | osc(10):kalied(3):out()",
        ),
        (
            "osc(0/0):out()\n",
            "sketch.lua:1: osc.frequency: ",
            "    1 | osc(0/0):out()",
        ),
        (
            "osc{ frequencey = 3 }:out()\n",
            "frequency",
            "    1 | osc{ frequencey = 3 }:out()",
        ),
        (
            "osc(10):modulate(3):out()\n",
            "sketch.lua:1: modulate",
            "    1 | osc(10):modulate(3):out()",
        ),
    ] {
        let folder = Folder::with_sketch(sketch);
        let ended = gobo(&folder, &["check", "sketch.lua"]);
        assert_code(&ended, 1);
        assert!(
            ended.err.contains(message),
            "expected {message:?} for {sketch:?}, got: {}",
            ended.said()
        );
        assert!(
            ended.err.contains("sketch.lua:"),
            "no file and line for {sketch:?}: {}",
            ended.said()
        );
        assert_eq!(
            ended.err.lines().filter(|line| *line == source).count(),
            1,
            "expected the source line {source:?} once, got: {}",
            ended.said()
        );
    }
}

#[test]
fn check_follows_required_files() {
    let folder = Folder::with_sketch("local tint = require(\"tint\")\ntint(osc(10)):out()\n");
    folder.write(
        "tint.lua",
        "return function(image) return image:color(1, 0.5, 0) end\n",
    );
    assert_code(&gobo(&folder, &["check", "sketch.lua"]), 0);
    folder.write(
        "tint.lua",
        "return function(image)\n  return image:colour(1)\nend\n",
    );
    let ended = gobo(&folder, &["check", "sketch.lua"]);
    assert_code(&ended, 1);
    assert!(
        ended.err.contains("tint.lua:2: "),
        "the fault lies in tint.lua, line 2: {}",
        ended.said()
    );
    assert!(ended.err.contains("color"), "{}", ended.said());
}

// --- docs, devices, new ------------------------------------------------------------------------

#[test]
fn docs_lists_every_operator_and_explains_each() {
    let folder = Folder::new();
    let all = gobo(&folder, &["docs"]);
    assert_code(&all, 0);
    for name in OPERATORS {
        assert!(
            all.out
                .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .any(|word| word == name),
            "{name} is missing: {}",
            all.out
        );
        let one = gobo(&folder, &["docs", name]);
        assert_code(&one, 0);
        assert!(one.out.contains(name), "{}", one.out);
    }
    let osc = gobo(&folder, &["docs", "osc"]).out;
    for part in ["frequency", "60", "sync", "0.1", "offset"] {
        assert!(osc.contains(part), "{part} is missing: {osc}");
    }
}

#[test]
fn docs_of_an_unknown_name_suggests_the_nearest() {
    let ended = gobo(&Folder::new(), &["docs", "kalied"]);
    assert_code(&ended, 2);
    assert!(ended.err.contains("kaleid"), "{}", ended.said());
}

#[test]
fn devices_answers_on_a_machine_without_any() {
    let ended = gobo(&Folder::new(), &["devices"]);
    assert_code(&ended, 0);
    let said = ended.out.to_lowercase();
    for part in ["audio", "midi"] {
        assert!(said.contains(part), "{part} is missing: {said}");
    }
    assert!(
        !ended.said().contains("ALSA lib"),
        "the sound library speaks into the terminal: {}",
        ended.said()
    );
}

#[test]
fn new_makes_a_project_that_plays() {
    let folder = Folder::new();
    for name in ["first", "zweite Schau ★"] {
        let ended = gobo(&folder, &["new", name]);
        assert_code(&ended, 0);
        let made = files(&folder.join(name));
        let sketches: Vec<_> = made
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == "lua"))
            .collect();
        assert!(!sketches.is_empty(), "no sketch in {made:?}");
        let types = folder.join(name).join("types/gobo.d.luau");
        assert!(
            fs::read_to_string(types).unwrap().contains("osc"),
            "an editor knows no osc"
        );
        let ended = gobo(&folder, &["check", sketches[0].to_str().unwrap()]);
        assert_code(&ended, 0);
    }
}

#[test]
fn new_never_writes_over_what_is_there() {
    let folder = Folder::new();
    folder.write("taken/notes.txt", "mine");
    let ended = gobo(&folder, &["new", "taken"]);
    assert_ne!(ended.code(), 0, "it said: {}", ended.said());
    assert!(ended.err.contains("taken"), "{}", ended.said());
    assert_eq!(files(&folder.join("taken")).len(), 1);
}

// --- usage -------------------------------------------------------------------------------------

#[test]
fn a_wrong_command_line_is_told_apart_from_a_wrong_sketch() {
    let folder = Folder::with_sketch("osc(10):out()\n");
    for arguments in [
        &[][..],
        &["rum", "sketch.lua"],
        &["run"],
        &["run", "sketch.lua", "--size", "0x0"],
        &["run", "sketch.lua", "--size", "wide"],
        &["run", "sketch.lua", "--fps", "0"],
        &[
            "render",
            "sketch.lua",
            "--size",
            "0x10",
            "--frames",
            "1",
            "--out",
            "x",
        ],
        &["render", "sketch.lua", "--frames", "many", "--out", "x"],
        &[
            "render",
            "sketch.lua",
            "--frames",
            "1",
            "--fps",
            "nan",
            "--out",
            "x",
        ],
    ] {
        let ended = gobo(&folder, arguments);
        assert_eq!(ended.code(), 2, "{arguments:?} said: {}", ended.said());
        assert!(!ended.err.is_empty(), "{arguments:?} said nothing");
    }
    for arguments in [&["--help"][..], &["--version"], &["render", "--help"]] {
        assert_code(&gobo(&folder, arguments), 0);
    }
}
