//! Saving, in all the ways in which editors save, and what must not reload.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod support;

use std::fs;
use std::process::Command;

use support::folder::{Folder, write_part};
use support::process::Show;
use support::{output_of, until};

/// What each of these tests waits for.
const RELOADED: &[&str] = &["gobo: reloaded sketch.lua"];

/// A way in which an editor saves a file of this name with this text.
type Save = fn(&Folder, &str, &str);

fn sketch(number: usize) -> String {
    format!("print(\"version {number}\")\nsolid(0, 1, 0):out()\n")
}

/// A show that plays version 0 of its sketch.
fn play(folder: &Folder) -> Show {
    folder.write("sketch.lua", sketch(0));
    let mut show = Show::start(folder.gobo(["run", "sketch.lua", "--headless", "--size", "32x32"]));
    show.settle();
    show
}

/// Waits for the reload number `count` and the version that it played.
fn expect_version(show: &mut Show, count: usize, version: usize) {
    show.wait_for_lines(count, RELOADED);
    show.wait_for_line(&[&format!("version {version}")]);
}

/// Gives a reload that must not happen the chance to: a save afterwards is seen, and nothing else was.
fn expect_only(folder: &Folder, show: &mut Show, reloads: usize) {
    folder.write_by_rename("sketch.lua", &sketch(9999));
    expect_version(show, reloads + 1, 9999);
    show.settle();
    assert_eq!(
        show.count(RELOADED),
        reloads + 1,
        "it said: {:#?}",
        show.lines()
    );
}

#[test]
fn every_way_of_saving_reloads_each_time() {
    let folder = Folder::new();
    let mut show = play(&folder);
    let mut version = 0;
    let ways: [Save; 4] = [
        Folder::write_by_rename,
        Folder::write_by_backup,
        Folder::write_by_delete,
        |folder, name, text| folder.write(name, text),
    ];
    for save in ways {
        for _ in 0..10 {
            version += 1;
            save(&folder, "sketch.lua", &sketch(version));
            expect_version(&mut show, version, version);
        }
    }
    assert_eq!(
        show.count(&["sketch.lua:"]),
        0,
        "it said: {:#?}",
        show.lines()
    );
}

#[test]
fn vim_saves_reload() {
    let folder = Folder::new();
    let mut show = play(&folder);
    for (version, setting) in (1..).zip(["no", "yes", "auto", "no", "no"]) {
        output_of(
            Command::new("vim")
                .args(["-N", "-u", "NONE", "-es"])
                .args(["-c", &format!("set backup backupcopy={setting}")])
                .args(["-c", &format!("%s/version \\d*/version {version}/")])
                .args(["-c", "wq"])
                .arg(folder.join("sketch.lua")),
        )
        .unwrap();
        expect_version(&mut show, version, version);
    }
    expect_only(&folder, &mut show, 5);
}

#[test]
fn required_files_reload_in_every_way_too() {
    let folder = Folder::new();
    folder.write("parts/tone.lua", "return 0\n");
    folder.write(
        "sketch.lua",
        "local tone = require(\"parts.tone\")\nprint(\"tone \" .. tone)\nsolid(0, 1, 0):out()\n",
    );
    let mut show = Show::start(folder.gobo(["run", "sketch.lua", "--headless", "--size", "32x32"]));
    show.wait_for_line(&["tone 0"]);
    show.settle();
    let ways: [Save; 4] = [
        Folder::write_by_rename,
        Folder::write_by_backup,
        Folder::write_by_delete,
        |folder, name, text| folder.write(name, text),
    ];
    let mut tone = 0;
    for save in ways {
        for _ in 0..3 {
            tone += 1;
            save(&folder, "parts/tone.lua", &format!("return {tone}\n"));
            show.wait_for_line(&[&format!("tone {tone}")]);
        }
    }
    assert_eq!(
        show.count(&["tone "]),
        tone + 1,
        "it said: {:#?}",
        show.lines()
    );
}

#[test]
fn a_file_that_is_no_longer_required_no_longer_reloads() {
    let folder = Folder::new();
    folder.write("a.lua", "return require(\"b\")\n");
    folder.write("b.lua", "return 1\n");
    folder.write("sketch.lua", "print(\"b is \" .. require(\"a\"))\n");
    let mut show = Show::start(folder.gobo(["run", "sketch.lua", "--headless", "--size", "32x32"]));
    show.wait_for_line(&["b is 1"]);
    show.settle();
    folder.write("b.lua", "return 2\n");
    show.wait_for_line(&["b is 2"]);
    // It says so when it has entered, which is after it has printed.
    show.wait_for_line(&["gobo: reloaded"]);
    let reloads = show.count(&["gobo: reloaded"]);
    folder.write("sketch.lua", sketch(1));
    show.wait_for_line(&["version 1"]);
    show.wait_for_lines(reloads + 1, &["gobo: reloaded"]);
    folder.write("b.lua", "return 3\n");
    folder.write_by_rename("sketch.lua", &sketch(2));
    show.wait_for_line(&["version 2"]);
    show.settle();
    assert_eq!(
        show.count(&["gobo: reloaded"]),
        reloads + 2,
        "it said: {:#?}",
        show.lines()
    );
}

#[test]
fn files_beside_the_sketch_do_not_reload_it() {
    let folder = Folder::new();
    let mut show = play(&folder);
    for name in [
        "4913",
        "sketch.lua~",
        ".sketch.lua.swp",
        "sketch.lua.tmp",
        "#sketch.lua#",
        "other.lua",
        "deep/er/sketch.lua",
    ] {
        folder.write(name, "print(\"not me\")\n");
        folder.write(name, "print(\"nor me\")\n");
        if name != "other.lua" {
            fs::remove_file(folder.join(name)).unwrap();
        }
    }
    expect_only(&folder, &mut show, 0);
    assert_eq!(show.count(&[" me"]), 0);
}

#[test]
fn a_half_written_file_is_not_read() {
    let folder = Folder::new();
    let mut show = play(&folder);
    let mut file = folder.truncate("sketch.lua");
    // The pause that editors on slow disks make, which is the thing under test.
    std::thread::sleep(std::time::Duration::from_millis(30));
    write_part(&mut file, &sketch(1));
    drop(file);
    expect_version(&mut show, 1, 1);

    let long = format!("{}\n{}", "-- a long comment\n".repeat(116_000), sketch(2));
    assert!(long.len() > 2_000_000);
    let mut file = folder.truncate("sketch.lua");
    for part in long.as_bytes().chunks(long.len() / 8 + 1) {
        write_part(&mut file, std::str::from_utf8(part).unwrap());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    drop(file);
    expect_version(&mut show, 2, 2);
    expect_only(&folder, &mut show, 2);
    assert_eq!(
        show.count(&["sketch.lua:"]),
        0,
        "it said: {:#?}",
        show.lines()
    );
}

#[test]
fn two_saves_at_once_end_with_the_second() {
    let folder = Folder::new();
    let mut show = play(&folder);
    for round in 0..10 {
        let (first, second) = (round * 2 + 1, round * 2 + 2);
        folder.write_by_rename("sketch.lua", &sketch(first));
        folder.write("sketch.lua", sketch(second));
        show.wait_for_line(&[&format!("version {second}")]);
    }
    show.settle();
    assert_eq!(
        show.count(&["sketch.lua:"]),
        0,
        "it said: {:#?}",
        show.lines()
    );
}

#[test]
fn touching_without_a_change_does_nothing() {
    let folder = Folder::new();
    let mut show = play(&folder);
    for _ in 0..50 {
        folder.write("sketch.lua", sketch(0));
    }
    expect_only(&folder, &mut show, 0);
    assert_eq!(show.count(&["version 0"]), 1);
}

#[test]
fn a_sketch_behind_a_link_reloads_when_its_target_or_the_link_changes() {
    let folder = Folder::new();
    folder.write("real/one.lua", sketch(1));
    folder.write("real/two.lua", sketch(2));
    std::os::unix::fs::symlink("real/one.lua", folder.join("sketch.lua")).unwrap();
    let mut show = Show::start(folder.gobo(["run", "sketch.lua", "--headless", "--size", "32x32"]));
    show.wait_for_line(&["version 1"]);
    show.settle();
    folder.write("real/one.lua", sketch(3));
    show.wait_for_line(&["version 3"]);
    std::os::unix::fs::symlink("real/two.lua", folder.join("next")).unwrap();
    fs::rename(folder.join("next"), folder.join("sketch.lua")).unwrap();
    show.wait_for_line(&["version 2"]);
    folder.write("real/two.lua", sketch(4));
    show.wait_for_line(&["version 4"]);
}

#[test]
fn a_fault_is_told_once_and_its_mending_too() {
    let folder = Folder::new();
    let mut show = play(&folder);
    folder.write("sketch.lua", "solid(0, 1, 0):out()\nsolid(\"x\"):out()\n");
    let fault = "sketch.lua:2: solid.r: expected number, got string \"x\"";
    show.wait_for_line(&[fault]);
    show.wait_for_line(&["    2 | solid(\"x\"):out()"]);
    // The same fault, saved again with a change elsewhere, is no news.
    folder.write("sketch.lua", "solid(0, 1, 1):out()\nsolid(\"x\"):out()\n");
    show.settle();
    folder.write("sketch.lua", sketch(1));
    expect_version(&mut show, 1, 1);
    show.settle();
    assert_eq!(show.count(&[fault]), 1, "it said: {:#?}", show.lines());
    assert_eq!(show.count(&["    2 | "]), 1, "it said: {:#?}", show.lines());
    // The very version that played before the fault counts as mended too.
    folder.write("sketch.lua", "solid(:out()\n");
    show.wait_for_line(&["sketch.lua:1: "]);
    folder.write("sketch.lua", sketch(1));
    show.wait_for_lines(2, RELOADED);
}

#[test]
fn a_broken_sketch_at_the_start_plays_once_it_is_mended() {
    let folder = Folder::with_sketch("solid(:out()\n");
    let mut show = Show::start(folder.gobo(["run", "sketch.lua", "--headless", "--size", "32x32"]));
    show.wait_for_line(&["sketch.lua:1: "]);
    folder.write("sketch.lua", sketch(1));
    show.wait_for_line(&["version 1"]);
    show.wait_for_line(&["gobo: playing sketch.lua, which is mended"]);
}

#[test]
fn saving_reloads_without_anyone_at_the_keyboard() {
    let folder = Folder::new();
    let mut show = play(&folder);
    show.close_input();
    folder.write("sketch.lua", sketch(1));
    expect_version(&mut show, 1, 1);
}

#[test]
fn a_folder_renamed_into_place_reloads_what_is_in_it() {
    let folder = Folder::new();
    folder.write("parts/tone.lua", "return 1\n");
    folder.write(
        "sketch.lua",
        "print(\"tone \" .. require(\"parts.tone\"))\n",
    );
    let mut show = Show::start(folder.gobo(["run", "sketch.lua", "--headless", "--size", "32x32"]));
    show.wait_for_line(&["tone 1"]);
    show.settle();
    folder.write("next/tone.lua", "return 2\n");
    fs::rename(folder.join("parts"), folder.join("last")).unwrap();
    fs::rename(folder.join("next"), folder.join("parts")).unwrap();
    show.wait_for_line(&["tone 2"]);
    // And the new folder is watched.
    until("an edit in the new folder to be seen", || {
        folder.write("parts/tone.lua", "return 3\n");
        if show.count(&["tone 3"]) > 0 {
            Ok(())
        } else {
            Err(format!("it said: {:#?}", show.lines()))
        }
    });
}
