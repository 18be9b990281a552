//! Saves as editors really do them: each new content arrives once and whole, and nothing else does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a failing test should panic"
)]

#[path = "watching/paths.rs"]
mod paths;
#[path = "watching/stage.rs"]
mod stage;

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gobo::app::watch::digest;

use stage::Stage;

fn ten_times(save: impl Fn(&Path, &str)) {
    let stage = Stage::new().watching(&["sketch.lua"]);
    for round in 1..=10 {
        let text = format!("-- round {round}");
        save(&stage.path("sketch.lua"), &text);
        stage.expect("sketch.lua", &text);
    }
    stage.expect_silence();
}

fn beside(path: &Path, name: &str) -> PathBuf {
    path.with_file_name(name)
}

// A1: saves of every kind, ten times each.

#[test]
fn a_plain_overwrite_is_delivered_each_time() {
    ten_times(|path, text| fs::write(path, text).unwrap());
}

#[test]
fn a_temporary_file_renamed_over_is_delivered_each_time() {
    ten_times(|path, text| {
        let temporary = beside(path, "sketch.lua.tmp");
        fs::write(&temporary, text).unwrap();
        fs::rename(temporary, path).unwrap();
    });
}

#[test]
fn a_backup_rename_is_delivered_each_time() {
    ten_times(|path, text| {
        let backup = beside(path, "sketch.lua~");
        fs::rename(path, &backup).unwrap();
        fs::write(path, text).unwrap();
        fs::remove_file(backup).unwrap();
    });
}

#[test]
fn delete_and_create_is_delivered_each_time() {
    ten_times(|path, text| {
        fs::remove_file(path).unwrap();
        fs::write(path, text).unwrap();
    });
}

#[test]
fn a_hard_link_put_in_its_place_is_delivered_each_time() {
    ten_times(|path, text| {
        let other = beside(path, "other");
        fs::write(&other, text).unwrap();
        fs::remove_file(path).unwrap();
        fs::hard_link(&other, path).unwrap();
        fs::remove_file(other).unwrap();
    });
}

fn vim(settings: &str) {
    if Command::new("vim")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_err()
    {
        eprintln!("not tested: vim is not installed");
        return;
    }
    ten_times(|path, text| {
        let status = Command::new("vim")
            .args(["-N", "-u", "NONE", "-i", "NONE", "-es", "-c", settings])
            .args([
                "-c",
                &format!("%s/.*/{text}/"),
                "-c",
                "set noeol nofixeol binary",
                "-c",
                "wq",
            ])
            .arg(path)
            .stdin(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "vim: {status}");
    });
}

#[test]
fn vim_as_it_comes_is_delivered_each_time() {
    vim("set swapfile backupcopy&");
}

#[test]
fn vim_that_renames_a_backup_is_delivered_each_time() {
    vim("set swapfile writebackup backupcopy=no");
}

#[test]
fn vim_that_copies_a_backup_is_delivered_each_time() {
    vim("set swapfile backup backupcopy=yes");
}

// A2: modules and shaders, not only the sketch.

#[test]
fn every_file_of_the_set_is_watched() {
    let names = ["sketch.lua", "scripts/glow.lua", "shaders/rain.wgsl"];
    let stage = Stage::new().watching(&names);
    for round in 1..=3 {
        for name in names {
            let text = format!("{name} {round}");
            let temporary = stage.path("temporary");
            fs::write(&temporary, &text).unwrap();
            fs::rename(temporary, stage.path(name)).unwrap();
            stage.expect(name, &text);
        }
    }
}

#[test]
fn files_saved_together_all_arrive() {
    let names = ["a.lua", "b.lua", "c.lua"];
    let stage = Stage::new().watching(&names);
    names
        .iter()
        .for_each(|name| fs::write(stage.path(name), "-- second").unwrap());
    let mut arrived = Vec::new();
    while arrived.len() < names.len() {
        arrived.extend(stage.next("all three").into_iter().map(|(name, _)| name));
    }
    arrived.sort();
    assert_eq!(arrived, names);
    stage.expect_silence();
}

#[test]
fn a_noisy_neighbour_delays_nothing() {
    let stage = Stage::new().watching(&["sketch.lua"]);
    let noise = stage.path("log.txt");
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut writes = 0;
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                fs::write(&noise, "x").unwrap();
                writes += 1;
            }
            writes
        });
        for round in 1..=10 {
            fs::write(stage.path("sketch.lua"), format!("{round}")).unwrap();
            stage.expect("sketch.lua", &format!("{round}"));
        }
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(writer.join().unwrap() > 0);
    });
}

// A3: what editors leave beside the file.

#[test]
fn other_files_beside_it_are_no_news() {
    let stage = Stage::new().watching(&["x.lua"]);
    for name in [
        "4913",
        "x.lua~",
        ".x.swp",
        "x.lua.tmp",
        "unrelated.lua",
        "X.lua.bak",
    ] {
        fs::write(stage.path(name), "-- noise").unwrap();
        fs::rename(stage.path(name), stage.path("moved")).unwrap();
        fs::remove_file(stage.path("moved")).unwrap();
        fs::write(stage.path(name), "-- noise").unwrap();
    }
    fs::create_dir(stage.path("folder")).unwrap();
    stage.expect_silence();
}

#[test]
fn reading_the_file_is_no_news() {
    let stage = Stage::new().watching(&["x.lua"]);
    for _ in 0..20 {
        fs::read(stage.path("x.lua")).unwrap();
    }
    stage.expect_silence();
}

// A5: settle, then read. The pauses here are the case itself.

/// Writes with pauses of 30 ms, anew when the machine was too busy to keep them.
fn written_slowly(write: impl Fn(&Path, &dyn Fn()), expected: &str) {
    loop {
        let stage = Stage::new().watching(&["x.lua"]);
        let is_late = Cell::new(false);
        write(&stage.path("x.lua"), &|| {
            let start = Instant::now();
            std::thread::sleep(Duration::from_millis(30));
            is_late.set(is_late.get() || start.elapsed() > Duration::from_millis(150));
        });
        if is_late.get() {
            eprintln!("again: the machine was too busy to pause for 30 ms");
            continue;
        }
        assert!(stage.next("the whole file") == [("x.lua".to_owned(), expected.to_owned())]);
        return stage.expect_silence();
    }
}

#[test]
fn a_file_truncated_and_written_later_is_delivered_whole() {
    let write = |path: &Path, pause: &dyn Fn()| {
        fs::write(path, "").unwrap();
        pause();
        fs::write(path, "-- whole").unwrap();
    };
    written_slowly(write, "-- whole");
}

#[test]
fn a_file_held_open_between_truncating_and_writing_is_delivered_whole() {
    let write = |path: &Path, pause: &dyn Fn()| {
        let mut file = fs::File::create(path).unwrap();
        pause();
        file.write_all(b"-- whole").unwrap();
    };
    written_slowly(write, "-- whole");
}

#[test]
fn two_megabytes_in_eight_chunks_are_delivered_once() {
    let chunk = "-- 0123456789 abcdefghijklmnop\n".repeat(8456);
    let write = |path: &Path, pause: &dyn Fn()| {
        let mut file = fs::File::create(path).unwrap();
        for _ in 0..8 {
            file.write_all(chunk.as_bytes()).unwrap();
            pause();
        }
    };
    written_slowly(write, &chunk.repeat(8));
}

#[test]
fn a_file_that_is_gone_for_a_moment_is_awaited() {
    let stage = Stage::new().watching(&["x.lua"]);
    fs::rename(stage.path("x.lua"), stage.path("away")).unwrap();
    stage.expect_silence();
    fs::rename(stage.path("away"), stage.path("x.lua")).unwrap();
    stage.expect_silence();
    fs::remove_file(stage.path("x.lua")).unwrap();
    fs::write(stage.path("x.lua"), "-- back").unwrap();
    stage.expect("x.lua", "-- back");
}

#[test]
fn a_file_that_is_emptied_for_good_is_delivered_empty() {
    let stage = Stage::new().watching(&["x.lua"]);
    fs::write(stage.path("x.lua"), "").unwrap();
    stage.expect("x.lua", "");
}

// A7: no change of content, no work.

#[test]
fn fifty_touches_are_no_news() {
    let stage = Stage::new().watching(&["x.lua"]);
    for round in 0..50 {
        let file = fs::File::options()
            .append(true)
            .open(stage.path("x.lua"))
            .unwrap();
        file.set_modified(std::time::SystemTime::now() + Duration::from_secs(round))
            .unwrap();
    }
    stage.expect_silence();
}

#[test]
fn saving_the_same_content_is_no_news() {
    let stage = Stage::new().watching(&["x.lua"]);
    for _ in 0..10 {
        fs::write(stage.path("x.lua"), "-- first").unwrap();
        fs::write(stage.path("temporary"), "-- first").unwrap();
        fs::rename(stage.path("temporary"), stage.path("x.lua")).unwrap();
    }
    stage.expect_silence();
}

#[test]
fn two_saves_in_quick_succession_end_with_the_last() {
    for pause in [0, 5, 15, 40, 90] {
        let stage = Stage::new().watching(&["x.lua"]);
        fs::write(stage.path("x.lua"), "-- one").unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        fs::write(stage.path("x.lua"), "-- two").unwrap();
        let mut texts: Vec<_> = stage
            .next("one or two")
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        while texts.last().unwrap() != "-- two" {
            texts.extend(stage.next("the last").into_iter().map(|(_, text)| text));
        }
        assert!(
            texts == ["-- two"] || texts == ["-- one", "-- two"],
            "pause {pause} ms: {texts:?}"
        );
        stage.expect_silence();
    }
}

#[test]
fn a_file_made_between_looking_for_it_and_watching_is_delivered() {
    let stage = Stage::new();
    fs::write(stage.path("x.lua"), "-- here now").unwrap();
    stage.watcher.set_read_files([(stage.path("x.lua"), None)]);
    stage.expect("x.lua", "-- here now");
}

#[test]
fn a_save_between_reading_and_watching_is_delivered() {
    let stage = Stage::new();
    fs::write(stage.path("x.lua"), "-- newer").unwrap();
    stage
        .watcher
        .set_read_files([(stage.path("x.lua"), Some(digest(b"-- older")))]);
    stage.expect("x.lua", "-- newer");
}
