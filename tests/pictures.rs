//! Every per-pixel function draws what its formula says, alone and composed, on the software adapter.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

#[path = "pictures/formulas.rs"]
mod formulas;

use std::rc::Rc;

use gobo::gpu::{AdapterChoice, Gpu};
use gobo::graph::{Graph, Key, Library, NodeId, Source};
use gobo::shader::{Fuser, add_built_in};
use gobo::value::{Image, Kind, Size, Value};

/// How far a picture may be from its formula, as the mean of absolute differences of code values.
const TOLERANCE: f64 = 2.0;
/// Seams of floor, fract and atan2 may flip single pixels; at most this share of them may be far off.
const SEAMS: f64 = 0.03;
const SIDE: u32 = 96;

struct Studio {
    library: Library,
    graph: Graph,
    fuser: Fuser,
    gpu: Gpu,
}

impl Studio {
    fn new() -> Self {
        let mut library = Library::built_in();
        add_built_in(&mut library).unwrap();
        let mut graph = Graph::default();
        graph.begin_frame(1);
        graph.set_root(&Key::Time, Some(Value::Number(1.75)));
        let gpu =
            Gpu::new(&AdapterChoice::software(), None).expect("a software adapter is installed");
        Self {
            library,
            graph,
            fuser: Fuser::default(),
            gpu,
        }
    }

    /// A node with pictures first, then numbers; what is not given stays at its default.
    fn node(&mut self, name: &str, pictures: &[NodeId], numbers: &[f64]) -> NodeId {
        let spec = Rc::clone(self.library.get(name).unwrap());
        let node = self.graph.add(&spec);
        for (at, picture) in pictures.iter().enumerate() {
            self.graph.set(node, at, Source::Node(*picture)).unwrap();
        }
        let first = spec.inputs.iter().filter(|i| i.kind == Kind::Image).count();
        for (at, number) in numbers.iter().enumerate() {
            self.graph
                .set(node, first + at, Source::Constant(Value::Number(*number)))
                .unwrap();
        }
        node
    }

    fn image(&mut self, node: NodeId) -> Image {
        match self.graph.eval(node) {
            Some(Value::Image(image)) => image,
            other => panic!("expected a picture, got {other:?}"),
        }
    }

    /// Draws a node and compares every pixel with the formula.
    fn compare(&mut self, what: &str, node: NodeId) {
        let image = self.image(node);
        let plan = self.fuser.plan(&image);
        self.gpu.wait_warm(std::slice::from_ref(&plan));
        self.gpu
            .draw(&[Some(plan), None, None, None], Size::new(SIDE, SIDE), 1);
        let drawn = self.gpu.read(0).unwrap();
        let (mut sum, mut far) = (0.0, 0.0);
        for y in 0..SIDE {
            for x in 0..SIDE {
                let place = |v: u32| (f64::from(v) + 0.5) / f64::from(SIDE);
                let expected = formulas::colour(&image, [place(x), 1.0 - place(y)]);
                let got = drawn.pixel(x, y).unwrap();
                let difference: f64 = (0..4)
                    .map(|i| (f64::from(got[i]) - (expected[i].clamp(0.0, 1.0) * 255.0)).abs())
                    .sum::<f64>()
                    / 4.0;
                // One pixel in a seam must not hide that all others are right, nor the other way round.
                if difference > 24.0 {
                    far += 1.0;
                } else {
                    sum += difference;
                }
            }
        }
        let pixels = f64::from(SIDE * SIDE);
        let (mean, far) = (sum / pixels, far / pixels);
        assert!(mean <= TOLERANCE, "{what}: mean difference {mean:.3}");
        assert!(
            far <= SEAMS,
            "{what}: {:.2} % of the pixels are far off",
            far * 100.0
        );
    }
}

#[test]
fn every_function_draws_its_formula() {
    let mut studio = Studio::new();
    let names: Vec<String> = studio
        .library
        .iter()
        .filter(|spec| spec.category == "picture")
        .map(|spec| spec.name.clone())
        .collect();
    assert_eq!(names.len(), 17);
    for name in &names {
        let under = studio.node("osc", &[], &[17.0, 0.1, 1.1]);
        let under = studio.node("rotate", &[under], &[0.6]);
        let other = studio.node("gradient", &[], &[0.4]);
        let spec = Rc::clone(studio.library.get(name).unwrap());
        let pictures = spec.inputs.iter().filter(|i| i.kind == Kind::Image).count();
        let defaults = studio.node(name, &[under, other][..pictures], &[]);
        studio.compare(&format!("{name} with its defaults"), defaults);
        let numbers = spec.inputs.len() - pictures;
        let given: Vec<f64> = (0..numbers)
            .map(|i| [3.0, 2.0, 0.35, 0.8, 0.2][i])
            .collect();
        let given = studio.node(name, &[under, other][..pictures], &given);
        studio.compare(&format!("{name} with numbers"), given);
    }
}

#[test]
fn the_outermost_call_acts_first_on_the_coordinate() {
    let mut studio = Studio::new();
    let shape = studio.node("shape", &[], &[3.0, 0.4, 0.1]);
    let turned = studio.node("rotate", &[shape], &[0.9]);
    let order = studio.node("scale", &[turned], &[1.3, 0.5, 1.0]);
    studio.compare("scale after rotate", order);
    let scaled = studio.node("scale", &[shape], &[1.3, 0.5, 1.0]);
    let other = studio.node("rotate", &[scaled], &[0.9]);
    studio.compare("rotate after scale", other);
}

#[test]
fn a_colour_between_two_moves_stays_where_it_was_put() {
    let mut studio = Studio::new();
    let osc = studio.node("osc", &[], &[12.0]);
    let inverted = studio.node("invert", &[osc], &[]);
    let noise = studio.node("noise", &[], &[3.0]);
    let bent = studio.node("modulate", &[inverted, noise], &[0.2]);
    let gradient = studio.node("gradient", &[], &[]);
    let mixed = studio.node("blend", &[bent, gradient], &[0.3]);
    let tiled = studio.node("tile", &[mixed], &[2.0, 2.0]);
    studio.compare("a chain of every composition", tiled);
}
