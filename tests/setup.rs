//! The two commands that a newcomer types, up to the point where they would install and build.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A folder of commands that stand before the system's own.
struct Commands(tempfile::TempDir);

impl Commands {
    fn new(commands: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, body) in commands {
            let path = folder.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self(folder)
    }

    fn set_up(&self, purpose: &str) -> Output {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = format!(
            "{}:{}",
            self.0.path().display(),
            std::env::var("PATH").unwrap()
        );
        // Cargo's folder is put first by the script itself, so the stand-ins must not be named like what is in it.
        let mut setup = Command::new(root.join(".ci/setup"));
        setup.arg(purpose).env("PATH", path).output().unwrap()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn make_demo_sets_up_builds_and_plays_and_make_test_tests() {
    let dry = |target: &str| {
        let root = env!("CARGO_MANIFEST_DIR");
        said(
            &Command::new("make")
                .args(["-n", "-C", root, target])
                .output()
                .unwrap(),
        )
    };
    let demo = dry("demo");
    assert!(demo.contains(".ci/setup demo"), "{demo}");
    assert!(
        demo.contains("cargo run --release --locked -- run examples/01_hello.lua"),
        "{demo}"
    );
    let test = dry("test");
    assert!(
        test.contains(".ci/setup test") && test.contains(".ci/tests"),
        "{test}"
    );
}

#[test]
fn what_is_missing_is_installed_with_a_reason_each() {
    let commands = Commands::new(&[
        ("uname", "echo Linux"),
        ("id", "echo 0"),
        ("dpkg-query", "[ \"$3\" = libvulkan1 ] || echo installed"),
        ("apt-cache", "exit 0"),
        ("apt-get", "echo \"apt-get $*\""),
    ]);
    let output = commands.set_up("demo");
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("setup: installing libvulkan1: loads the Vulkan driver"),
        "{text}"
    );
    assert!(
        text.contains("install -y -q --no-install-recommends libvulkan1\n"),
        "{text}"
    );
}

#[test]
fn a_failing_installation_names_what_to_install() {
    let commands = Commands::new(&[
        ("uname", "echo Linux"),
        ("id", "echo 0"),
        ("dpkg-query", "[ \"$3\" = libxi6 ] || echo installed"),
        ("apt-cache", "exit 0"),
        ("apt-get", "exit 100"),
    ]);
    let output = commands.set_up("demo");
    assert!(!output.status.success());
    assert!(
        said(&output).contains("could not install libxi6"),
        "{}",
        said(&output)
    );
}

#[test]
fn other_systems_are_told_what_to_install() {
    let commands = Commands::new(&[("uname", "echo Darwin"), ("xcode-select", "exit 1")]);
    let output = commands.set_up("demo");
    assert!(!output.status.success());
    assert!(
        said(&output).contains("xcode-select --install"),
        "{}",
        said(&output)
    );
    let commands = Commands::new(&[("uname", "echo FreeBSD")]);
    assert!(said(&commands.set_up("test")).contains("please have:"));
}
