//! A graph to try things in, and operators that only tests need.

use std::cell::Cell;
use std::rc::Rc;

use gobo::graph::{Cx, Graph, GraphError, Key, Library, NodeId, Source, Update};
use gobo::value::{Many, Value};
use gobo::{formula, operator};

/// A graph whose frames come one after the other, at times that the test says.
pub(crate) struct Bench {
    pub(crate) graph: Graph,
    library: Library,
    frame: u64,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let mut library = Library::built_in();
        gobo::shader::add_built_in(&mut library).unwrap();
        let mut bench = Self {
            graph: Graph::default(),
            library,
            frame: 0,
        };
        bench.graph.take_log();
        bench.at(0.0);
        bench
    }

    /// Starts the next frame, at that second and twice as many beats.
    pub(crate) fn at(&mut self, time: f64) {
        self.frame += 1;
        self.graph.begin_frame(self.frame);
        let clocks = [
            (Key::Time, time),
            (Key::Beat, time * 2.0),
            (Key::EffectTime, time),
        ];
        for (key, value) in clocks {
            self.graph.set_root(&key, Some(Value::Number(value)));
        }
    }

    pub(crate) fn node(&mut self, name: &str, inputs: &[(&str, Source)]) -> NodeId {
        let spec = Rc::clone(self.library.get(name).unwrap());
        let node = self.graph.add(&spec);
        for (input, source) in inputs {
            self.set(node, input, source.clone());
        }
        node
    }

    pub(crate) fn set(&mut self, node: NodeId, input: &str, source: Source) {
        self.try_set(node, input, source).unwrap();
    }

    pub(crate) fn try_set(
        &mut self,
        node: NodeId,
        input: &str,
        source: Source,
    ) -> Result<(), GraphError> {
        let inputs = &self.graph.spec(node).unwrap().inputs;
        let at = inputs.iter().position(|known| known.name == input);
        self.graph.set(node, at.unwrap(), source)
    }

    pub(crate) fn eval(&mut self, node: NodeId) -> Value {
        self.graph.eval(node).unwrap()
    }

    pub(crate) fn number(&mut self, node: NodeId) -> f64 {
        as_number(&self.eval(node))
    }

    /// The value for a sink of that size.
    pub(crate) fn sized(&mut self, node: NodeId, width: f32) -> f64 {
        let size = (Key::Resolution, Value::Vec2([width, 100.0]));
        as_number(&self.graph.eval_with(node, &[size]).unwrap())
    }

    /// What ran since this was asked last.
    pub(crate) fn ran(&mut self) -> Vec<String> {
        self.graph.take_log()
    }

    /// How often an operator ran since the log was read last.
    pub(crate) fn runs(&mut self, name: &str) -> usize {
        self.ran().iter().filter(|ran| *ran == name).count()
    }

    pub(crate) fn error(&self, node: NodeId) -> Option<String> {
        self.graph.error(node).map(|(place, error)| match place {
            Some(place) => format!("{place}: {error}"),
            None => error.to_string(),
        })
    }
}

pub(crate) fn as_number(value: &Value) -> f64 {
    match value {
        Value::Number(number) => *number,
        Value::Int(number) => *number as f64,
        other => panic!("expected a number, got {other}"),
    }
}

pub(crate) fn number(number: f64) -> Source {
    Source::Constant(Value::Number(number))
}

pub(crate) fn flag(flag: bool) -> Source {
    Source::Constant(Value::Bool(flag))
}

pub(crate) fn text(text: &str) -> Source {
    Source::Constant(Value::Text(text.into()))
}

pub(crate) fn on(node: NodeId) -> Source {
    Source::Node(node)
}

pub(crate) fn many(nodes: &[NodeId]) -> Source {
    Source::Many(nodes.iter().map(|node| Source::Node(*node)).collect())
}

pub(crate) const NOTHING: [&str; 0] = [];

formula! {
    /// Stands for something that is drawn at a place.
    Draw "test.draw" -> [f32; 3] {
        /// Where.
        position: [f32; 3] = [0.0; 3];
    } = position
}

formula! {
    /// Fails below 0, panics above 100, and else gives what it is given.
    Brittle "test.brittle" -> f64 {
        /// The number.
        value: f64 = 0.0;
    } = |cx| match value {
        value if value < 0.0 => return Err(GraphError::Failed("test.brittle: below 0".into())),
        value if value > 100.0 => std::panic::resume_unwind(Box::new("above 100")),
        value => value,
    }
}

operator! {
    /// Overrides the time and the variable x, pulls, and then fails or panics while both are overridden.
    Break "test.break" -> f64 {
        /// What is pulled in there.
        source: f64 = 0.0;
        /// Whether it panics rather than fail.
        panics: bool = false;
    }
}

impl Update for Break {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let panics = cx.get(self.panics)?;
        let time = (Key::Time, Value::Number(-7.0));
        let x = (Key::Variable("x".into()), Value::Number(-7.0));
        cx.with(&[time], |cx| {
            cx.with_nth(3, &[x], |cx| {
                cx.get(self.source)?;
                match panics {
                    true => std::panic::resume_unwind(Box::new("inside")),
                    false => Err(GraphError::Failed("test.break: inside".into())),
                }
            })
        })
    }
}

operator! {
    /// How many steps it has taken, each of which pulls the value.
    Steps "test.steps" -> i64 {
        /// What is pulled.
        value: f64 = 0.0;
    }
    state { steps: i64 }
}

impl Update for Steps {
    type Output = i64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<i64, GraphError> {
        cx.get(self.value)?;
        self.steps += 1;
        Ok(self.steps)
    }
}

operator! {
    /// The sum of what its value was at each step.
    Total "test.total" -> f64 {
        /// What is added up.
        value: f64 = 0.0;
    }
    state { sum: f64 }
}

impl Update for Total {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        self.sum += cx.get(self.value)?;
        Ok(self.sum)
    }
}

thread_local! {
    /// What [`Outside`] reads behind the engine's back.
    pub(crate) static OUTSIDE: Cell<f64> = const { Cell::new(0.0) };
}

formula! {
    /// The time, plus something that the engine can't see.
    Outside "test.outside" -> f64 {} = |cx| cx.time() + OUTSIDE.get()
}

operator! {
    /// Its values as the digits of one number, in order.
    Digits "test.digits" -> f64 {
        /// The digits.
        values: Many<f64> = Many::none();
    }
}

impl Update for Digits {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let mut digits = 0.0;
        for at in 0..cx.count(self.values) {
            digits = digits * 10.0 + cx.nth(self.values, at)?;
        }
        Ok(digits)
    }
}

formula! {
    /// The number, or -1 where it is left out.
    Maybe "test.maybe" -> f64 {
        /// The number.
        value: Option<f64> = None;
    } = value.unwrap_or(-1.0)
}
