//! A show that has warmed up asks the heap for nothing: memory that is asked for in every frame makes frames late.
#![allow(clippy::unwrap_used, reason = "a failing test should panic")]

use std::rc::Rc;

use gobo::graph::{Graph, Key, Library, NodeId, Source};
use gobo::value::Value;

/// Frames until every memo, and every recent value of the time, has its place.
const WARM: u64 = 100;

struct Stage {
    graph: Graph,
    library: Library,
    frame: u64,
}

impl Stage {
    fn new() -> Self {
        Self {
            graph: Graph::default(),
            library: Library::built_in(),
            frame: 0,
        }
    }

    /// A node whose first inputs are fed by these.
    fn node(&mut self, name: &str, inputs: &[Source]) -> NodeId {
        let spec = Rc::clone(self.library.get(name).unwrap());
        let node = self.graph.add(&spec);
        for (at, source) in inputs.iter().enumerate() {
            self.graph.set(node, at, source.clone()).unwrap();
        }
        node
    }

    /// Plays one frame, at a time that moves or stands still, and returns how many operators ran.
    fn play(&mut self, outputs: &[NodeId], moves: bool) -> usize {
        self.frame += 1;
        self.graph.begin_frame(self.frame);
        let time = if moves { self.frame as f64 / 60.0 } else { 1.0 };
        for (key, value) in [(Key::Time, time), (Key::Beat, time * 2.0)] {
            self.graph.set_root(&key, Some(Value::Number(value)));
        }
        for output in outputs {
            assert!(self.graph.value(*output).is_some());
        }
        self.graph.stats().updated
    }

    /// Plays until warm; then each frame must run so many operators and ask for no memory.
    fn assert_steady(&mut self, outputs: &[NodeId], moves: bool, updated: usize) {
        for _ in 0..WARM {
            self.play(outputs, moves);
        }
        for _ in 0..10 {
            let mut ran = 0;
            let memory = allocation_counter::measure(|| ran = self.play(outputs, moves));
            assert_eq!(ran, updated);
            assert_eq!(memory.count_total, 0, "{memory:?}");
        }
    }
}

fn number(number: f64) -> Source {
    Source::Constant(Value::Number(number))
}

/// Chains of a hundred nodes over the time, every one of which follows it, and their ends.
fn moving(stage: &mut Stage, chains: usize) -> Vec<NodeId> {
    let time = stage.node("time", &[]);
    let chain = |_| {
        (0..100).fold(time, |last, at| match at % 3 {
            0 => stage.node("num.add", &[Source::Node(last), Source::Node(time)]),
            1 => stage.node("num.add", &[Source::Node(last), number(0.001)]),
            _ => stage.node("num.mul", &[Source::Node(last), number(0.999)]),
        })
    };
    (0..chains).map(chain).collect()
}

#[test]
fn ten_thousand_nodes_that_follow_the_time_ask_for_no_memory() {
    let mut stage = Stage::new();
    let ends = moving(&mut stage, 100);
    stage.assert_steady(&ends, true, 10_001);
}

#[test]
fn a_clean_frame_asks_for_no_memory() {
    let mut stage = Stage::new();
    let ends = moving(&mut stage, 100);
    stage.assert_steady(&ends, false, 0);
}

#[test]
fn sixteen_other_times_over_one_part_ask_for_no_memory() {
    let mut stage = Stage::new();
    let shared = moving(&mut stage, 1)[0];
    let outputs: Vec<NodeId> = (0..16)
        .map(|n| {
            let offset = number(f64::from(n) * 0.001 + 0.0001);
            stage.node("with_time", &[Source::Node(shared), offset])
        })
        .collect();
    stage.assert_steady(&outputs, true, 16 * 102);
}

#[test]
fn state_asks_for_no_memory() {
    let mut stage = Stage::new();
    let followed = stage.node("time", &[]);
    let mut outputs = Vec::new();
    for name in ["num.damp", "num.spring", "num.slew", "num.accumulate"] {
        let stepped = stage.node(name, &[Source::Node(followed)]);
        outputs.push(stepped);
        outputs.push(stage.node("with_time", &[Source::Node(stepped), number(0.5)]));
    }
    stage.assert_steady(&outputs, true, 2 + 4 * 3);
}
