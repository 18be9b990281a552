//! One operator on its own, for tests: fed by name, asked frame by frame.
#![allow(clippy::panic, reason = "a failing test should panic")]

use std::rc::Rc;

use crate::graph::{Graph, Key, Library, NodeId, Source};
use crate::value::{Kind, Port, Value};

/// Frames per second at which what takes time must give the same.
pub(super) const RATES: [f64; 3] = [20.0, 60.0, 240.0];

/// Fails unless a number is another one to nine decimals.
#[track_caller]
pub(super) fn near(got: f64, expected: f64, what: &str) {
    assert!(
        (got - expected).abs() < 1e-9,
        "{what}: {got}, not {expected}"
    );
}

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

    /// As [`Probe::new`], with its first inputs given, each by its numbers.
    pub(super) fn of(operator: &str, inputs: &[&[f64]]) -> Self {
        let mut probe = Self::new(operator);
        for (at, numbers) in inputs.iter().enumerate() {
            let kind = probe
                .graph
                .spec(probe.node)
                .and_then(|spec| spec.inputs.get(at));
            let kind = kind.unwrap_or_else(|| panic!("{operator} has no input {at}"));
            let source = Source::Constant(value(kind.kind, numbers));
            let set = probe.graph.set(probe.node, at, source);
            set.unwrap_or_else(|error| panic!("{error}"));
        }
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

    /// Gives an input of the node that feeds an input a constant.
    pub(super) fn set_below<T: Port>(&mut self, input: &str, below: &str, value: T) -> &mut Self {
        let at = self.input(input);
        let Some(Source::Node(fed)) = self.graph.input(self.node, at).cloned() else {
            panic!("{input} is not fed by a node");
        };
        let node = std::mem::replace(&mut self.node, fed);
        self.set(below, value);
        self.node = node;
        self
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

    /// Fails unless it gives these numbers, to five decimals; returns itself for the next case.
    #[track_caller]
    pub(super) fn expect(&mut self, expected: &[f64]) -> &mut Self {
        let value = self.now();
        let got = numbers(&value);
        let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-5;
        assert!(
            got.len() == expected.len() && got.iter().zip(expected).all(is_near),
            "{:?}: expected {expected:?}, got {value}; {:?}",
            self.graph.spec(self.node),
            self.error()
        );
        self
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

/// An operator, the numbers of its first inputs, and the numbers that it gives.
pub(super) type Case<'a> = (&'a str, &'a [&'a [f64]], &'a [f64]);

/// Fails unless each operator gives, from inputs by their numbers, the numbers on the right, to five decimals.
#[track_caller]
pub(super) fn expect(table: &[Case<'_>]) {
    for (operator, inputs, expected) in table {
        Probe::of(operator, inputs).expect(expected);
    }
}

/// A value of that kind from its numbers; one number is for the graph to convert.
fn value(kind: Kind, numbers: &[f64]) -> Value {
    fn array<const N: usize>(numbers: &[f64]) -> [f32; N] {
        std::array::from_fn(|i| numbers[i] as f32)
    }
    match (kind, numbers) {
        (Kind::List, _) => Value::List(numbers.into()),
        (_, [n]) => Value::Number(*n),
        (Kind::Vec2, _) => Value::Vec2(array(numbers)),
        (Kind::Vec3, _) | (Kind::Color, [_, _, _]) => Value::Vec3(array(numbers)),
        (Kind::Vec4 | Kind::Color, _) => Value::Vec4(array(numbers)),
        (Kind::Quaternion, _) => Value::Quaternion(array(numbers)),
        (Kind::Mat4, _) => Value::Mat4(array(numbers).into()),
        _ => panic!("{} is not made of numbers", kind.name()),
    }
}

/// The numbers in a value.
fn numbers(value: &Value) -> Vec<f64> {
    let wide = |numbers: &[f32]| numbers.iter().map(|n| f64::from(*n)).collect();
    match value {
        Value::Number(n) => vec![*n],
        Value::Int(n) => vec![*n as f64],
        Value::Bool(is) => vec![f64::from(u8::from(*is))],
        Value::Vec2(v) => wide(v),
        Value::Vec3(v) => wide(v),
        Value::Vec4(v) | Value::Color(v) | Value::Quaternion(v) => wide(v),
        Value::Mat4(m) => wide(&**m),
        Value::List(list) => list.to_vec(),
        other => panic!("{other} is not made of numbers"),
    }
}
