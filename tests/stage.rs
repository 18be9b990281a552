//! The window: a person looks at it, types into it, moves the mouse over it, and saves the sketch beside it.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod support;

use std::process::Command;

use support::folder::Folder;
use support::picture::{Picture, is_near};
use support::screen::{Screen, keep};
use support::sketches::{GREEN, RED, clock};
use support::{root, until};

fn small(folder: &Folder) -> Command {
    folder.gobo(["run", "sketch.lua", "--size", "320x180"])
}

// --- the picture -------------------------------------------------------------------------------

#[test]
fn the_first_example_plays_in_a_window() {
    let folder = Folder::new();
    let screen = Screen::start();
    let example = root().join("examples/01_hello.lua");
    let (mut show, window) =
        screen.play(folder.gobo(["run", example.to_str().unwrap(), "--size", "480x270"]));
    let first = window.wait_for("a picture", |picture| !picture.is_black());
    assert_eq!((first.width, first.height), (480, 270));
    window.wait_for("a picture that moves", |picture| {
        picture.mean_difference(&first) > 0.5
    });
    until("the title", || {
        let title = window.title();
        let complete = title.contains("01_hello") && title.contains("fps");
        if complete { Ok(()) } else { Err(title) }
    });
    show.wait_for_line(&["adapter", "llvmpipe"]);
    show.signal("TERM");
    assert_eq!(show.wait_for_end().code(), Some(0));
}

#[test]
fn the_window_shows_what_render_writes() {
    // A still picture with structure, the same through both ways.
    let folder = Folder::with_sketch("osc(20, 0, 1):kaleid(5):color(1, 0.6, 0.3):out()\n");
    let screen = Screen::start();
    let (_show, window) = screen.play(small(&folder));
    let ended = support::process::run(folder.gobo([
        "render",
        "sketch.lua",
        "--frames",
        "1",
        "--size",
        "320x180",
        "--out",
        "frames",
    ]));
    assert_eq!(ended.code(), 0, "it said: {}", ended.said());
    let frames = std::fs::read_dir(folder.join("frames")).unwrap();
    let written = Picture::read(&frames.last().unwrap().unwrap().path());
    let mut shown = None;
    until("the same picture", || {
        let picture = window.screenshot()?;
        let difference = picture.mean_difference(&written);
        shown = Some(picture);
        if difference < 1.0 {
            Ok(())
        } else {
            keep(shown.as_ref().unwrap(), "window.png");
            keep(&written, "render.png");
            Err(format!(
                "it differs by {difference:.2}; see window.png and render.png in {}",
                env!("CARGO_TARGET_TMPDIR")
            ))
        }
    });
}

#[test]
fn a_sketch_without_an_output_shows_black() {
    let folder = Folder::with_sketch("local image = osc(10)\n");
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    window.wait_for_colour([0, 0, 0]);
    show.type_line("solid(0, 0, 1):out()");
    window.wait_for_colour([0, 0, 255]);
}

// --- editing -----------------------------------------------------------------------------------

#[test]
fn a_save_changes_the_picture_and_a_broken_one_does_not() {
    let folder = Folder::with_sketch(RED);
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    window.wait_for_colour([255, 0, 0]);

    folder.write_by_rename("sketch.lua", GREEN);
    window.wait_for_colour([0, 255, 0]);
    show.wait_for_line(&["gobo: reloaded sketch.lua"]);

    folder.write_by_rename("sketch.lua", "solid(0, 0, 1):out()\nsolid(\"x\"):out()\n");
    let fault = "sketch.lua:2: solid.r: expected number, got string \"x\"";
    show.wait_for_line(&[fault]);
    show.wait_for_line(&["    2 | solid(\"x\"):out()"]);
    until("the title to count the problem", || {
        let title = window.title();
        if title.contains("1 problem") {
            Ok(())
        } else {
            Err(title)
        }
    });
    assert!(window.screenshot().unwrap().is_all([0, 255, 0]));

    folder.write_by_rename("sketch.lua", "solid(0, 0, 1):out()\n");
    window.wait_for_colour([0, 0, 255]);
    show.wait_for_lines(2, &["gobo: reloaded sketch.lua"]);
    until("the title to drop the problem", || {
        let title = window.title();
        if title.contains("1 problem") {
            Err(title)
        } else {
            Ok(())
        }
    });
    assert_eq!(show.count(&[fault]), 1, "it said: {:#?}", show.lines());
}

#[test]
fn a_new_structure_comes_without_a_black_frame() {
    let folder = Folder::with_sketch(RED);
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    window.wait_for_colour([255, 0, 0]);
    // While the new chain is prepared, the old picture plays: every look shows the one or the other.
    folder.write(
        "sketch.lua",
        "solid(0, 0, 1):add(noise(9):kaleid(7):modulate(osc(9):rotate(1):tile(3)):color(0, 1, 0)):out()\n",
    );
    until("the new picture", || {
        let picture = window.screenshot()?;
        assert!(!picture.is_black(), "the picture went dark");
        let has_blue = picture.mean()[2] > 200.0;
        if has_blue {
            Ok(())
        } else {
            assert!(picture.is_all([255, 0, 0]), "{}", picture.describe());
            Err("the old one plays".to_owned())
        }
    });
    show.wait_for_line(&["gobo: reloaded sketch.lua"]);
}

#[test]
fn time_goes_on_through_reloads_faults_and_lines_at_the_prompt() {
    let folder = Folder::with_sketch(&clock(0.0, 0.0));
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    let red = |picture: &Picture| picture.at(0, 0)[0];
    let mut latest = red(&window.wait_for("15 steps of red", |p| red(p) >= 15));
    // The clock neither starts anew nor stands still.
    let mut goes_on = |picture: &Picture| {
        let now = red(picture);
        assert!(now >= latest, "time went back from {latest} to {now}");
        latest = red(&window.wait_for("a clock that goes on", |p| red(p) > now));
    };
    folder.write("sketch.lua", clock(1.0, 0.0));
    goes_on(&window.wait_for("green beside it", |p| p.at(0, 0)[1] > 250));
    folder.write("sketch.lua", "solid(:out()\n");
    show.wait_for_line(&["sketch.lua:1: "]);
    goes_on(&window.screenshot().unwrap());
    folder.write("sketch.lua", clock(0.0, 1.0));
    goes_on(&window.wait_for("blue beside it", |p| p.at(0, 0)[2] > 250));
    show.type_line(clock(1.0, 1.0).trim_end());
    goes_on(&window.wait_for("green and blue beside it", |p| p.at(0, 0)[1] > 250));
}

#[test]
fn a_line_at_the_prompt_changes_the_picture() {
    let folder = Folder::with_sketch(RED);
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    window.wait_for_colour([255, 0, 0]);
    show.type_line("osc(20):rotate(0.3):out()");
    window.wait_for("stripes", |picture| {
        !picture.is_black()
            && picture
                .pixels
                .iter()
                .any(|p| !is_near(*p, picture.at(0, 0)))
    });
    show.type_line("osc(:out()");
    show.wait_for_line(&["repl:1: "]);
    show.type_line("solid(0, 0, 1):out()");
    window.wait_for_colour([0, 0, 255]);
    show.type_line("hush()");
    window.wait_for_colour([0, 0, 0]);
    // The file wins again when it is saved.
    folder.write("sketch.lua", GREEN);
    window.wait_for_colour([0, 255, 0]);
}

#[test]
fn an_error_in_a_function_of_time_falls_back_alone_and_is_told_once() {
    let folder = Folder::with_sketch(
        "solid(function(ctx)\n  if ctx.time > 1 then error(\"lost\") end\n  return 1\nend, 1, function(ctx) return ctx.time * 5 / 255 end):out()\n",
    );
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    show.wait_for_line(&["sketch.lua:2: ", "lost"]);
    show.wait_for_line(&["    2 |   if ctx.time > 1 then error(\"lost\") end"]);
    // Its last good value stays, the rest moves on.
    let blue = window.screenshot().unwrap().at(0, 0)[2];
    let picture = window.wait_for("more blue", |p| p.at(0, 0)[2] > blue + 5);
    assert!(
        is_near([picture.at(0, 0)[0], picture.at(0, 0)[1], 0], [255, 255, 0]),
        "{}",
        picture.describe()
    );
    assert_eq!(show.count(&["lost\""]), 1, "it said: {:#?}", show.lines());
    folder.write("sketch.lua", GREEN);
    window.wait_for_colour([0, 255, 0]);
}

#[test]
fn runaway_code_does_not_stop_the_picture() {
    let folder = Folder::with_sketch(&clock(0.0, 0.0));
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    let red = |picture: &Picture| picture.at(0, 0)[0];
    let goes_on = || {
        let now = red(&window.screenshot().unwrap());
        window.wait_for("a picture that goes on", |picture| red(picture) > now);
    };
    window.wait_for("red", |picture| red(picture) > 0);
    for sketch in [
        "while true do end\n".to_owned(),
        "coroutine.wrap(function() while true do end end)()\n".to_owned(),
        "while true do pcall(function() while true do end end) end\n".to_owned(),
    ] {
        let said = show.lines().len();
        folder.write("sketch.lua", sketch);
        show.wait_for_line_after(said, &["sketch.lua:1: "]);
        goes_on();
    }
    show.type_line("while true do end");
    show.wait_for_line(&["repl:1: "]);
    goes_on();
    // One that runs away at once is refused before it is on stage.
    let runaway = "solid(function()\n  while true do end\nend):out(o1)\n";
    folder.write("sketch.lua", format!("{}{runaway}", clock(1.0, 0.0)));
    show.wait_for_line(&["sketch.lua:3: "]);
    goes_on();
    // One that does so on stage holds up neither the picture nor what plays beside it.
    let later = "local calls = 0\nsolid(function(ctx)\n  calls += 1\n  while calls > 60 do end\n  return ctx.time % 1\nend):out(o1)\n";
    folder.write("sketch.lua", format!("{}{later}", clock(1.0, 0.0)));
    window.wait_for("green beside it", |picture| picture.at(0, 0)[1] > 250);
    show.wait_for_line(&["sketch.lua:5: "]);
    goes_on();
}

// --- sound, knobs and no devices ---------------------------------------------------------------

#[test]
fn listening_without_devices_plays_with_one_notice_each() {
    let folder = Folder::new();
    let screen = Screen::start();
    let example = root().join("examples/02_listen.lua");
    let (mut show, window) =
        screen.play(folder.gobo(["run", example.to_str().unwrap(), "--size", "320x180"]));
    window.wait_for("a picture", |picture| !picture.is_black());
    for what in ["audio", "midi"] {
        show.wait_for_line(&[what]);
    }
    show.settle();
    for what in ["audio", "midi"] {
        assert_eq!(show.count(&[what]), 1, "it said: {:#?}", show.lines());
    }
    assert_eq!(show.count(&["ALSA lib"]), 0, "it said: {:#?}", show.lines());
}

#[test]
fn every_example_plays() {
    let screen = Screen::start();
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        let folder = Folder::new();
        let (mut show, window) =
            screen.play(folder.gobo(["run", path.to_str().unwrap(), "--size", "320x180"]));
        window.wait_for(&format!("a picture of {}", path.display()), |picture| {
            !picture.is_black()
        });
        assert_eq!(show.count(&[".lua:"]), 0, "it said: {:#?}", show.lines());
        show.signal("TERM");
        assert_eq!(show.wait_for_end().code(), Some(0));
    }
}

#[test]
fn two_shows_run_side_by_side() {
    let screen = Screen::start();
    let (first, second) = (Folder::with_sketch(RED), Folder::with_sketch(GREEN));
    let (_one, one) = screen.play(small(&first));
    let (_two, two) = screen.play(small(&second));
    two.wait_for_colour([0, 255, 0]);
    // The second may lie over the first; in front, each shows its own.
    one.focus();
    one.wait_for_colour([255, 0, 0]);
}
