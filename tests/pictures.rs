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
use gobo::graph::{Graph, InputSpec, Key, Library, NodeId, Source};
use gobo::shader::{Fuser, add_built_in};
use gobo::value::{Draw, Image, Kind, Size, Value};

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

    /// Feeds an input by its name.
    fn set(&mut self, node: NodeId, input: &str, source: Source) {
        let inputs = &self.graph.spec(node).unwrap().inputs;
        let at = inputs.iter().position(|known| known.name == input).unwrap();
        self.graph.set(node, at, source).unwrap();
    }

    /// A variable that a loop sets.
    fn variable(&mut self, name: &str) -> NodeId {
        let node = self.node("variable", &[], &[]);
        self.set(node, "name", Source::Constant(Value::Text(name.into())));
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

/// Whether an input is a picture or a number; what puts many pictures together has other inputs as well.
fn is_plain(input: &InputSpec) -> bool {
    matches!(input.kind, Kind::Image | Kind::Number)
}

#[test]
fn every_function_draws_its_formula() {
    let mut studio = Studio::new();
    let names: Vec<String> = studio
        .library
        .iter()
        .filter(|spec| spec.category == "picture" && spec.inputs.iter().all(is_plain))
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

/// Half-transparent polygons, each turned and coloured by its turn of a loop.
fn looped(studio: &mut Studio, count: f64, blend: &str) -> NodeId {
    let (index, u) = (studio.variable("index"), studio.variable("u"));
    let shape = studio.node("shape", &[], &[3.0, 0.4, 0.3]);
    let moved = studio.node("scroll", &[shape], &[0.15]);
    let turned = studio.node("rotate", &[moved], &[]);
    studio.set(turned, "angle", Source::Node(index));
    let coloured = studio.node("color", &[turned], &[0.9, 0.5, 1.0, 0.7]);
    studio.set(coloured, "g", Source::Node(u));
    let top = studio.node("loop", &[coloured], &[count]);
    studio.set(top, "blend", Source::Constant(Value::Text(blend.into())));
    top
}

#[test]
fn a_loop_draws_its_turns_from_the_lowest_up_by_each_way_to_blend() {
    let mut studio = Studio::new();
    for blend in ["add", "over", "mult", "lighten"] {
        let top = looped(&mut studio, 4.0, blend);
        studio.compare(&format!("a loop by {blend}"), top);
        let image = studio.image(top);
        let mut turns = Vec::new();
        // The last is the other picture of the outermost call, the first the innermost.
        let mut rest = &image;
        while let Draw::Pixel {
            function, images, ..
        } = rest.draw()
            && function.name == blend
        {
            turns.push(&images[1]);
            rest = &images[0];
        }
        turns.push(rest);
        turns.reverse();
        let green = |image: &Image| match image.draw() {
            Draw::Pixel { numbers, .. } => numbers[1],
            other => panic!("expected a function, got {other:?}"),
        };
        let greens: Vec<f32> = turns.into_iter().map(green).collect();
        assert_eq!(greens, [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
    }
}

#[test]
fn a_loop_of_none_is_black_of_one_the_picture_and_never_of_more_than_32() {
    let mut studio = Studio::new();
    let none = looped(&mut studio, 0.0, "add");
    assert_eq!(studio.image(none), Image::black());
    let one = looped(&mut studio, 1.0, "over");
    studio.compare("a loop of one", one);
    let many = looped(&mut studio, 1e6, "lighten");
    let image = studio.image(many);
    let plan = studio.fuser.plan(&image);
    let turns: usize = plan
        .passes
        .iter()
        .map(|pass| pass.program.wgsl.matches("return shape(").count())
        .sum();
    // The shape itself is the same in each turn, and written once for each pass.
    assert!((1..=32).contains(&turns), "{turns}");
    let turned: usize = plan
        .passes
        .iter()
        .map(|pass| pass.program.wgsl.matches("(rotate(p, ").count())
        .sum();
    assert_eq!(turned, 32);
    studio.compare("a loop of 32", many);
}

#[test]
fn motion_blur_weighs_all_samples_alike_in_linear_light() {
    let mut studio = Studio::new();
    for (samples, shutter) in [(1.0, 1.0), (2.0, 1.0), (7.0, 0.5), (16.0, 1.0)] {
        let osc = studio.node("osc", &[], &[9.0, 8.0, 1.0]);
        let clear = studio.node("color", &[osc], &[1.0, 1.0, 1.0, 0.5]);
        let turned = studio.node("rotate", &[clear], &[0.3, 20.0]);
        let blur = studio.node("motion_blur", &[turned], &[samples, shutter]);
        let what = format!("{samples} samples of {shutter} frames");
        studio.compare(&what, blur);
        // The mean of all samples, not only what the nested description says.
        let image = studio.image(blur);
        let mut films = vec![&image];
        while let Draw::Pixel {
            function, images, ..
        } = films[films.len() - 1].draw()
            && function.name == "expose"
        {
            films.push(&images[0]);
        }
        assert_eq!(films.len(), samples as usize);
        let moments: Vec<&Image> = films
            .iter()
            .map(|film| match film.draw() {
                Draw::Pixel {
                    function, images, ..
                } if function.name == "expose" => &images[1],
                _ => *film,
            })
            .collect();
        let p = [0.31, 0.64];
        let light = moments.iter().map(|moment| {
            let [r, .., a] = formulas::colour(moment, p);
            formulas::light(r) * a
        });
        let mean = light.sum::<f64>() / samples;
        let [r, .., a] = formulas::colour(&image, p);
        assert!((formulas::light(r) * a - mean).abs() < 1e-6, "{what}");
    }
}

#[test]
fn state_in_a_blurred_picture_steps_once_a_frame() {
    let mut studio = Studio::new();
    let time = studio.node("time", &[], &[]);
    let sum = studio.node("num.accumulate", &[], &[]);
    studio.set(sum, "value", Source::Node(time));
    let osc = studio.node("osc", &[], &[]);
    studio.set(osc, "offset", Source::Node(sum));
    let blur = studio.node("motion_blur", &[osc], &[8.0, 1.0]);
    studio.graph.take_log();
    for frame in 2..6 {
        studio.graph.begin_frame(frame);
        let time = Value::Number(1.75 + frame as f64 / 60.0);
        studio.graph.set_root(&Key::Time, Some(time));
        studio.image(blur);
        let ran = studio.graph.take_log();
        let count = |name: &str| ran.iter().filter(|ran| *ran == name).count();
        assert_eq!((count("num.accumulate"), count("osc")), (1, 8));
    }
}
