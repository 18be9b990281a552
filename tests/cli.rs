//! The commands that end by themselves, driven as a person would type them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::folder::Folder;
use support::output_of;
use support::picture::Picture;
use support::process::{Ended, run};

const OPERATORS: [&str; 17] = [
    "osc", "noise", "shape", "gradient", "solid", "src", "rotate", "scale", "kaleid", "tile",
    "scroll", "modulate", "add", "blend", "mult", "invert", "color",
];

fn gobo(folder: &Folder, arguments: &[&str]) -> Ended {
    run(folder.gobo(arguments))
}

fn assert_code(ended: &Ended, code: i32) {
    assert_eq!(ended.code(), code, "it said: {}", ended.said());
}

fn example(name: &str) -> String {
    support::root()
        .join("examples")
        .join(name)
        .display()
        .to_string()
}

/// The files of a folder in order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

// --- render ------------------------------------------------------------------------------------

#[test]
fn render_writes_the_same_bytes_each_time() {
    let folder = Folder::new();
    for out in ["first", "second"] {
        let ended = gobo(
            &folder,
            &[
                "render",
                &example("01_hello.lua"),
                "--frames",
                "12",
                "--fps",
                "60",
                "--size",
                "320x180",
                "--out",
                out,
            ],
        );
        assert_code(&ended, 0);
        let path = folder.join(out).canonicalize().unwrap();
        assert!(
            ended.said().contains(path.to_str().unwrap()),
            "the absolute path is missing: {}",
            ended.said()
        );
    }
    let first = files(&folder.join("first"));
    let second = files(&folder.join("second"));
    assert_eq!(first.len(), 12);
    let names = |files: &[PathBuf]| -> Vec<_> {
        files
            .iter()
            .map(|file| file.file_name().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&first), names(&second));
    for (a, b) in first.iter().zip(&second) {
        assert_eq!(a.extension().unwrap(), "png");
        assert!(
            fs::read(a).unwrap() == fs::read(b).unwrap(),
            "{} differs between two runs",
            a.display()
        );
        let picture = Picture::read(a);
        assert_eq!((picture.width, picture.height), (320, 180));
        assert!(!picture.is_black(), "{} is black", a.display());
    }
    assert!(
        Picture::read(&first[0]).mean_difference(&Picture::read(&first[11])) > 0.5,
        "nothing moved in 12 frames"
    );
}

#[test]
fn render_takes_its_time_from_the_frame_number() {
    let folder = Folder::with_sketch("solid(function(ctx) return ctx.time end):out()\n");
    for (fps, out) in [("10", "slow"), ("20", "fast")] {
        let ended = gobo(
            &folder,
            &[
                "render",
                "sketch.lua",
                "--duration",
                "0.5",
                "--fps",
                fps,
                "--size",
                "16x16",
                "--out",
                out,
            ],
        );
        assert_code(&ended, 0);
    }
    let (slow, fast) = (files(&folder.join("slow")), files(&folder.join("fast")));
    assert_eq!((slow.len(), fast.len()), (5, 10));
    for frame in 0..5 {
        // Both see the same moment, and it is as bright as its time is late.
        let expected = (frame as f64 / 10.0 * 255.0).round() as u8;
        for file in [&slow[frame], &fast[frame * 2]] {
            let picture = Picture::read(file);
            assert!(
                picture.is_all([expected, 0, 0]),
                "{}: expected {expected}, got {}",
                file.display(),
                picture.describe()
            );
        }
    }
}

#[test]
fn render_of_one_frame_ends_by_itself() {
    let folder = Folder::with_sketch("solid(1, 0.5, 0):out()\n");
    let ended = gobo(
        &folder,
        &[
            "render",
            "sketch.lua",
            "--frames",
            "1",
            "--size",
            "16x16",
            "--out",
            "frames",
        ],
    );
    assert_code(&ended, 0);
    let frames = files(&folder.join("frames"));
    assert_eq!(frames.len(), 1);
    assert!(Picture::read(&frames[0]).is_all([255, 128, 0]));
}

#[test]
fn render_says_why_a_folder_cannot_be_written() {
    let folder = Folder::with_sketch("solid(1):out()\n");
    folder.write("taken", "a file, no folder");
    for out in ["taken", "taken/frames", "/proc/frames"] {
        let ended = gobo(
            &folder,
            &[
                "render",
                "sketch.lua",
                "--frames",
                "1",
                "--size",
                "16x16",
                "--out",
                out,
            ],
        );
        assert_code(&ended, 3);
        assert!(
            ended.err.contains(out),
            "the folder is not named: {}",
            ended.said()
        );
    }
    assert_eq!(
        fs::read_to_string(folder.join("taken")).unwrap(),
        "a file, no folder"
    );
}

#[test]
fn render_of_a_wrong_sketch_writes_nothing() {
    let folder = Folder::with_sketch("osc(10):out()\nosc(\"x\"):out()\n");
    let ended = gobo(
        &folder,
        &[
            "render",
            "sketch.lua",
            "--frames",
            "1",
            "--size",
            "16x16",
            "--out",
            "frames",
        ],
    );
    assert_code(&ended, 1);
    assert!(
        ended
            .err
            .contains("sketch.lua:2: osc.frequency: expected number, got string \"x\""),
        "{}",
        ended.said()
    );
    assert!(
        !folder.join("frames").exists() || files(&folder.join("frames")).is_empty(),
        "pictures of a wrong sketch were written"
    );
}

#[test]
fn render_makes_a_clip_through_ffmpeg() {
    let folder = Folder::with_sketch("osc(10, 1):out()\n");
    let ended = gobo(
        &folder,
        &[
            "render",
            "sketch.lua",
            "--frames",
            "10",
            "--fps",
            "30",
            "--size",
            "64x36",
            "--out",
            "clip.mp4",
        ],
    );
    assert_code(&ended, 0);
    let clip = folder.join("clip.mp4").canonicalize().unwrap();
    assert!(
        ended.said().contains(clip.to_str().unwrap()),
        "{}",
        ended.said()
    );
    let facts = output_of(
        Command::new("ffprobe")
            .args(["-v", "error", "-count_frames", "-of", "csv=p=0"])
            .args([
                "-show_entries",
                "stream=width,height,r_frame_rate,nb_read_frames",
            ])
            .arg(&clip),
    )
    .unwrap();
    assert_eq!(String::from_utf8_lossy(&facts).trim(), "64,36,30/1,10");
}

#[test]
fn render_without_ffmpeg_says_what_to_install() {
    let folder = Folder::with_sketch("osc(10, 1):out()\n");
    let mut command = folder.gobo([
        "render",
        "sketch.lua",
        "--frames",
        "2",
        "--size",
        "64x36",
        "--out",
        "clip.mp4",
    ]);
    command.env("PATH", folder.home());
    let ended = run(command);
    assert_code(&ended, 3);
    assert!(ended.err.contains("ffmpeg"), "{}", ended.said());
    assert!(!folder.join("clip.mp4").exists());
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
        let typed = made.iter().any(|path| {
            path.is_file() && fs::read_to_string(path).unwrap().contains("osc") && {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                name.ends_with(".d.luau") || name.ends_with(".d.lua")
            }
        });
        assert!(typed, "no type file in {made:?}");
        let sketch = sketches
            .iter()
            .find(|path| !path.to_string_lossy().ends_with(".d.lua"))
            .unwrap();
        let ended = gobo(&folder, &["check", sketch.to_str().unwrap()]);
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

// --- adapters ----------------------------------------------------------------------------------

fn without_drivers(command: &mut Command, empty: &Path) {
    command
        .env("VK_DRIVER_FILES", "/nonexistent.json")
        .env("VK_ICD_FILENAMES", "/nonexistent.json")
        .env("LIBGL_DRIVERS_PATH", empty)
        .env("__EGL_VENDOR_LIBRARY_DIRS", empty);
}

#[test]
fn without_any_adapter_the_package_is_named() {
    let folder = Folder::with_sketch("osc(10):out()\n");
    for arguments in [
        &["run", "sketch.lua"][..],
        &["run", "sketch.lua", "--software"],
        &[
            "render",
            "sketch.lua",
            "--frames",
            "1",
            "--size",
            "16x16",
            "--out",
            "frames",
        ],
    ] {
        let mut command = folder.gobo(arguments);
        without_drivers(&mut command, &folder.home());
        let ended = run(command);
        assert_code(&ended, 3);
        assert!(
            ended.err.contains("mesa-vulkan-drivers"),
            "{arguments:?} names no package: {}",
            ended.said()
        );
    }
}

#[test]
fn the_chosen_adapter_is_named() {
    let folder = Folder::with_sketch("osc(10):out()\n");
    let render = [
        "render",
        "sketch.lua",
        "--frames",
        "1",
        "--size",
        "16x16",
        "--out",
        "frames",
    ];
    for (flags, variable) in [
        (&["--adapter", "llvmpipe"][..], None),
        (&["--software"], None),
        (&[], Some("llvmpipe")),
        (&[], Some("software")),
    ] {
        let mut command = folder.gobo(render.iter().chain(flags));
        command.env_remove("GOBO_ADAPTER");
        if let Some(name) = variable {
            command.env("GOBO_ADAPTER", name);
        }
        let ended = run(command);
        assert_code(&ended, 0);
        assert!(
            ended
                .said()
                .lines()
                .any(|line| line.contains("adapter") && line.contains("llvmpipe")),
            "{flags:?} with {variable:?} doesn't name the adapter: {}",
            ended.said()
        );
    }
}

#[test]
fn an_adapter_that_is_not_here_is_refused_with_those_that_are() {
    let folder = Folder::with_sketch("osc(10):out()\n");
    let ended = gobo(
        &folder,
        &[
            "render",
            "sketch.lua",
            "--frames",
            "1",
            "--size",
            "16x16",
            "--out",
            "frames",
            "--adapter",
            "voodoo2",
        ],
    );
    assert_code(&ended, 3);
    assert!(ended.err.contains("voodoo2"), "{}", ended.said());
    assert!(ended.err.contains("llvmpipe"), "{}", ended.said());
}
