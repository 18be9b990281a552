//! Remembering never shows: over random graphs, edits, overrides and outputs, a graph that remembers gives what one
//! gives that forgets everything.
#![allow(clippy::unwrap_used, reason = "a failing test should panic")]

use std::rc::Rc;

use gobo::graph::{Graph, InputSpec, Key, Library, NodeId, Source};
use gobo::value::{Kind, Value};

const GRAPHS: u64 = 2500;
const NODES: usize = 14;
const FRAMES: u64 = 8;

/// A small random number generator (xorshift), so that a failing seed can be run again.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn number(&mut self) -> f64 {
        [0.0, 0.5, 1.0, 2.0, -1.0, 3.0][self.below(6)]
    }
}

/// Stateless operators, then those with state.
const PURE: &[&str] = &[
    "num.add",
    "num.mul",
    "num.floor",
    "time",
    "beat",
    "variable",
    "with_time",
    "with_variable",
    "bool.pick",
    "num.gt",
    "channel",
];
const STATEFUL: &[&str] = &["num.damp"];

/// Two graphs with the same nodes: one remembers, the other is made to forget.
struct Twins {
    remembering: Graph,
    forgetting: Graph,
    nodes: Vec<NodeId>,
}

impl Twins {
    /// The same change to both; they must agree whether it is allowed.
    fn both<T: PartialEq + std::fmt::Debug>(&mut self, change: impl Fn(&mut Graph) -> T) -> T {
        let result = change(&mut self.remembering);
        assert_eq!(result, change(&mut self.forgetting));
        result
    }

    /// A variable is always a number here: an operator that finds another kind fails, and what a failure leaves
    /// depends on what was before.
    fn source(&mut self, rng: &mut Rng, input: &InputSpec) -> Source {
        if !self.nodes.is_empty() && rng.below(4) > 0 {
            let node = self.nodes[rng.below(self.nodes.len())];
            let is_variable = input.is_free || input.name == "default";
            if !is_variable || self.remembering.kind(node) == Some(Kind::Number) {
                return Source::Node(node);
            }
        }
        Source::Constant(match input.kind {
            Kind::Bool => Value::Bool(rng.below(2) == 0),
            Kind::Text => Value::Text(["x", "y"][rng.below(2)].into()),
            _ => Value::Number(rng.number()),
        })
    }

    /// Feeds a random input of a random node; kinds and cycles may forbid it.
    fn edit(&mut self, rng: &mut Rng) {
        let node = self.nodes[rng.below(self.nodes.len())];
        let spec = Rc::clone(self.remembering.spec(node).unwrap());
        if let Some(input) = spec
            .inputs
            .len()
            .checked_sub(1)
            .map(|last| rng.below(last + 1))
        {
            let source = self.source(rng, &spec.inputs[input]);
            self.both(|graph| graph.set(node, input, source.clone()).is_ok());
        }
    }
}

fn twins(rng: &mut Rng, library: &Library, names: &[&str]) -> Twins {
    let mut twins = Twins {
        remembering: Graph::default(),
        forgetting: Graph::default(),
        nodes: Vec::new(),
    };
    for _ in 0..NODES {
        let spec = Rc::clone(library.get(names[rng.below(names.len())]).unwrap());
        let node = twins.both(|graph| graph.add(&spec));
        for input in 0..spec.inputs.len() {
            let source = twins.source(rng, &spec.inputs[input]);
            twins.both(|graph| graph.set(node, input, source.clone()).is_ok());
        }
        twins.nodes.push(node);
    }
    twins
}

/// Plays one pair of graphs; `forget` says when the second one forgets.
fn play(
    seed: u64,
    library: &Library,
    names: &[&str],
    forgets_within_frames: bool,
) -> (usize, usize) {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut twins = twins(&mut rng, library, names);
    let (mut remembered, mut fresh) = (0, 0);
    let mut time = 0.0;
    for frame in 1..=FRAMES {
        time += [0.0, 0.25, 0.5][rng.below(3)];
        let (beat, level) = (time * 2.0, rng.number());
        twins.both(|graph| {
            graph.begin_frame(frame);
            graph.set_root(&Key::Time, Some(Value::Number(time)));
            graph.set_root(&Key::Beat, Some(Value::Number(beat)));
            graph.set_root(
                &Key::Channel("audio/level".into()),
                Some(Value::Number(level)),
            );
        });
        twins.forgetting.forget();
        for _ in 0..4 {
            let node = twins.nodes[rng.below(NODES)];
            if forgets_within_frames {
                twins.forgetting.forget();
            }
            let (a, b) = (twins.remembering.eval(node), twins.forgetting.eval(node));
            for graph in [&twins.remembering, &twins.forgetting] {
                let failed = graph.failures([node]);
                assert_eq!(
                    failed,
                    [],
                    "seed {seed}: {:?}",
                    failed.iter().map(|id| graph.error(*id)).collect::<Vec<_>>()
                );
            }
            assert_eq!(a, b, "seed {seed}, frame {frame}");
            for (key, value) in [(Key::Time, time), (Key::Beat, beat)] {
                assert_eq!(
                    twins.remembering.root(&key),
                    Some(&Value::Number(value)),
                    "seed {seed}: not put back"
                );
            }
            assert_eq!(
                twins.remembering.root(&Key::Variable("x".into())),
                None,
                "seed {seed}: not put back"
            );
        }
        remembered += twins.remembering.stats().updated;
        fresh += twins.forgetting.stats().updated;
        for _ in 0..rng.below(3) {
            twins.edit(&mut rng);
        }
    }
    (remembered, fresh)
}

#[test]
fn remembering_changes_nothing() {
    let library = Library::built_in();
    let (mut remembered, mut fresh) = (0, 0);
    for seed in 1..=GRAPHS {
        let (a, b) = play(seed, &library, PURE, true);
        (remembered, fresh) = (remembered + a, fresh + b);
    }
    assert!(
        remembered * 2 < fresh,
        "remembering saved little: {remembered} of {fresh} updates ran"
    );
}

#[test]
fn remembering_changes_nothing_where_state_steps_once_a_frame() {
    let library = Library::built_in();
    let names: Vec<&str> = PURE
        .iter()
        .chain(STATEFUL)
        .chain(STATEFUL)
        .copied()
        .collect();
    for seed in 1..=GRAPHS {
        play(seed, &library, &names, false);
    }
}
