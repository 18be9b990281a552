//! Structure decides the text of a shader, and every text is valid WGSL.
#![allow(clippy::unwrap_used, reason = "a failing test should panic")]

use std::rc::Rc;
use std::sync::Arc;

use super::{Fuser, LARGEST_PASS, Texture, add_built_in, pixel_spec};
use crate::graph::{Graph, Key, Library, NodeId, Source};
use crate::value::{Draw, Image, Size, Value};

fn library() -> Library {
    let mut library = Library::default();
    add_built_in(&mut library).unwrap();
    library
}

struct Bench {
    library: Library,
    graph: Graph,
}

impl Bench {
    fn new() -> Self {
        Self {
            library: library(),
            graph: Graph::default(),
        }
    }

    fn node(&mut self, name: &str, pictures: &[NodeId]) -> NodeId {
        let spec = Rc::clone(self.library.get(name).unwrap());
        let node = self.graph.add(&spec);
        for (at, picture) in pictures.iter().enumerate() {
            self.graph.set(node, at, Source::Node(*picture)).unwrap();
        }
        node
    }

    fn image(&mut self, node: NodeId) -> Image {
        match self.graph.eval(node).unwrap() {
            Value::Image(image) => image,
            other => panic!("expected a picture, got {other}"),
        }
    }
}

fn assert_valid(wgsl: &str) {
    let module = naga::front::wgsl::parse_str(wgsl)
        .unwrap_or_else(|e| panic!("{}\n{wgsl}", e.emit_to_string(wgsl)));
    let flags = naga::valid::ValidationFlags::all();
    let mut validator = naga::valid::Validator::new(flags, naga::valid::Capabilities::empty());
    validator
        .validate(&module)
        .unwrap_or_else(|e| panic!("{e:?}\n{wgsl}"));
}

#[test]
fn every_function_fuses_into_valid_wgsl_and_is_documented() {
    let names: Vec<String> = library().iter().map(|spec| spec.name.clone()).collect();
    assert_eq!(names.len(), 17);
    for name in names {
        let mut b = Bench::new();
        let (osc, noise) = (b.node("osc", &[]), b.node("noise", &[]));
        let spec = Rc::clone(b.library.get(&name).unwrap());
        assert!(
            !spec.summary().is_empty() && spec.inputs.iter().all(|i| !i.doc.is_empty()),
            "{name}"
        );
        let pictures = spec
            .inputs
            .iter()
            .filter(|i| i.kind == crate::value::Kind::Image)
            .count();
        let node = b.node(&name, &[osc, noise][..pictures]);
        let image = b.image(node);
        let plan = Fuser::default().plan(&image);
        assert_eq!(plan.passes.len(), 1);
        assert_valid(&plan.passes[0].program.wgsl);
        assert!(plan.passes[0].program.wgsl.contains(&format!("fn {name}(")));
    }
}

#[test]
fn a_number_never_changes_the_program_and_a_structure_does() {
    let mut b = Bench::new();
    let mut fuser = Fuser::default();
    let osc = b.node("osc", &[]);
    let top = b.node("rotate", &[osc]);
    let image = b.image(top);
    let before = fuser.plan(&image);
    b.graph
        .set(osc, 0, Source::Constant(Value::Number(7.0)))
        .unwrap();
    let image = b.image(top);
    let after = fuser.plan(&image);
    assert!(Arc::ptr_eq(
        &before.passes[0].program,
        &after.passes[0].program
    ));
    assert_eq!(before.passes[0].numbers, [60.0, 0.0, 0.0, 10.0, 0.0]);
    assert_eq!(after.passes[0].numbers, [7.0, 0.0, 0.0, 10.0, 0.0]);
    let other = b.node("kaleid", &[top]);
    let image = b.image(other);
    assert_ne!(
        fuser.plan(&image).passes[0].program.key,
        after.passes[0].program.key
    );
}

#[test]
fn a_picture_with_two_readers_is_written_once() {
    let mut b = Bench::new();
    let osc = b.node("osc", &[]);
    let top = b.node("add", &[osc, osc]);
    let image = b.image(top);
    let plan = Fuser::default().plan(&image);
    assert_eq!(
        plan.passes[0].program.wgsl.matches("return osc(").count(),
        1
    );
    assert_valid(&plan.passes[0].program.wgsl);
}

#[test]
fn outputs_and_targets_become_textures() {
    let mut b = Bench::new();
    let osc = b.node("osc", &[]);
    let osc = b.image(osc);
    let size = Size::new(32, 16);
    let small = Image::new(Draw::Target {
        source: osc.clone(),
        size,
    });
    let other = Image::new(Draw::Target {
        source: osc,
        size: Size::new(8, 8),
    });
    let text = include_str!("../../shaders/add.wgsl");
    let add = Arc::new(
        super::reflect::pixel_function("add.wgsl", "add", text)
            .unwrap()
            .function,
    );
    let draw = |a: Image, c: Image| {
        let (numbers, images) = ([1.0].into_iter().collect(), [a, c].into_iter().collect());
        Image::new(Draw::Pixel {
            function: add.clone(),
            numbers,
            images,
        })
    };
    let both = draw(small, other);
    let top = draw(both, Image::new(Draw::Output(2)));
    let plan = Fuser::default().plan(&top);
    assert_eq!(plan.passes.len(), 3);
    assert_eq!(plan.passes[0].size, Some(size));
    assert_eq!(plan.passes[1].size, Some(Size::new(8, 8)));
    assert_eq!(
        plan.passes[2].textures,
        [Texture::Pass(0), Texture::Pass(1), Texture::Output(2)]
    );
    assert_valid(&plan.passes[2].program.wgsl);
}

#[test]
fn a_chain_of_five_thousand_is_cut_into_passes() {
    let mut b = Bench::new();
    let mut last = b.node("osc", &[]);
    for _ in 0..5000 {
        last = b.node("invert", &[last]);
    }
    let image = b.image(last);
    let plan = Fuser::default().plan(&image);
    assert!(
        plan.passes.len() as u32 >= 5000 / LARGEST_PASS,
        "{}",
        plan.passes.len()
    );
    for pass in &plan.passes {
        assert!(pass.program.wgsl.matches("\nfn ").count() <= LARGEST_PASS as usize);
    }
    assert_valid(&plan.passes.last().unwrap().program.wgsl);
}

#[test]
fn a_chain_that_doubles_itself_stays_small() {
    let mut b = Bench::new();
    let mut last = b.node("osc", &[]);
    for _ in 0..64 {
        last = b.node("add", &[last, last]);
    }
    let image = b.image(last);
    let plan = Fuser::default().plan(&image);
    assert!(plan.passes.len() < 64, "{}", plan.passes.len());
}

#[test]
fn a_wrong_file_says_where_and_what() {
    let error = |text: &str| pixel_spec("x.wgsl", "x", text).unwrap_err().to_string();
    assert_eq!(
        error("fn y(p: vec2f) -> vec4f { return vec4f(p, p); }"),
        "x.wgsl:1:1: expected a function `x`, named as the file"
    );
    let missing =
        "struct Params {\n    a: f32,\n}\nfn x(p: vec2f, params: Params) -> vec2f { return p; }";
    assert!(
        error(missing).contains("Params.a: expected a doc comment"),
        "{}",
        error(missing)
    );
    let mismatch = error("fn x(p: vec2f) -> vec4f {\n    return p;\n}");
    assert!(
        mismatch.starts_with("x.wgsl:1:6: The `return` expression"),
        "{mismatch}"
    );
    assert!(error("fn x(q: f32) -> f32 { return q; }").contains("expected x(p: vec2f, …)"));
    assert!(error("fn x(p: vec2f) -> vec2f {\n  retrun p;\n}").starts_with("x.wgsl:2:"));
}

/// The number that the `sync` of an `osc` arrives as.
fn phase(b: &mut Bench, osc: NodeId, time: f64) -> f32 {
    b.graph.begin_frame((time * 60.0) as u64 + 1);
    b.graph.set_root(&Key::Time, Some(Value::Number(time)));
    match b.image(osc).draw() {
        Draw::Pixel { numbers, .. } => numbers[1],
        other => panic!("expected a function, got {other:?}"),
    }
}

#[test]
fn a_change_of_speed_bends_the_motion_and_never_makes_it_leap() {
    let mut b = Bench::new();
    let osc = b.node("osc", &[]);
    assert_eq!(phase(&mut b, osc, 2.0), 0.2);
    b.graph
        .set(osc, 1, Source::Constant(Value::Number(5.0)))
        .unwrap();
    assert_eq!(phase(&mut b, osc, 2.0), 0.2);
    assert_eq!(phase(&mut b, osc, 3.0), 5.2);
    b.graph
        .set(osc, 1, Source::Constant(Value::Number(0.0)))
        .unwrap();
    assert_eq!(phase(&mut b, osc, 4.0), 10.2);
    assert_eq!(phase(&mut b, osc, 9.0), 10.2);
}

#[test]
fn a_saved_change_of_speed_goes_on_from_where_the_old_version_was() {
    let mut b = Bench::new();
    let old = b.node("osc", &[]);
    assert_eq!(phase(&mut b, old, 2.0), 0.2);
    let new = b.node("osc", &[]);
    b.graph
        .set(new, 1, Source::Constant(Value::Number(1.0)))
        .unwrap();
    // The trial evaluation before the new version enters must not count.
    assert_eq!(phase(&mut b, new, 2.0), 2.0);
    b.graph.adopt([(new, old)]);
    assert_eq!(phase(&mut b, new, 2.0), 0.2);
    assert_eq!(phase(&mut b, new, 3.0), 1.2);
}

#[test]
fn a_still_picture_does_not_read_the_time() {
    let mut b = Bench::new();
    let osc = b.node("osc", &[]);
    b.graph
        .set(osc, 1, Source::Constant(Value::Number(0.0)))
        .unwrap();
    b.graph.take_log();
    phase(&mut b, osc, 1.0);
    phase(&mut b, osc, 2.0);
    assert_eq!(b.graph.take_log(), ["osc"]);
}
