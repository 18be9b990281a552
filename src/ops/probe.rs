//! One operator on its own, for tests: fed by name, asked frame by frame.
#![allow(clippy::panic, reason = "a failing test should panic")]

use std::rc::Rc;

use crate::graph::{Graph, Key, Library, NodeId, Source};
use crate::value::{Port, Value};

/// A node of one operator in a graph of its own, at 120 beats per minute.
pub(super) struct Probe {
    pub(super) graph: Graph,
    library: Library,
    pub(super) node: NodeId,
    frame: u64,
}

impl Probe {
    pub(super) fn new(operator: &str) -> Self {
        let mut graph = Graph::default();
        let library = Library::built_in();
        let spec = library.get(operator);
        let spec = Rc::clone(spec.unwrap_or_else(|| panic!("there is no {operator}")));
        let node = graph.add(&spec);
        let mut probe = Self {
            graph,
            library,
            node,
            frame: 0,
        };
        probe.begin(0.0);
        probe
    }

    /// Starts the next frame, at that time in seconds; two beats a second.
    pub(super) fn begin(&mut self, time: f64) {
        self.frame += 1;
        self.graph.begin_frame(self.frame);
        self.graph.set_root(&Key::Time, Some(Value::Number(time)));
        self.graph
            .set_root(&Key::Beat, Some(Value::Number(time * 2.0)));
    }

    fn input(&self, name: &str) -> usize {
        let spec = self
            .graph
            .spec(self.node)
            .unwrap_or_else(|| panic!("the node is gone"));
        let at = spec.inputs.iter().position(|input| input.name == name);
        at.unwrap_or_else(|| panic!("{} has no input {name}", spec.name))
    }

    fn source(&mut self, input: &str, source: Source) -> &mut Self {
        let at = self.input(input);
        let set = self.graph.set(self.node, at, source);
        set.unwrap_or_else(|error| panic!("{error}"));
        self
    }

    /// Gives an input a constant.
    pub(super) fn set<T: Port>(&mut self, input: &str, value: T) -> &mut Self {
        self.source(input, Source::Constant(value.into_value()))
    }

    /// Gives an input that takes several values constants.
    pub(super) fn set_many<T: Port>(
        &mut self,
        input: &str,
        values: impl IntoIterator<Item = T>,
    ) -> &mut Self {
        let values = values
            .into_iter()
            .map(|value| Source::Constant(value.into_value()));
        self.source(input, Source::Many(values.collect()))
    }

    /// A new node of another operator with every input at its default.
    pub(super) fn add(&mut self, operator: &str) -> NodeId {
        let spec = self.library.get(operator);
        let spec = Rc::clone(spec.unwrap_or_else(|| panic!("there is no {operator}")));
        self.graph.add(&spec)
    }

    /// Connects an input to a new node of another operator with every input at its default.
    pub(super) fn feed(&mut self, input: &str, operator: &str) -> &mut Self {
        let node = self.add(operator);
        self.source(input, Source::Node(node))
    }

    /// Connects an input that takes several values to nodes.
    pub(super) fn feed_many<const N: usize>(
        &mut self,
        input: &str,
        nodes: [NodeId; N],
    ) -> &mut Self {
        self.source(input, Source::Many(nodes.map(Source::Node).into()))
    }

    /// What it gives in this frame.
    pub(super) fn now(&mut self) -> Value {
        let value = self.graph.eval(self.node);
        value.unwrap_or_else(|| panic!("the node is gone"))
    }

    /// What it gives in the next frame, at that time.
    pub(super) fn at(&mut self, time: f64) -> Value {
        self.begin(time);
        self.now()
    }

    /// As [`Probe::at`], for what gives a number.
    pub(super) fn number_at(&mut self, time: f64) -> f64 {
        let value = self.at(time);
        f64::from_value(&value).unwrap_or_else(|| panic!("{value} is no number"))
    }

    /// What a number is after frames from one second to another, so many per second.
    pub(super) fn play(&mut self, from: f64, to: f64, rate: f64) -> f64 {
        let last = (to * rate).round();
        let mut frame = (from * rate).round();
        while frame < last {
            self.at(frame / rate);
            frame += 1.0;
        }
        self.number_at(last / rate)
    }

    /// Why it failed, when it did.
    pub(super) fn error(&self) -> Option<String> {
        self.graph
            .error(self.node)
            .map(|(_, error)| error.to_string())
    }
}
