//! Links, folders, systems that report nothing, and the set of files itself.

use std::fs;

use gobo::app::watch::{Event, Watcher, digest};

use crate::stage::{DEADLINE, Stage};

/// Edits that would lead to a notice if the system did not report them.
fn edit_thrice(stage: &Stage, file: &str, watched: &str) {
    for round in ["one", "two", "three"] {
        fs::write(stage.path(file), format!("edit {round}")).unwrap();
        stage.expect(watched, &format!("edit {round}"));
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_is_swapped_is_delivered_and_its_target_watched() {
    use std::os::unix::fs::symlink;
    let stage = Stage::new();
    fs::create_dir(stage.path("one")).unwrap();
    fs::create_dir(stage.path("two")).unwrap();
    fs::write(stage.path("one/x.lua"), "-- one").unwrap();
    fs::write(stage.path("two/x.lua"), "-- two").unwrap();
    symlink("one/x.lua", stage.path("x.lua")).unwrap();
    stage.watch(&["x.lua"]);
    fs::write(stage.path("one/x.lua"), "-- one, edited").unwrap();
    stage.expect("x.lua", "-- one, edited");
    symlink("two/x.lua", stage.path("next")).unwrap();
    fs::rename(stage.path("next"), stage.path("x.lua")).unwrap();
    stage.expect("x.lua", "-- two");
    edit_thrice(&stage, "two/x.lua", "x.lua");
    fs::write(stage.path("one/x.lua"), "-- nobody looks here").unwrap();
    stage.expect_silence();
}

#[cfg(unix)]
#[test]
fn a_linked_folder_that_is_swapped_is_delivered() {
    use std::os::unix::fs::symlink;
    let stage = Stage::new();
    fs::create_dir(stage.path("one")).unwrap();
    fs::create_dir(stage.path("two")).unwrap();
    fs::write(stage.path("one/x.lua"), "-- one").unwrap();
    fs::write(stage.path("two/x.lua"), "-- two").unwrap();
    symlink("one", stage.path("current")).unwrap();
    stage.watch(&["current/x.lua"]);
    symlink("two", stage.path("next")).unwrap();
    fs::rename(stage.path("next"), stage.path("current")).unwrap();
    stage.expect("current/x.lua", "-- two");
    edit_thrice(&stage, "two/x.lua", "current/x.lua");
}

#[test]
fn a_folder_that_is_replaced_is_watched_again() {
    let stage = Stage::new().watching(&["sub/x.lua"]);
    for round in 1..=5 {
        fs::remove_dir_all(stage.path("sub")).unwrap();
        fs::create_dir(stage.path("sub")).unwrap();
        fs::write(stage.path("sub/x.lua"), format!("removed {round}")).unwrap();
        stage.expect("sub/x.lua", &format!("removed {round}"));
        fs::rename(stage.path("sub"), stage.path(&format!("old{round}"))).unwrap();
        fs::create_dir(stage.path("sub")).unwrap();
        fs::write(stage.path("sub/x.lua"), format!("renamed {round}")).unwrap();
        stage.expect("sub/x.lua", &format!("renamed {round}"));
        fs::write(stage.path("sub/x.lua"), format!("edited {round}")).unwrap();
        stage.expect("sub/x.lua", &format!("edited {round}"));
    }
}

#[test]
fn a_file_in_a_folder_that_does_not_exist_yet_is_awaited() {
    let stage = Stage::new();
    stage.watch(&["deep/er/x.lua"]);
    fs::create_dir_all(stage.path("deep/er")).unwrap();
    fs::write(stage.path("deep/er/x.lua"), "-- here").unwrap();
    stage.expect("deep/er/x.lua", "-- here");
    edit_thrice(&stage, "deep/er/x.lua", "deep/er/x.lua");
}

// A8: no events from the system.

#[test]
fn without_the_system_files_are_polled_and_named() {
    let stage = Stage::with(Watcher::polling().unwrap());
    fs::write(stage.path("x.lua"), "-- first").unwrap();
    stage
        .watcher
        .set_read_files([(stage.path("x.lua"), Some(digest(b"-- first")))]);
    let Event::NotWatched { path, reason } = stage.event("the notice") else {
        panic!("a notice comes first")
    };
    assert_eq!(path, stage.path("x.lua"));
    assert_eq!(reason, "polling was asked for");
    for round in 1..=3 {
        fs::write(stage.path("temporary"), format!("-- {round}")).unwrap();
        fs::rename(stage.path("temporary"), stage.path("x.lua")).unwrap();
        stage.expect("x.lua", &format!("-- {round}"));
    }
    stage.watcher.set_files(&[stage.path("x.lua")]);
    fs::write(stage.path("x.lua"), "-- last").unwrap();
    stage.expect("x.lua", "-- last");
    stage.expect_silence();
}

/// Runs a test of this file where the system allows no watch at all.
#[cfg(target_os = "linux")]
fn refusing(limit: &str, test: &str) {
    const NOT_ALLOWED: i32 = 77;
    let script = "echo 0 > /proc/sys/user/$0 || exit 77; exec \"$@\"";
    let program = std::env::current_exe().unwrap();
    let status = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c", script, limit])
        .arg(program)
        .args(["--ignored", "--exact", test])
        .status();
    match status.map(|status| status.code()) {
        Ok(Some(0)) => {}
        Ok(Some(101)) => panic!("failed with {limit} at 0"),
        Ok(Some(1 | NOT_ALLOWED)) => {
            eprintln!("not tested: no user namespace in which to set {limit}");
        }
        other => eprintln!("not tested: unshare: {other:?}"),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn at_the_limit_of_watched_folders_files_are_polled_and_named() {
    refusing("max_inotify_watches", "paths::without_watches");
}

#[cfg(target_os = "linux")]
#[test]
fn at_the_limit_of_watchers_files_are_polled_and_named() {
    refusing("max_inotify_instances", "paths::without_watches");
}

#[test]
#[ignore = "started where the system allows no watch"]
fn without_watches() {
    let stage = Stage::new();
    let path = stage.path("x.lua");
    fs::write(&path, "-- first").unwrap();
    stage
        .watcher
        .set_read_files([(path.clone(), Some(digest(b"-- first")))]);
    let Event::NotWatched {
        path: named,
        reason,
    } = stage.event("the notice")
    else {
        panic!("a notice comes first")
    };
    assert_eq!(named, path);
    assert!(reason.starts_with("the system's limit of "), "{reason}");
    fs::write(&path, "-- second").unwrap();
    stage.expect("x.lua", "-- second");
    stage.expect_silence();
}

#[cfg(target_os = "linux")]
#[test]
fn a_change_that_the_system_keeps_silent_about_is_found_and_said() {
    // What is written through a mapping or a bind mount of another system reports nothing; moving a folder two
    // levels up is the same silence, made without privileges.
    let stage = Stage::new().watching(&["a/b/x.lua"]);
    let mut told = 0;
    for round in 1..=3 {
        fs::rename(stage.path("a"), stage.path(&format!("old{round}"))).unwrap();
        fs::create_dir_all(stage.path("a/b")).unwrap();
        let text = "-".repeat(20 + round);
        fs::write(stage.path("a/b/x.lua"), &text).unwrap();
        loop {
            match stage.event("the change") {
                Event::NotWatched { path, .. } => {
                    assert_eq!(path, stage.path("a/b/x.lua"));
                    told += 1;
                }
                Event::Changed(changes) => {
                    assert_eq!(stage.named(changes), [("a/b/x.lua".to_owned(), text)]);
                    break;
                }
            }
        }
    }
    assert_eq!(told, 1);
}

// A10: the set of files follows the sketch.

#[test]
fn a_file_dropped_from_the_set_is_no_news() {
    let stage = Stage::new().watching(&["main.lua", "a.lua", "b.lua"]);
    fs::write(stage.path("b.lua"), "-- used").unwrap();
    stage.expect("b.lua", "-- used");
    stage.watch(&["main.lua", "a.lua"]);
    fs::write(stage.path("b.lua"), "-- no longer used").unwrap();
    stage.expect_silence();
    fs::write(stage.path("a.lua"), "-- still used").unwrap();
    stage.expect("a.lua", "-- still used");
}

#[test]
fn dropping_a_watcher_never_blocks() {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for _ in 0..20 {
            let stage = Stage::new().watching(&["x.lua"]);
            fs::write(stage.path("x.lua"), "-- unread").unwrap();
            drop(stage);
        }
        sender.send(()).unwrap();
    });
    receiver.recv_timeout(DEADLINE).unwrap();
}
