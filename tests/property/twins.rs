//! Two graphs with the same nodes, made and edited at random: one remembers, the other is made to forget.

use std::cell::Cell;
use std::rc::Rc;

use gobo::graph::{
    Cx, Graph, GraphError, InputSpec, Library, Mode, NodeId, Source, Trigger, Update,
};
use gobo::value::{Kind, Value};
use gobo::{formula, operator};

const NODES: usize = 20;

/// A small random number generator (xorshift), so that a failing seed can be run again.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    pub(crate) fn number(&mut self) -> f64 {
        [0.0, 0.5, 1.0, 2.0, -1.0, 3.0][self.below(6)]
    }
}

/// The two graphs.
pub(crate) struct Twins {
    pub(crate) remembering: Graph,
    pub(crate) forgetting: Graph,
    pub(crate) nodes: Vec<NodeId>,
    /// Of how many sizes sinks are. A speed is shared by all of them, so where there are several, none follows a size.
    pub(crate) sizes: usize,
    /// Whether nodes may fail and be disabled.
    fails: bool,
}

impl Twins {
    pub(crate) fn new(rng: &mut Rng, library: &Library, names: &[&str], fails: bool) -> Self {
        let mut twins = Self {
            remembering: Graph::default(),
            forgetting: Graph::default(),
            nodes: Vec::new(),
            sizes: [1, 3][rng.below(2)],
            fails,
        };
        for _ in 0..NODES {
            let spec = Rc::clone(library.get(names[rng.below(names.len())]).unwrap());
            let node = twins.both(|graph| graph.add(&spec));
            for (at, input) in spec.inputs.iter().enumerate() {
                let source = twins.source(rng, input);
                let is_taken = twins.both(|graph| graph.set(node, at, source.clone()).is_ok());
                // An operator that chooses among values fails when it has none.
                if input.is_many && !is_taken {
                    let one = Source::Constant(Value::Number(rng.number()));
                    twins.both(|graph| graph.set(node, at, one.clone()).unwrap());
                }
            }
            twins.nodes.push(node);
        }
        twins
    }

    /// The same change to both; they must agree what comes of it.
    pub(crate) fn both<T: PartialEq + std::fmt::Debug>(
        &mut self,
        change: impl Fn(&mut Graph) -> T,
    ) -> T {
        let result = change(&mut self.remembering);
        assert_eq!(result, change(&mut self.forgetting));
        result
    }

    /// What failed at or below a node, in either graph.
    pub(crate) fn failure(&self, node: NodeId) -> Option<String> {
        let graphs = [&self.remembering, &self.forgetting];
        graphs.into_iter().find_map(|graph| {
            let failed = *graph.failures([node]).first()?;
            graph.error(failed).map(|(_, error)| error.to_string())
        })
    }

    fn source(&mut self, rng: &mut Rng, input: &InputSpec) -> Source {
        if !input.is_many {
            return self.one(rng, input);
        }
        let count = 1 + rng.below(3);
        Source::Many((0..count).map(|_| self.one(rng, input)).collect())
    }

    /// A variable is always a number here, since an operator that finds another kind fails.
    fn one(&mut self, rng: &mut Rng, input: &InputSpec) -> Source {
        let may_connect = !self.nodes.is_empty() && (self.sizes == 1 || !input.is_rate);
        if may_connect && rng.below(4) > 0 {
            let node = self.nodes[rng.below(self.nodes.len())];
            let is_variable = input.is_free || input.name == "default";
            if !is_variable || self.remembering.kind(node) == Some(Kind::Number) {
                return Source::Node(node);
            }
        }
        if input.is_optional && rng.below(2) == 0 {
            return Source::Unset;
        }
        Source::Constant(match input.kind {
            Kind::Bool => Value::Bool(rng.below(2) == 0),
            // Loops within loops within loops are long enough with three turns each.
            Kind::Int => Value::Int(rng.below(4) as i64),
            Kind::Choice => return Source::Unset,
            Kind::Text => {
                let names = ["x", "y", "index", "u", "item", "audio/level"];
                Value::Text(names[rng.below(names.len())].into())
            }
            _ => Value::Number(rng.number()),
        })
    }

    /// Feeds a random input of a random node, which kinds and cycles may forbid, or changes when or whether it runs.
    pub(crate) fn edit(&mut self, rng: &mut Rng) {
        let node = self.nodes[rng.below(self.nodes.len())];
        match rng.below(8) {
            0 => {
                let trigger = [Trigger::None, Trigger::Always][rng.below(2)];
                self.both(|graph| graph.set_trigger(node, trigger));
            }
            1 => {
                let modes = [Mode::Active, Mode::Bypassed, Mode::Disabled];
                let mode = modes[rng.below(if self.fails { 3 } else { 2 })];
                self.both(|graph| graph.set_mode(node, mode));
            }
            _ => {
                let spec = Rc::clone(self.remembering.spec(node).unwrap());
                if !spec.inputs.is_empty() {
                    let input = rng.below(spec.inputs.len());
                    let source = self.source(rng, &spec.inputs[input]);
                    self.both(|graph| graph.set(node, input, source.clone()).is_ok());
                }
            }
        }
    }
}

thread_local! {
    /// How many steps were the second of their state in a frame.
    pub(crate) static WRONG_STEPS: Cell<usize> = const { Cell::new(0) };
}

operator! {
    /// How many steps it has taken; notes when it takes two in one frame.
    Steps "test.steps" -> f64 {
        /// What is pulled in each step.
        value: f64 = 0.0;
    }
    state { last: Option<f64>, steps: f64 }
}

impl Update for Steps {
    type Output = f64;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
        let frame = cx.frame();
        if self.last.replace(frame) == Some(frame) {
            WRONG_STEPS.set(WRONG_STEPS.get() + 1);
        }
        self.steps += 1.0;
        Ok(self.steps + cx.get(self.value)?.clamp(-1.0, 1.0))
    }
}

formula! {
    /// Fails below 0, panics above 2, and else gives what it is given.
    Brittle "test.brittle" -> f64 {
        /// The number.
        value: f64 = 0.0;
    } = |cx| match value {
        value if value < 0.0 => return Err(GraphError::Failed("test.brittle: below 0".into())),
        value if value > 2.0 => std::panic::resume_unwind(Box::new("above 2")),
        value => value,
    }
}
