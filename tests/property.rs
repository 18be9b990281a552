//! Remembering never shows: over random graphs, edits, overrides and outputs, a graph that remembers gives what one
//! gives that forgets everything.
#![allow(clippy::unwrap_used, reason = "a failing test should panic")]

#[path = "property/twins.rs"]
mod twins;

use gobo::graph::{Key, Library};
use gobo::value::Value;

use twins::{Rng, Twins, WRONG_STEPS};

const GRAPHS: u64 = 5000;
const FRAMES: u64 = 8;

/// Operators without state.
const PURE: &[&str] = &[
    "num.add",
    "num.mul",
    "num.floor",
    "num.gt",
    "num.loop",
    "num.motion_blur",
    "num.switch",
    "bool.pick",
    "any.gate",
    "list.map",
    "list.sum",
    "vec3.of",
    "vec3.length",
    "time",
    "beat",
    "width",
    "clock.effect_time",
    "variable",
    "with_time",
    "with_variable",
    "channel",
];

/// Those that step once a frame.
const STEPPED: &[&str] = &[
    "num.damp",
    "num.spring",
    "num.slew",
    "num.accumulate",
    "bool.counter",
    "bool.toggle",
    "any.hold",
    "any.delay",
    "test.steps",
];

/// When the second graph forgets, and whether the two must agree.
#[derive(Clone, Copy, PartialEq)]
enum Forgets {
    BeforeEachPull,
    BeforeEachFrame,
    /// Nodes fail and are disabled, whose value depends on what was before: what each graph does is looked at alone.
    Failing,
}

/// Plays one pair of graphs; returns how many operators ran in each.
fn play(seed: u64, library: &Library, names: &[&str], forgets: Forgets) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let mut twins = Twins::new(&mut rng, library, names, forgets == Forgets::Failing);
    let (mut remembered, mut fresh) = (0, 0);
    let mut time = 0.0;
    for frame in 1..=FRAMES {
        time += [0.0, 0.25, 0.5][rng.below(3)];
        let roots = [
            (Key::Time, time),
            (Key::Beat, time * 2.0),
            (Key::EffectTime, time),
            (Key::Channel("audio/level".into()), rng.number()),
        ]
        .map(|(key, value)| (key, Value::Number(value)));
        twins.both(|graph| {
            graph.begin_frame(frame);
            for (key, value) in &roots {
                graph.set_root(key, Some(value.clone()));
            }
        });
        twins.forgetting.forget();
        for _ in 0..5 {
            let node = twins.nodes[rng.below(twins.nodes.len())];
            let size = [None, Some(320.0), Some(640.0)][rng.below(twins.sizes)];
            if forgets == Forgets::BeforeEachPull {
                twins.forgetting.forget();
            }
            let [a, b] = [&mut twins.remembering, &mut twins.forgetting].map(|graph| match size {
                None => graph.eval(node),
                Some(width) => {
                    let size = (Key::Resolution, Value::Vec2([width, 100.0]));
                    graph.eval_with(node, &[size])
                }
            });
            assert_eq!(
                WRONG_STEPS.get(),
                0,
                "seed {seed}: a second step in a frame"
            );
            for graph in [&twins.remembering, &twins.forgetting] {
                for (key, value) in &roots {
                    assert_eq!(graph.root(key), Some(value), "seed {seed}: {key:?}");
                }
                for name in ["x", "y", "index", "u", "item"] {
                    assert_eq!(graph.root(&Key::Variable(name.into())), None, "seed {seed}");
                }
                assert_eq!(graph.root(&Key::Resolution), None, "seed {seed}");
            }
            if forgets != Forgets::Failing {
                assert_eq!(twins.failure(node), None, "seed {seed}, frame {frame}");
                assert_eq!(a, b, "seed {seed}, frame {frame}");
            }
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
        let (a, b) = play(seed, &library, PURE, Forgets::BeforeEachPull);
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
    let names = [PURE, STEPPED, STEPPED].concat();
    for seed in 1..=GRAPHS {
        play(seed, &library, &names, Forgets::BeforeEachFrame);
    }
}

#[test]
fn what_fails_or_is_disabled_leaves_the_context_and_the_steps_as_they_are() {
    let library = Library::built_in();
    let names = [PURE, STEPPED, &["test.brittle"; 6]].concat();
    for seed in 1..=GRAPHS {
        play(seed, &library, &names, Forgets::Failing);
    }
}
