//! The grid as a graph of ours.

use std::rc::Rc;

use gobo::formula;
use gobo::graph::{Graph, Library, NodeId, Source, Spec};
use gobo::value::Value;

use crate::grid::{Evaluator, LAYERS, WIDTH, set, work};

formula! {
    /// A number that is set from outside.
    Held "bench.source" -> f64 {
        /// The number.
        value: f64 = 0.0;
    } = value
}

formula! {
    /// Some arithmetic on two numbers.
    Work "bench.work" -> f64 {
        /// One number.
        a: f64 = 0.0;
        /// Another one.
        b: f64 = 0.0;
    } = work(a, b)
}

/// An operator by its name.
pub(crate) fn spec(library: &Library, name: &str) -> Rc<Spec> {
    Rc::clone(library.get(name).expect(name))
}

/// Layers on top of a first one, each node reading two neighbours; gives the last layer.
pub(crate) fn layers(
    graph: &mut Graph,
    library: &Library,
    first: Vec<NodeId>,
    more: usize,
) -> Vec<NodeId> {
    let work = spec(library, "bench.work");
    let mut above = first;
    for _ in 0..more {
        let layer = (0..above.len()).map(|at| {
            let node = graph.add(&work);
            let next = above[(at + 1) % above.len()];
            graph.set(node, 0, Source::Node(above[at])).unwrap();
            graph.set(node, 1, Source::Node(next)).unwrap();
            node
        });
        above = layer.collect();
    }
    above
}

/// Our graph.
pub(crate) struct Ours {
    graph: Graph,
    sources: Vec<NodeId>,
    outputs: Vec<NodeId>,
    frame: u64,
}

impl Evaluator for Ours {
    fn new() -> Self {
        let (mut graph, library) = (Graph::default(), Library::built_in());
        let source = spec(&library, "bench.source");
        let sources: Vec<NodeId> = (0..WIDTH).map(|_| graph.add(&source)).collect();
        let outputs = layers(&mut graph, &library, sources.clone(), LAYERS - 1);
        let mut ours = Self {
            graph,
            sources,
            outputs,
            frame: 0,
        };
        ours.sum();
        ours
    }

    fn tick(&mut self, tick: u64) -> f64 {
        self.frame += 1;
        self.graph.begin_frame(self.frame);
        for (source, value) in set(tick) {
            let value = Source::Constant(Value::Number(value));
            self.graph.set(self.sources[source], 0, value).unwrap();
        }
        self.sum()
    }
}

impl Ours {
    fn sum(&mut self) -> f64 {
        let mut sum = 0.0;
        for output in &self.outputs {
            match self.graph.value(*output) {
                Some(Value::Number(n)) => sum += n,
                other => unreachable!("{other:?}"),
            }
        }
        sum
    }
}
