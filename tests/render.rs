//! Pictures to files, and the adapter that draws them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::folder::{Folder, files};
use support::output_of;
use support::picture::Picture;
use support::process::{Ended, assert_code, run};

fn gobo(folder: &Folder, arguments: &[&str]) -> Ended {
    run(folder.gobo(arguments))
}

#[test]
fn render_writes_the_same_bytes_each_time() {
    let folder = Folder::new();
    let example = support::root().join("examples/01_hello.lua");
    let example = example.to_str().unwrap();
    for out in ["first", "second"] {
        let ended = gobo(
            &folder,
            &[
                "render", example, "--frames", "12", "--fps", "60", "--size", "320x180", "--out",
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
