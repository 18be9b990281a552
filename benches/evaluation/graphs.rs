//! Frames of our graph where nothing moves, all moves, or a shared part lives at many times.

use gobo::formula;
use gobo::graph::{Graph, Key, Library, NodeId, Source};
use gobo::value::Value;

use crate::grid::WIDTH;
use crate::ours::{layers, spec};

formula! {
    /// The local time, with some of a number.
    Moved "bench.moved" -> f64 {
        /// The number.
        value: f64 = 0.0;
    } = |cx| cx.time() + value * 0.001
}

formula! {
    /// The sum of two numbers.
    Sum "bench.sum" -> f64 {
        /// One number.
        a: f64 = 0.0;
        /// Another one.
        b: f64 = 0.0;
    } = a + b
}

fn number(n: f64) -> Source {
    Source::Constant(Value::Number(n))
}

/// Everything added up by twos.
fn sum(graph: &mut Graph, library: &Library, mut nodes: Vec<NodeId>) -> NodeId {
    let sum = spec(library, "bench.sum");
    while nodes.len() > 1 {
        let pairs = nodes.chunks(2).map(|pair| match pair {
            [a, b] => {
                let node = graph.add(&sum);
                graph.set(node, 0, Source::Node(*a)).unwrap();
                graph.set(node, 1, Source::Node(*b)).unwrap();
                node
            }
            _ => pair[0],
        });
        nodes = pairs.collect();
    }
    nodes[0]
}

/// A graph in which nothing changes, with one sink.
pub(crate) struct Clean {
    graph: Graph,
    pub(crate) outputs: Vec<NodeId>,
    sink: NodeId,
    frame: u64,
}

impl Clean {
    pub(crate) fn new(nodes: usize) -> Self {
        let (mut graph, library) = (Graph::default(), Library::built_in());
        let source = spec(&library, "bench.source");
        let first: Vec<NodeId> = (0..nodes / 10).map(|_| graph.add(&source)).collect();
        let outputs = layers(&mut graph, &library, first, 9);
        let sink = sum(&mut graph, &library, outputs.clone());
        let mut clean = Self {
            graph,
            outputs,
            sink,
            frame: 0,
        };
        clean.frame();
        clean
    }

    /// One frame at a time that nothing reads.
    pub(crate) fn frame(&mut self) -> f64 {
        self.frame += 1;
        play(&mut self.graph, self.frame, &[self.sink])
    }

    /// Reads the outputs again and again.
    pub(crate) fn read(&mut self, count: usize) -> f64 {
        let mut sum = 0.0;
        for at in 0..count {
            sum += read(&mut self.graph, self.outputs[at % self.outputs.len()]);
        }
        sum
    }
}

/// One frame at sixty in a second: the sum of what these nodes give.
fn play(graph: &mut Graph, frame: u64, nodes: &[NodeId]) -> f64 {
    graph.begin_frame(frame);
    let time = Value::Number(frame as f64 / 60.0);
    graph.set_root(&Key::Time, Some(time));
    let mut sum = 0.0;
    for node in nodes {
        sum += read(graph, *node);
    }
    sum
}

fn read(graph: &mut Graph, node: NodeId) -> f64 {
    match graph.value(node) {
        Some(Value::Number(n)) => *n,
        other => unreachable!("{other:?}"),
    }
}

/// Ten thousand nodes that all follow the time.
pub(crate) struct Moving {
    graph: Graph,
    outputs: Vec<NodeId>,
    frame: u64,
}

impl Moving {
    /// Nodes in all.
    pub(crate) const NODES: usize = 10 * WIDTH;

    pub(crate) fn new() -> Self {
        let (mut graph, library) = (Graph::default(), Library::built_in());
        let moved = spec(&library, "bench.moved");
        let first = (0..WIDTH).map(|at| {
            let node = graph.add(&moved);
            graph.set(node, 0, number(at as f64)).unwrap();
            node
        });
        let first = first.collect();
        let outputs = layers(&mut graph, &library, first, 9);
        let mut moving = Self {
            graph,
            outputs,
            frame: 0,
        };
        moving.frame();
        moving
    }

    pub(crate) fn frame(&mut self) -> f64 {
        self.frame += 1;
        play(&mut self.graph, self.frame, &self.outputs)
    }
}

/// A shared part of which fifty nodes follow the time, under sixteen times.
pub(crate) struct Times {
    graph: Graph,
    sinks: Vec<NodeId>,
    frame: u64,
}

/// How many overrides there are.
pub(crate) const TIMES: usize = 16;
/// How many nodes of the shared part follow the time.
pub(crate) const DYNAMIC: usize = 50;

/// What the moving nodes read, and how they are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Sixteen overrides over a part of 1,000 nodes of which 50 move.
    Shared,
    /// Sixteen overrides over the 50 alone, which read numbers where the others read nodes that stand still.
    Moving,
    /// Sixteen such parts of 50 without any override.
    Plain,
}

impl Times {
    pub(crate) fn new(shape: Shape) -> Self {
        let (mut graph, library) = (Graph::default(), Library::built_in());
        let (moved, work) = (spec(&library, "bench.moved"), spec(&library, "bench.work"));
        let source = spec(&library, "bench.source");
        let still: Vec<NodeId> = match shape {
            Shape::Shared => {
                let first: Vec<NodeId> = (0..95).map(|_| graph.add(&source)).collect();
                layers(&mut graph, &library, first, 9)
            }
            Shape::Moving | Shape::Plain => Vec::new(),
        };
        let part = |graph: &mut Graph| {
            let mut last = graph.add(&moved);
            for at in 1..DYNAMIC {
                let node = graph.add(&work);
                graph.set(node, 0, Source::Node(last)).unwrap();
                let other = match still.get(at) {
                    Some(node) => Source::Node(*node),
                    None => number(0.0),
                };
                graph.set(node, 1, other).unwrap();
                last = node;
            }
            last
        };
        let sinks = if shape == Shape::Plain {
            (0..TIMES).map(|_| part(&mut graph)).collect()
        } else {
            let shared = part(&mut graph);
            let with_time = spec(&library, "with_time");
            let sinks = (0..TIMES).map(|at| {
                let node = graph.add(&with_time);
                graph.set(node, 0, Source::Node(shared)).unwrap();
                graph.set(node, 1, number(-(at as f64))).unwrap();
                node
            });
            sinks.collect()
        };
        let mut times = Self {
            graph,
            sinks,
            frame: 0,
        };
        times.frame();
        times
    }

    pub(crate) fn frame(&mut self) -> f64 {
        self.frame += 1;
        play(&mut self.graph, self.frame, &self.sinks)
    }
}
