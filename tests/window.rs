//! The window itself: its size, its displays, its mouse and keys, and how it ends.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

mod support;

use std::process::Command;

use support::folder::Folder;
use support::picture::Picture;
use support::process::Show;
use support::screen::{Place, Screen, Window};
use support::sketches::{GREEN, RED, clock};
use support::{output_of, until};

fn small(folder: &Folder) -> Command {
    folder.gobo(["run", "sketch.lua", "--size", "320x180"])
}

#[test]
fn f11_fills_the_screen_and_goes_back() {
    let folder = Folder::with_sketch(RED);
    let screen = Screen::with_size(1000, 700);
    let (_show, window) = screen.play(small(&folder));
    window.wait_for_colour([255, 0, 0]);
    let before = window.place();
    window.press("F11");
    window.wait_for("the whole screen in red", |picture| {
        (picture.width, picture.height) == (1000, 700) && picture.is_all([255, 0, 0])
    });
    let place = window.place();
    assert_eq!((place.x, place.y), (0, 0), "{place:?}");
    window.press("F11");
    window.wait_for("the old size in red", |picture| {
        (picture.width, picture.height) == (before.width as usize, before.height as usize)
            && picture.is_all([255, 0, 0])
    });
}

#[test]
fn fullscreen_may_be_asked_for_at_the_start() {
    let folder = Folder::with_sketch("gradient():out()\n");
    let screen = Screen::with_size(900, 500);
    let (_show, window) =
        screen.play(folder.gobo(["run", "sketch.lua", "--size", "320x180", "--fullscreen"]));
    window.wait_for("the gradient in all corners of the screen", |picture| {
        (picture.width, picture.height) == (900, 500)
            && is_near_by(picture.at(0, 499), [0, 0], 3)
            && is_near_by(picture.at(899, 0), [255, 255], 3)
    });
}

fn is_near_by(pixel: [u8; 3], expected: [u8; 2], within: u8) -> bool {
    pixel[0].abs_diff(expected[0]) <= within && pixel[1].abs_diff(expected[1]) <= within
}

/// Where the projector is on a screen that has one.
const ON_PROJECTOR: Place = Place {
    x: 1024,
    y: 0,
    width: 800,
    height: 600,
};

fn fills_projector(window: &Window<'_>) {
    window.wait_for_place("the window to fill the projector", |p| p == ON_PROJECTOR);
    window.wait_for("the gradient in all corners of the projector", |picture| {
        (picture.width, picture.height) == (800, 600)
            && is_near_by(picture.at(0, 599), [0, 0], 3)
            && is_near_by(picture.at(799, 0), [255, 255], 3)
    });
}

#[test]
fn fullscreen_on_the_second_display_has_its_size() {
    let folder = Folder::with_sketch("gradient():out()\n");
    let screen = Screen::with_projector();
    let (_show, window) = screen.play(folder.gobo([
        "run",
        "sketch.lua",
        "--size",
        "320x180",
        "--fullscreen",
        "--display",
        "2",
    ]));
    fills_projector(&window);
    window.press("F11");
    window.wait_for_place("a window again", |place| place.width < 800);
}

#[test]
fn f11_fills_the_display_that_the_window_is_on() {
    let folder = Folder::with_sketch("gradient():out()\n");
    let screen = Screen::with_projector();
    let (_show, window) = screen.play(small(&folder));
    window.move_to(1200, 200);
    window.wait_for_place("the window on the projector", |place| place.x > 1024);
    window.press("F11");
    fills_projector(&window);
}

#[test]
fn a_projector_that_comes_back_is_filled_again() {
    let folder = Folder::with_sketch("gradient():out()\n");
    let screen = Screen::with_projector();
    let (mut show, window) =
        screen.play(folder.gobo(["run", "sketch.lua", "--fullscreen", "--display", "2"]));
    fills_projector(&window);
    for round in 1..=2 {
        screen.server().unplug_projector();
        // Nobody sees the show now, but it goes on.
        folder.write(
            "sketch.lua",
            format!("gradient({round}):color(1, 1, 0):out()\n"),
        );
        show.wait_for_lines(round, &["gobo: reloaded sketch.lua"]);
        // Once it is gone for long, and once for a moment only.
        if round == 1 {
            window.wait_for_place("the window elsewhere", |place| place != ON_PROJECTOR);
        }
        screen.server().plug_projector();
        fills_projector(&window);
    }
}

#[test]
fn a_display_that_is_not_there_is_named_and_another_is_used() {
    let folder = Folder::with_sketch(RED);
    let screen = Screen::with_size(640, 480);
    let (mut show, window) =
        screen.play(folder.gobo(["run", "sketch.lua", "--fullscreen", "--display", "7"]));
    window.wait_for("the whole screen in red", |picture| {
        (picture.width, picture.height) == (640, 480) && picture.is_all([255, 0, 0])
    });
    show.wait_for_line(&["display 7"]);
}

#[test]
fn escape_quits_when_pressed_twice() {
    let folder = Folder::with_sketch(RED);
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    window.wait_for_colour([255, 0, 0]);
    window.press("Escape");
    // Once is no answer: the show goes on and other keys mean nothing.
    window.press("x");
    folder.write("sketch.lua", GREEN);
    window.wait_for_colour([0, 255, 0]);
    window.press("Escape");
    window.press("Escape");
    assert_eq!(show.wait_for_end().code(), Some(0));
}

#[test]
fn the_close_button_ends_the_show_cleanly() {
    let folder = Folder::with_sketch(RED);
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    window.wait_for_colour([255, 0, 0]);
    window.press("alt+F4");
    assert_eq!(show.wait_for_end().code(), Some(0));
    assert_eq!(show.count(&["panicked"]), 0, "it said: {:#?}", show.lines());
}

#[test]
fn signals_end_the_show_cleanly() {
    for signal in ["TERM", "INT", "HUP"] {
        let folder = Folder::with_sketch(RED);
        let screen = Screen::start();
        let (mut show, window) = screen.play(small(&folder));
        window.wait_for_colour([255, 0, 0]);
        show.signal(signal);
        assert_eq!(show.wait_for_end().code(), Some(0), "after {signal}");
        assert_eq!(show.count(&["panicked"]), 0, "it said: {:#?}", show.lines());
    }
}

#[test]
fn a_destroyed_window_does_not_crash() {
    let folder = Folder::with_sketch(RED);
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    window.wait_for_colour([255, 0, 0]);
    output_of(screen.command("xdotool").args(["windowclose", window.id()])).unwrap();
    show.wait_for_end();
    assert_eq!(show.count(&["panicked"]), 0, "it said: {:#?}", show.lines());
}

#[test]
fn a_resized_window_is_filled_at_its_new_shape() {
    // Red grows to the right and green upwards, so every corner has its own colour.
    let folder = Folder::with_sketch("gradient():out()\n");
    let screen = Screen::start();
    let (mut show, window) = screen.play(small(&folder));
    for (width, height) in [(640, 360), (200, 600), (601, 33), (1, 1), (320, 180)] {
        window.resize(width, height);
        let (width, height) = (width as usize, height as usize);
        let step = |side: usize| u8::try_from(255 / side + 2).unwrap_or(255);
        window.wait_for("the gradient in all corners", |picture| {
            let (right, bottom) = (width - 1, height - 1);
            let corners = [
                (0, bottom, [0, 0]),
                (right, bottom, [255, 0]),
                (0, 0, [0, 255]),
                (right, 0, [255, 255]),
            ];
            (picture.width, picture.height) == (width, height)
                && corners.iter().all(|(x, y, expected)| {
                    let pixel = picture.at(*x, *y);
                    pixel[0].abs_diff(expected[0]) <= step(width)
                        && pixel[1].abs_diff(expected[1]) <= step(height)
                })
        });
    }
    assert!(show.is_running());
}

#[test]
fn the_mouse_reaches_every_corner_at_every_scale() {
    for scale in ["1", "1.25", "2"] {
        let folder = Folder::with_sketch("solid(mouse.x, mouse.y, 0):out()\n");
        let screen = Screen::start();
        let mut gobo = small(&folder);
        gobo.env("WINIT_X11_SCALE_FACTOR", scale);
        let (_show, window) = screen.play(gobo);
        follow_the_mouse(&window, scale);
    }
}

/// The mouse is 0 at the left and bottom pixel and 1 at the right and top one.
fn follow_the_mouse(window: &Window<'_>, scale: &str) {
    let place = window.place();
    let (right, bottom) = (place.width - 1, place.height - 1);
    for (x, y, colour) in [
        (0, 0, [0, 255, 0]),
        (right, 0, [255, 255, 0]),
        (right, bottom, [255, 0, 0]),
        (0, bottom, [0, 0, 0]),
        (right / 2, bottom / 2, [127, 128, 0]),
    ] {
        window.point(x, y);
        window.wait_for(&format!("{colour:?} at scale {scale}"), |picture| {
            picture.is_all(colour)
        });
    }
}

#[test]
fn the_mouse_stays_exact_when_the_scale_changes_under_it() {
    let folder = Folder::with_sketch("solid(mouse.x, mouse.y, 0):out()\n");
    let screen = Screen::start();
    let (_show, window) = screen.play(small(&folder));
    follow_the_mouse(&window, "1");
    for (dpi, scale) in [("192", "2"), ("120", "1.25"), ("96", "1")] {
        let wide = window.place().width;
        output_of(screen.command("xprop").args([
            "-root",
            "-f",
            "RESOURCE_MANAGER",
            "8s",
            "-set",
            "RESOURCE_MANAGER",
            &format!("Xft.dpi:\t{dpi}\n"),
        ]))
        .unwrap();
        // The window keeps its size for the eye, so its pixels change.
        until("the window to follow the scale", || {
            let place = window.place();
            if place.width == wide {
                Err(format!("it is still {place:?}"))
            } else {
                Ok(())
            }
        });
        follow_the_mouse(&window, scale);
    }
}

#[test]
fn keys_reach_the_sketch() {
    let folder = Folder::with_sketch("solid(key(\"a\"), key(\"space\"), 0):out()\n");
    let screen = Screen::start();
    let (_show, window) = screen.play(small(&folder));
    window.wait_for_colour([0, 0, 0]);
    window.hold("a");
    window.wait_for_colour([255, 0, 0]);
    window.hold("space");
    window.wait_for_colour([255, 255, 0]);
    window.release("a");
    window.wait_for_colour([0, 255, 0]);
    window.release("space");
    window.wait_for_colour([0, 0, 0]);
}

#[test]
fn a_hidden_window_rests_while_its_clock_goes_on() {
    let folder = Folder::with_sketch(&clock(0.0, 0.0));
    let screen = Screen::start();
    let (mut show, window) = screen.play(folder.gobo(["run", "sketch.lua", "--size", "960x540"]));
    let red = |picture: &Picture| picture.at(0, 0)[0];
    let before = red(&window.wait_for("red", |picture| red(picture) > 0));
    let ticks_shown = ticks_until(&mut show, &mut || {
        let now = red(&window.screenshot().unwrap());
        now >= before.saturating_add(15)
    });
    window.minimise();
    // The clock is the measure, so that a slow machine changes nothing: as many seconds as above.
    let start = std::time::Instant::now();
    let ticks_hidden = ticks_until(&mut show, &mut || start.elapsed().as_secs() >= 3);
    assert!(
        ticks_hidden * 2 < ticks_shown,
        "{ticks_shown} ticks of the processor for 3 s shown, {ticks_hidden} for 3 s hidden"
    );
    folder.write("sketch.lua", clock(0.0, 1.0));
    show.wait_for_line(&["gobo: reloaded sketch.lua"]);
    window.restore();
    let after = red(&window.wait_for("blue beside it", |p| p.at(0, 0)[2] > 250));
    assert!(
        u32::from(after) >= u32::from(before) + 30,
        "the clock stood still while hidden: {before} before, {after} after"
    );
}

fn ticks_until(show: &mut Show, is_over: &mut dyn FnMut() -> bool) -> u64 {
    let before = show.processor_ticks();
    until("time to pass", || {
        if is_over() {
            Ok(())
        } else {
            Err("it did not".to_owned())
        }
    });
    show.processor_ticks() - before
}
