//! The show frame by frame: what a save, a typed line or a fault changes, and in which frame.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

use std::path::{Path, PathBuf};

use gobo::gpu::{AdapterChoice, Gpu};
use gobo::input::Inputs;
use gobo::show::{Pace, Report, Show};
use gobo::value::Size;

struct Stage {
    folder: tempfile::TempDir,
    show: Show,
    frames: u64,
}

impl Stage {
    /// A show that plays `sketch`, at a hundredth of a second a frame.
    fn new(sketch: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let gpu =
            Gpu::new(&AdapterChoice::software(), None).expect("a software adapter is installed");
        let show = Show::new(
            Some(gpu),
            Inputs::new(Vec::new()),
            Size::new(8, 8),
            Pace::default(),
        );
        let mut stage = Self {
            folder,
            show: show.unwrap(),
            frames: 0,
        };
        std::fs::write(stage.path(), sketch).unwrap();
        let path = stage.path();
        stage.show.open(&path);
        stage.settle();
        stage
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("sketch.lua")
    }

    fn frame(&mut self) -> Vec<Report> {
        self.frames += 1;
        self.show.frame(self.frames as f64 / 100.0);
        self.show.take_reports()
    }

    /// Frames until nothing is under way; what was reported meanwhile.
    fn settle(&mut self) -> Vec<Report> {
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        let mut reports = self.frame();
        while self.show.is_busy() {
            assert!(
                std::time::Instant::now() < end,
                "still busy; so far: {reports:?}"
            );
            reports.extend(self.frame());
        }
        reports
    }

    fn save(&mut self, sketch: &str) {
        self.save_as(&self.path(), sketch);
    }

    fn save_as(&mut self, path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
        self.show
            .changed([(path.to_owned(), text.as_bytes().to_vec())]);
    }

    fn pixel(&mut self) -> [u8; 4] {
        self.show.picture(0).unwrap().pixel(4, 4).unwrap()
    }

    fn compiled(&mut self) -> u64 {
        self.show.gpu_mut().unwrap().stats().compiled
    }
}

fn problems(reports: &[Report]) -> Vec<&str> {
    let problem = |report: &'_ Report| matches!(report, Report::Problem(_));
    reports
        .iter()
        .filter(|report| problem(report))
        .map(|report| match report {
            Report::Problem(text)
            | Report::Note(text)
            | Report::Warning(text)
            | Report::Answer(text) => text.as_str(),
        })
        .collect()
}

#[test]
fn a_saved_number_is_in_the_next_frame_and_compiles_nothing() {
    let mut stage = Stage::new("solid(1, 0, 0):out()");
    assert_eq!(stage.pixel(), [255, 0, 0, 255]);
    let compiled = stage.compiled();
    stage.save("solid(0, 0, 1):out()");
    stage.frame();
    assert_eq!(stage.pixel(), [0, 0, 255, 255]);
    assert_eq!(stage.compiled(), compiled);
}

#[test]
fn functions_of_a_sketch_go_on_after_each_save() {
    let sketch =
        |green| format!("solid(function(ctx) return ctx.frame % 200 / 255 end, {green}, 0):out()");
    let mut stage = Stage::new(&sketch(0));
    for green in [1, 0, 1] {
        stage.save(&sketch(green));
        let before = stage.settle();
        assert_eq!(problems(&before), [""; 0]);
        let first = stage.pixel();
        assert_eq!(first[1], green * 255);
        for _ in 0..5 {
            assert_eq!(problems(&stage.frame()), [""; 0]);
        }
        let last = stage.pixel();
        assert_ne!(last[0], first[0]);
    }
}

#[test]
fn a_new_structure_enters_once_it_has_drawn_and_the_old_picture_plays_meanwhile() {
    let mut stage = Stage::new("solid(time * 0.1, 0, 0):out()");
    let before = stage.pixel();
    stage.save("gradient():invert():color(0, 1, 0):out()");
    let mut reds = vec![before[0]];
    while stage.show.is_busy() || stage.frames < 3 {
        stage.frame();
        let pixel = stage.pixel();
        if pixel[1] > 0 {
            break;
        }
        reds.push(pixel[0]);
    }
    assert!(
        reds.len() > 1 && reds.is_sorted(),
        "the old picture stood still: {reds:?}"
    );
    stage.settle();
    assert!(stage.pixel()[1] > 100, "{:?}", stage.pixel());
}

#[test]
fn a_broken_save_keeps_the_picture_and_is_told_once_with_its_line() {
    let mut stage = Stage::new("solid(0, 1, 0):out()");
    stage.save("-- half typed\nsolid(0, 1, :out()");
    let reports = stage.settle();
    assert_eq!(problems(&reports).len(), 1, "{reports:?}");
    assert!(
        problems(&reports)[0].starts_with("sketch.lua:2: "),
        "{reports:?}"
    );
    assert!(
        problems(&reports)[0].ends_with("\n    2 | solid(0, 1, :out()"),
        "{reports:?}"
    );
    assert_eq!(
        (stage.pixel(), stage.show.problem_count()),
        ([0, 255, 0, 255], 1)
    );
    for _ in 0..5 {
        assert_eq!(stage.frame(), []);
    }
    stage.save("solid(0, 0, 1):out()");
    assert_eq!(
        stage.settle(),
        [Report::Note("reloaded sketch.lua, which is mended".into())]
    );
    assert_eq!(
        (stage.pixel(), stage.show.problem_count()),
        ([0, 0, 255, 255], 0)
    );
}

#[test]
fn a_fault_that_shows_in_the_trial_evaluation_keeps_the_old_version() {
    let mut stage = Stage::new("solid(0, 1, 0):out()");
    stage.save("solid(1, 0, 0):rotate(function() error('never') end):out()");
    let reports = stage.settle();
    assert!(
        problems(&reports)[0].starts_with("sketch.lua:1: never"),
        "{reports:?}"
    );
    assert_eq!(stage.pixel(), [0, 255, 0, 255]);
}

#[test]
fn a_runaway_load_is_spread_over_frames_and_cut() {
    let mut stage = Stage::new("solid(time * 0.1, 0, 0):out()");
    let before = stage.pixel()[0];
    stage.save("while true do end");
    let (first, mut reports) = (stage.frames, Vec::new());
    while problems(&reports).is_empty() {
        reports.extend(stage.frame());
    }
    let frames = stage.frames - first;
    // 100 ms of running time in slices of 4 ms; a slice that the machine interrupts counts longer.
    assert!(frames >= 8, "only {frames} frames for the whole load");
    assert!(
        problems(&reports)[0].starts_with("sketch.lua:1: stopped after 100 ms"),
        "{reports:?}"
    );
    assert!(stage.pixel()[0] > before, "the picture stood still");
}

#[test]
fn a_per_frame_function_that_fails_holds_its_last_value_and_is_told_once() {
    let mut stage = Stage::new(
        "broken = false\nsolid(0, function() if broken then error('lost') end return 1 end, time * 0.1):out()",
    );
    assert_eq!(stage.pixel()[1], 255);
    stage.show.line("broken = true".into());
    let mut reports = stage.settle();
    for _ in 0..20 {
        reports.extend(stage.frame());
    }
    assert_eq!(problems(&reports).len(), 1, "{reports:?}");
    assert!(
        problems(&reports)[0].starts_with("sketch.lua:2: lost\n    2 | solid(0"),
        "{reports:?}"
    );
    let blue = stage.pixel()[2];
    for _ in 0..30 {
        stage.frame();
    }
    assert_eq!(stage.pixel()[1], 255);
    assert!(
        stage.pixel()[2] > blue,
        "the rest of the picture stood still"
    );
}

#[test]
fn a_typed_line_changes_one_output_and_survives_a_save_that_does_not_touch_it() {
    let mut stage = Stage::new("solid(1, 0, 0):out(o1)");
    stage.show.line("solid(0, 1, 0):out(o0)".into());
    stage.settle();
    assert_eq!(stage.pixel(), [0, 255, 0, 255]);
    stage.save("solid(0, 0, 1):out(o1)");
    stage.settle();
    assert_eq!(stage.pixel(), [0, 255, 0, 255]);
    assert_eq!(
        stage.show.picture(1).unwrap().pixel(0, 0),
        Some([0, 0, 255, 255])
    );
}

#[test]
fn a_tempo_set_by_hand_stays_until_the_sketch_changes_its_own() {
    let mut stage = Stage::new("bpm(90) solid(1):out()");
    assert_eq!(stage.show.transport().now().tempo, 90.0);
    stage.show.line("bpm(100)".into());
    stage.settle();
    stage.save("bpm(90) solid(0.5):out()");
    stage.settle();
    assert_eq!(stage.show.transport().now().tempo, 100.0);
    stage.save("bpm(70) solid(0.5):out()");
    stage.settle();
    assert_eq!(stage.show.transport().now().tempo, 70.0);
}

#[test]
fn what_left_the_sketch_leaves_the_show() {
    let mut stage = Stage::new("solid(1, 0, 0):out(o0) solid(1, 1, 1):out(o1)");
    stage.save("solid(0, 1, 0):out(o1)");
    stage.settle();
    assert_eq!(stage.pixel()[..3], [0, 0, 0]);
    assert_eq!(
        stage.show.picture(1).unwrap().pixel(0, 0),
        Some([0, 255, 0, 255])
    );
}

#[test]
fn five_hundred_reloads_leave_no_nodes_behind() {
    let mut stage = Stage::new("osc(10):kaleid(3):add(noise(4)):out()");
    for n in 0..500 {
        stage.save(&format!("osc({n}):kaleid(3):add(noise(4)):out()"));
        stage.frame();
    }
    for _ in 0..600 {
        stage.frame();
    }
    let nodes = stage.show.graph().borrow().len();
    assert!(nodes < 100, "{nodes} nodes are left of 2,000");
}

#[test]
fn a_lost_device_comes_back_with_the_picture_and_the_clock_goes_on() {
    let mut stage = Stage::new("solid(0, 1, time * 0.1):out()");
    stage.show.gpu_mut().unwrap().lose_device_for_test();
    let is_told = |report: &Report| matches!(report, Report::Note(text) if text.contains("lost"));
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let mut told = 0;
    while told == 0 {
        assert!(std::time::Instant::now() < end, "nobody noticed");
        told += stage
            .frame()
            .iter()
            .filter(|report| is_told(report))
            .count();
    }
    for _ in 0..20 {
        told += stage
            .frame()
            .iter()
            .filter(|report| is_told(report))
            .count();
    }
    assert_eq!(told, 1);
    assert_eq!(stage.pixel()[1], 255);
    assert!(stage.show.transport().now().time >= stage.frames as f64 / 100.0);
}
