//! Frames per second of five chains at 1280 × 720: evaluating, planning and drawing, each frame waited for.
//!
//! `cargo bench --bench chains` measures on the adapter that a show would choose, `GOBO_ADAPTER=software cargo bench
//! --bench chains` on the one that needs no graphics card.
#![allow(clippy::print_stdout, reason = "a bench prints figures")]

use std::error::Error;
use std::rc::Rc;
use std::time::{Duration, Instant};

use gobo::gpu::{AdapterChoice, Gpu, OUTPUTS};
use gobo::graph::{Graph, Key, Library, NodeId, Source};
use gobo::shader::{Fuser, Plan, add_built_in};
use gobo::value::{Size, Value};

type Done<T> = Result<T, Box<dyn Error>>;

/// Builds a chain and gives its end.
type Chain = fn(&mut Sketch) -> Done<NodeId>;

/// A size that every projector knows.
const SIZE: Size = Size {
    width: 1280,
    height: 720,
};
const WARM_UP: usize = 10;
const MEASURED: Duration = Duration::from_secs(4);

fn main() -> Done<()> {
    let choice = AdapterChoice {
        name: std::env::var("GOBO_ADAPTER").ok(),
    };
    let mut gpu = Gpu::new(&choice, None)?;
    println!("{}", gpu.adapter());
    println!("{}x{} pixels", SIZE.width, SIZE.height);
    println!(
        "{:<46} {:>9} {:>9} {:>7}",
        "chain", "median ms", "worst ms", "fps"
    );
    let chains: [(&str, Chain); 5] = [
        ("osc", bands),
        ("osc -> kaleid -> color", star),
        ("noise -> modulate(osc -> rotate) -> tile", woven),
        ("shape + gradient, scrolled, blended, inverted", layered),
        ("feedback: scaled output blended with osc", feedback),
    ];
    for (name, build) in chains {
        let mut sketch = Sketch::new()?;
        let root = build(&mut sketch)?;
        let mut times = measure(&mut gpu, &mut sketch, root)?;
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        println!(
            "{name:<46} {median:>9.2} {:>9.2} {:>7.0}",
            times[times.len() - 1],
            1000.0 / median
        );
    }
    Ok(())
}

/// Milliseconds of each frame.
fn measure(gpu: &mut Gpu, sketch: &mut Sketch, root: NodeId) -> Done<Vec<f64>> {
    let mut fuser = Fuser::default();
    let mut times = Vec::new();
    let mut measured = Duration::ZERO;
    let mut frame = 0;
    while measured < MEASURED {
        let start = Instant::now();
        let plan = sketch.plan(&mut fuser, root, frame)?;
        if frame == 0 {
            gpu.wait_warm(std::slice::from_ref(&plan));
        }
        let mut plans: [Option<Plan>; OUTPUTS] = Default::default();
        plans[0] = Some(plan);
        gpu.draw(&plans, SIZE, frame);
        // The smallest thing that arrives only when the frame has been drawn.
        gpu.request_read(0, Size::new(1, 1));
        while gpu.poll_read().is_none() {
            std::thread::yield_now();
        }
        frame += 1;
        if frame as usize > WARM_UP {
            measured += start.elapsed();
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
    }
    Ok(times)
}

struct Sketch {
    library: Library,
    graph: Graph,
}

impl Sketch {
    fn new() -> Done<Self> {
        let mut library = Library::built_in();
        add_built_in(&mut library)?;
        Ok(Self {
            library,
            graph: Graph::default(),
        })
    }

    /// A node with some inputs by name.
    fn node<const N: usize>(&mut self, name: &str, inputs: [(&str, Source); N]) -> Done<NodeId> {
        let spec = self.library.get(name).ok_or(format!("no {name}"))?;
        let spec = Rc::clone(spec);
        let node = self.graph.add(&spec);
        for (input, source) in inputs {
            let at = spec.inputs.iter().position(|known| known.name == input);
            let at = at.ok_or(format!("{name} has no {input}"))?;
            self.graph.set(node, at, source)?;
        }
        Ok(node)
    }

    /// A node on top of a picture, which is its first input.
    fn over<const N: usize>(
        &mut self,
        picture: NodeId,
        name: &str,
        inputs: [(&str, Source); N],
    ) -> Done<NodeId> {
        let node = self.node(name, inputs)?;
        self.graph.set(node, 0, Source::Node(picture))?;
        Ok(node)
    }

    fn plan(&mut self, fuser: &mut Fuser, root: NodeId, frame: u64) -> Done<Plan> {
        self.graph.begin_frame(frame);
        let time = Value::Number(frame as f64 / 60.0);
        self.graph.set_root(&Key::Time, Some(time));
        match self.graph.eval(root) {
            Some(Value::Image(image)) => Ok(fuser.plan(&image)),
            other => Err(format!("expected a picture, got {other:?}").into()),
        }
    }
}

fn number(value: f64) -> Source {
    Source::Constant(Value::Number(value))
}

fn bands(s: &mut Sketch) -> Done<NodeId> {
    s.node(
        "osc",
        [("frequency", number(20.0)), ("offset", number(1.0))],
    )
}

fn star(s: &mut Sketch) -> Done<NodeId> {
    let osc = bands(s)?;
    let folded = s.over(osc, "kaleid", [("n_sides", number(7.0))])?;
    s.over(folded, "color", [("g", number(0.6)), ("b", number(0.3))])
}

fn woven(s: &mut Sketch) -> Done<NodeId> {
    let osc = bands(s)?;
    let turned = s.over(osc, "rotate", [("speed", number(0.2))])?;
    let noise = s.node("noise", [("scale", number(4.0))])?;
    let bent = s.over(
        noise,
        "modulate",
        [("other", Source::Node(turned)), ("amount", number(0.3))],
    )?;
    s.over(bent, "tile", [])
}

fn layered(s: &mut Sketch) -> Done<NodeId> {
    let shape = s.node("shape", [("sides", number(5.0))])?;
    let moving = s.over(shape, "scroll", [("speed_x", number(0.1))])?;
    let gradient = s.node("gradient", [("speed", number(1.0))])?;
    let both = s.over(moving, "blend", [("other", Source::Node(gradient))])?;
    let osc = bands(s)?;
    let lit = s.over(both, "add", [("other", Source::Node(osc))])?;
    s.over(lit, "invert", [])
}

fn feedback(s: &mut Sketch) -> Done<NodeId> {
    let output = s.node("output", [])?;
    let last = s.over(output, "src", [])?;
    let zoomed = s.over(last, "scale", [("amount", number(1.02))])?;
    let osc = bands(s)?;
    s.over(
        zoomed,
        "blend",
        [("other", Source::Node(osc)), ("amount", number(0.1))],
    )
}
