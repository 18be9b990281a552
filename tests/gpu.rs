//! The graphics layer on the software adapter: what a performer's picture goes through on its way to the screen.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use gobo::gpu::{AdapterChoice, AdapterKind, Gpu, GpuError, Picture, ShaderError, Warmth};
use gobo::ops::output::OUTPUTS;
use gobo::shader::{Pass, Plan, Program, Texture};
use gobo::value::Size;

#[path = "gpu/bad.rs"]
mod bad;
#[path = "gpu/programs.rs"]
mod programs;

use bad::BAD;
use programs::{brighter, gradient, program, solid};

const SIZE: Size = Size {
    width: 16,
    height: 16,
};

fn pass(program: &Arc<Program>, numbers: &[f32], textures: &[Texture]) -> Pass {
    Pass {
        program: program.clone(),
        numbers: numbers.to_vec(),
        textures: textures.to_vec(),
        size: None,
    }
}

fn one(program: &Arc<Program>, numbers: &[f32], textures: &[Texture]) -> Plan {
    Plan {
        passes: vec![pass(program, numbers, textures)],
    }
}

fn open() -> Gpu {
    Gpu::new(&AdapterChoice::software(), None)
        .expect("the software adapter is part of the test set-up")
}

fn plans(first: Plan) -> [Option<Plan>; OUTPUTS] {
    [Some(first), None, None, None]
}

/// Draws once everything is ready.
fn show(gpu: &mut Gpu, plan: &Plan, frame: u64) -> Picture {
    gpu.wait_warm(std::slice::from_ref(plan));
    gpu.draw(&plans(plan.clone()), SIZE, frame);
    gpu.read(0).unwrap()
}

fn middle(picture: &Picture) -> [u8; 4] {
    picture
        .pixel(picture.size.width / 2, picture.size.height / 2)
        .unwrap()
}

/// The small copy that was asked for.
fn small_copy(gpu: &mut Gpu) -> Picture {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        assert!(Instant::now() < deadline, "the copy never arrives");
        if let Some(picture) = gpu.poll_read() {
            return picture;
        }
    }
}

fn refusal(gpu: &mut Gpu, plan: &Plan) -> Arc<ShaderError> {
    gpu.wait_warm(std::slice::from_ref(plan));
    match gpu.warm(plan) {
        Warmth::Failed(error) => error,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn a_solid_colour_arrives_as_its_code_value() {
    let mut gpu = open();
    let picture = show(&mut gpu, &one(&solid(), &[0.5, 0.25, 1.0, 1.0], &[]), 0);
    assert_eq!(picture.size, SIZE);
    assert!(
        picture
            .rgba
            .chunks(4)
            .all(|pixel| pixel == [128, 64, 255, 255]),
        "{:?}",
        middle(&picture)
    );
}

#[test]
fn the_top_row_comes_first_and_coordinates_start_at_the_bottom_left() {
    let mut gpu = open();
    let picture = show(&mut gpu, &one(&gradient(), &[], &[]), 0);
    let last = SIZE.width - 1;
    let corners = [(0, 0), (last, 0), (0, last), (last, last)].map(|(x, y)| {
        let [red, green, ..] = picture.pixel(x, y).unwrap();
        (red > 128, green > 128)
    });
    assert_eq!(
        corners,
        [(false, true), (true, true), (false, false), (true, false)]
    );
}

#[test]
fn an_output_without_a_plan_is_black_and_one_that_loses_its_plan_turns_black() {
    let mut gpu = open();
    show(&mut gpu, &one(&solid(), &[1.0, 1.0, 1.0, 1.0], &[]), 0);
    assert_eq!(middle(&gpu.read(1).unwrap()), [0, 0, 0, 0]);
    let report = gpu.draw(&[const { None }; OUTPUTS], SIZE, 1);
    assert_eq!(report.drawn, [true, false, false, false]);
    assert_eq!(middle(&gpu.read(0).unwrap()), [0, 0, 0, 0]);
    let report = gpu.draw(&[const { None }; OUTPUTS], SIZE, 2);
    assert_eq!(report.drawn, [false; OUTPUTS]);
}

#[test]
fn feedback_reads_what_the_output_showed_in_the_last_frame() {
    let mut gpu = open();
    let plan = one(&brighter(), &[10.0 / 255.0], &[Texture::Output(0)]);
    for frame in 0..5 {
        let picture = show(&mut gpu, &plan, frame);
        assert_eq!(middle(&picture), [10 * (frame as u8 + 1), 0, 0, 255]);
    }
}

#[test]
fn another_output_is_read_one_frame_late_too() {
    let mut gpu = open();
    let red = one(&solid(), &[1.0, 0.0, 0.0, 1.0], &[]);
    let copy = one(&brighter(), &[0.0], &[Texture::Output(0)]);
    gpu.wait_warm(&[red.clone(), copy.clone()]);
    let both = [Some(red), Some(copy), None, None];
    gpu.draw(&both, SIZE, 0);
    assert_eq!(middle(&gpu.read(1).unwrap()), [0, 0, 0, 255]);
    gpu.draw(&both, SIZE, 1);
    assert_eq!(middle(&gpu.read(1).unwrap()), [255, 0, 0, 255]);
}

#[test]
fn inner_passes_have_their_own_size_and_keep_values_above_one() {
    let mut gpu = open();
    let mut bright = pass(&solid(), &[1.5, 0.0, 0.0, 1.0], &[]);
    bright.size = Some(Size::new(5, 3));
    let dimmed = pass(&brighter(), &[-1.0], &[Texture::Pass(0)]);
    let plan = Plan {
        passes: vec![bright, dimmed],
    };
    let picture = show(&mut gpu, &plan, 0);
    assert_eq!(middle(&picture), [128, 0, 0, 255]);
    assert_eq!(gpu.stats().pooled, 1);
    for frame in 1..200 {
        gpu.draw(&[const { None }; OUTPUTS], SIZE, frame);
    }
    assert_eq!(gpu.stats().pooled, 0);
}

#[test]
fn a_picture_that_is_not_ready_leaves_the_last_one_on() {
    let mut gpu = open();
    show(&mut gpu, &one(&solid(), &[0.0, 1.0, 0.0, 1.0], &[]), 0);
    let next = one(&gradient(), &[], &[]);
    let report = gpu.draw(&plans(next.clone()), SIZE, 1);
    assert_eq!((report.pending[0], report.drawn[0]), (true, false));
    assert_eq!(middle(&gpu.read(0).unwrap()), [0, 255, 0, 255]);
    let deadline = Instant::now() + Duration::from_secs(60);
    for frame in 2.. {
        assert!(Instant::now() < deadline, "the program never becomes ready");
        if gpu.draw(&plans(next.clone()), SIZE, frame).drawn[0] {
            break;
        }
    }
    assert_ne!(middle(&gpu.read(0).unwrap()), [0, 255, 0, 255]);
}

#[test]
fn changing_a_number_compiles_nothing() {
    let mut gpu = open();
    show(&mut gpu, &one(&solid(), &[0.0, 0.0, 0.0, 1.0], &[]), 0);
    let compiled = gpu.stats().compiled;
    for frame in 1..=20_u8 {
        let red = f32::from(frame) / 255.0;
        let report = gpu.draw(
            &plans(one(&solid(), &[red, 0.0, 0.0, 1.0], &[])),
            SIZE,
            u64::from(frame),
        );
        assert!(report.drawn[0]);
    }
    assert_eq!(middle(&gpu.read(0).unwrap()), [20, 0, 0, 255]);
    assert_eq!((compiled, gpu.stats().compiled), (1, 1));
}

#[test]
fn an_unchanged_picture_is_not_drawn_again() {
    let mut gpu = open();
    let plan = one(&solid(), &[0.2, 0.4, 0.6, 1.0], &[]);
    show(&mut gpu, &plan, 0);
    let passes = gpu.stats().passes;
    for frame in 1..10 {
        let report = gpu.draw(&plans(plan.clone()), SIZE, frame);
        assert_eq!(
            (report.passes, report.skipped[0], report.drawn[0]),
            (0, true, false)
        );
    }
    assert_eq!(gpu.stats().passes, passes);
    assert_eq!(middle(&gpu.read(0).unwrap()), [51, 102, 153, 255]);
}

#[test]
fn an_unchanged_picture_is_drawn_again_at_another_size() {
    let mut gpu = open();
    let plan = one(&gradient(), &[], &[]);
    show(&mut gpu, &plan, 0);
    let report = gpu.draw(&plans(plan.clone()), Size::new(40, 8), 1);
    assert!(report.drawn[0]);
    let picture = gpu.read(0).unwrap();
    assert_eq!(
        (picture.size, picture.rgba.len()),
        (Size::new(40, 8), 40 * 8 * 4)
    );
    assert!(picture.pixel(39, 4).unwrap()[0] > 245);
}

#[test]
fn feedback_goes_on_over_a_change_of_size() {
    let mut gpu = open();
    show(&mut gpu, &one(&solid(), &[0.0, 0.8, 0.0, 1.0], &[]), 0);
    let plan = one(&brighter(), &[0.0], &[Texture::Output(0)]);
    gpu.wait_warm(std::slice::from_ref(&plan));
    gpu.draw(&plans(plan), Size::new(31, 7), 1);
    let picture = gpu.read(0).unwrap();
    assert!(
        picture
            .rgba
            .chunks(4)
            .all(|pixel| pixel == [0, 204, 0, 255]),
        "{:?}",
        middle(&picture)
    );
}

#[test]
fn many_passes_in_one_frame_keep_their_own_numbers() {
    let mut gpu = open();
    let mut passes = vec![pass(&solid(), &[0.0, 0.0, 0.0, 1.0], &[])];
    for index in 0..100 {
        passes.push(pass(&brighter(), &[1.0 / 255.0], &[Texture::Pass(index)]));
    }
    let picture = show(&mut gpu, &Plan { passes }, 0);
    assert!(
        (99..=101).contains(&middle(&picture)[0]),
        "{:?}",
        middle(&picture)
    );
}

#[test]
fn a_small_copy_arrives_without_a_wait_and_shows_the_picture_over_black() {
    let mut gpu = open();
    show(&mut gpu, &one(&solid(), &[1.0, 0.5, 0.0, 0.5], &[]), 0);
    assert!(gpu.request_read(0, Size::new(4, 2)));
    assert!(!gpu.request_read(0, Size::new(4, 2)), "one at a time");
    let picture = small_copy(&mut gpu);
    assert_eq!(picture.size, Size::new(4, 2));
    let [red, green, blue, opacity] = middle(&picture);
    assert!(
        red.abs_diff(128) <= 1 && green.abs_diff(64) <= 1 && blue == 0 && opacity == 255,
        "{picture:?}"
    );
    assert!(gpu.request_read(0, Size::new(8, 8)));
    assert!(!gpu.request_read(9, Size::new(8, 8)));
}

#[test]
fn a_small_copy_averages_what_it_covers() {
    let mut gpu = open();
    let stripes = program(
        4,
        0,
        0,
        "@fragment fn fragment(c: Corner) -> @location(0) vec4f {
    return vec4f(vec3f(f32(u32(c.position.x) % 2u)), 1.0);
}",
    );
    show(&mut gpu, &one(&stripes, &[], &[]), 0);
    assert!(gpu.request_read(0, Size::new(2, 2)));
    let picture = small_copy(&mut gpu);
    let [red, ..] = middle(&picture);
    assert!((126..=129).contains(&red), "{picture:?}");
}

#[test]
fn a_lost_device_is_noticed_and_a_new_one_shows_the_picture_again() {
    let mut gpu = open();
    let plan = one(&solid(), &[0.0, 0.0, 1.0, 1.0], &[]);
    show(&mut gpu, &plan, 0);
    assert!(!gpu.is_lost());
    gpu.lose_device_for_test();
    assert!(gpu.is_lost(), "the loss is noticed");
    assert!(matches!(gpu.read(0), Err(GpuError::Lost(_))));
    assert_eq!(gpu.draw(&plans(plan.clone()), SIZE, 1).passes, 0);
    gpu.rebuild().unwrap();
    assert!(!gpu.is_lost());
    assert_eq!(
        middle(&gpu.read(0).unwrap()),
        [0, 0, 255, 255],
        "before anything is drawn anew"
    );
    assert!(gpu.draw(&plans(plan), SIZE, 2).skipped[0]);
    let green = show(&mut gpu, &one(&solid(), &[0.0, 1.0, 0.0, 1.0], &[]), 3);
    assert_eq!(middle(&green), [0, 255, 0, 255]);
    assert_eq!(gpu.stats().rebuilt, 1);
}

#[test]
fn a_device_lost_while_a_program_compiles_leaves_the_program_to_the_next_one() {
    let mut gpu = open();
    let plan = one(&gradient(), &[], &[]);
    assert_eq!(gpu.warm(&plan), Warmth::Pending);
    gpu.lose_device_for_test();
    gpu.rebuild().unwrap();
    gpu.wait_warm(std::slice::from_ref(&plan));
    assert_eq!(gpu.warm(&plan), Warmth::Ready);
}

#[test]
fn a_bad_program_leaves_the_last_picture_on_and_says_where_it_is_wrong() {
    let mut gpu = open();
    let good = one(&solid(), &[1.0, 0.0, 0.0, 1.0], &[]);
    show(&mut gpu, &good, 0);
    let bad = program(
        50,
        0,
        0,
        "@fragment fn fragment(c: Corner) -> @location(0) vec4f {\n    let x = nothing + 1.0;\n    return vec4f(x);\n}",
    );
    let bad = one(&bad, &[], &[]);
    let error = refusal(&mut gpu, &bad);
    assert_eq!((error.line, error.column), (Some(2), Some(13)), "{error}");
    assert_eq!(error.source_line, "    let x = nothing + 1.0;");
    assert!(
        error
            .to_string()
            .starts_with("wgsl:2:13: no definition in scope for identifier: `nothing`"),
        "{error}"
    );
    let report = gpu.draw(&plans(bad), SIZE, 1);
    assert_eq!(
        (report.drawn[0], report.failed[0].as_ref()),
        (false, Some(&error))
    );
    assert_eq!(middle(&gpu.read(0).unwrap()), [255, 0, 0, 255]);
}

#[test]
fn a_plan_that_contradicts_its_programs_is_refused() {
    let mut gpu = open();
    let solid = solid();
    let brighter = brighter();
    for (plan, says) in [
        (
            one(&solid, &[1.0], &[]),
            "1 numbers where its program has 4",
        ),
        (
            one(&brighter, &[1.0], &[]),
            "0 textures where its program has 1",
        ),
        (one(&brighter, &[1.0], &[Texture::Output(4)]), "Output(4)"),
        (one(&brighter, &[1.0], &[Texture::Pass(0)]), "Pass(0)"),
    ] {
        let error = refusal(&mut gpu, &plan);
        assert!(error.message.contains(says), "{error}");
        assert!(gpu.draw(&plans(plan), SIZE, 0).failed[0].is_some());
    }
}

#[test]
fn an_unknown_adapter_is_refused_with_a_list_of_what_there_is() {
    let choice = AdapterChoice {
        name: Some("no such card".into()),
    };
    let error = Gpu::new(&choice, None).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("\"no such card\"") && text.contains("llvmpipe"),
        "{text}"
    );
}

#[test]
fn the_software_adapter_says_what_it_is() {
    let gpu = open();
    assert_eq!(gpu.adapter().kind, AdapterKind::Software);
    assert!(
        gpu.adapter().to_string().contains("software"),
        "{}",
        gpu.adapter()
    );
}

#[test]
fn no_bad_shader_harms_the_device_and_each_says_where_it_is_wrong() {
    let mut gpu = open();
    let good = one(&solid(), &[1.0, 0.0, 0.0, 1.0], &[]);
    show(&mut gpu, &good, 0);
    let deep = format!(
        "@fragment fn fragment() -> @location(0) vec4f {{ return vec4f({}1.0{}); }}",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    let mut faults = Vec::new();
    for (index, &(name, numbers, textures, text, line)) in BAD.iter().enumerate() {
        let text = if text == "DEEP" { &deep } else { text };
        let bad = program(1000 + index as u128, numbers, textures, text);
        let plan = one(
            &bad,
            &vec![0.0; numbers],
            &vec![Texture::Output(0); textures],
        );
        let error = refusal(&mut gpu, &plan);
        let found = error.line.unwrap_or(0);
        let shown = bad
            .wgsl
            .lines()
            .nth(found.saturating_sub(1) as usize)
            .unwrap_or_default();
        let vague = error.message.is_empty() || error.message.contains('\n');
        if found != line || vague || (found > 0 && error.source_line != shown) {
            faults.push(format!("{name}: expected line {line}, got {error:.200}"));
        }
        assert!(!gpu.is_lost(), "{name}");
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(BAD.len() >= 30);
    let report = gpu.draw(&plans(one(&solid(), &[0.0, 1.0, 0.0, 1.0], &[])), SIZE, 1);
    assert!(report.drawn[0]);
    assert_eq!(middle(&gpu.read(0).unwrap()), [0, 255, 0, 255]);
}
