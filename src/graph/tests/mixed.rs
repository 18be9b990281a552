//! Remembered values against fresh ones where everything that can happen between two pulls does.

use super::*;

/// Numbers that come out the same each time (xorshift).
struct Chance(u64);

impl Chance {
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

/// What the graphs of [`remembering_changes_nothing_whatever_is_mixed`] are made of.
const MIXED: [&str; 15] = [
    "num.add",
    "num.mul",
    "num.floor",
    "num.motion_blur",
    "num.loop",
    "list.sum",
    "list.map",
    "num.switch",
    "variable",
    "with_variable",
    "with_time",
    "bool.pick",
    "num.gt",
    "time",
    "width",
];

fn mixed_source(graph: &Graph, nodes: &[NodeId], spec: &Spec, at: usize, c: &mut Chance) -> Source {
    let input = &spec.inputs[at];
    if !nodes.is_empty() && c.below(4) > 0 && !input.is_rate {
        let node = nodes[c.below(nodes.len())];
        let is_variable = input.is_free || input.name == "default";
        if !is_variable || graph.kind(node) == Some(Kind::Number) {
            return Source::Node(node);
        }
    }
    let one = |c: &mut Chance| match input.kind {
        Kind::Bool => Value::Bool(c.below(2) == 0),
        Kind::Text => Value::Text(["x", "y"][c.below(2)].into()),
        Kind::Choice => Value::Text("wrap".into()),
        Kind::Int => Value::Int(c.below(4) as i64),
        Kind::List => Value::List((0..c.below(3)).map(|_| c.number()).collect()),
        _ => Value::Number(c.number()),
    };
    match input.is_many {
        true => Source::Many(
            (0..=c.below(3))
                .map(|_| match nodes.is_empty() {
                    true => Source::Constant(one(c)),
                    false => Source::Node(nodes[c.below(nodes.len())]),
                })
                .collect(),
        ),
        false => Source::Constant(one(c)),
    }
}

/// Edits and moved keys between two pulls, sinks with keys of their own, loops, samples, modes, and nodes that go.
#[test]
fn remembering_changes_nothing_whatever_is_mixed() {
    let library = Library::built_in();
    let keys = [
        Key::Time,
        Key::Beat,
        Key::Resolution,
        Key::Variable("x".into()),
        Key::Variable("y".into()),
    ];
    let mut whole = 0;
    'graphs: for seed in 1..=GRAPHS {
        let c = &mut Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let (mut graph, mut fresh) = (Graph::default(), Graph::default());
        let mut nodes: Vec<NodeId> = Vec::new();
        let add =
            |graph: &mut Graph, fresh: &mut Graph, nodes: &mut Vec<NodeId>, c: &mut Chance| {
                let spec = library.get(MIXED[c.below(MIXED.len())]).unwrap();
                let node = graph.add(spec);
                assert_eq!(node, fresh.add(spec));
                for at in 0..spec.inputs.len() {
                    let source = mixed_source(graph, nodes, spec, at, c);
                    let set = graph.set(node, at, source.clone());
                    assert_eq!(set, fresh.set(node, at, source));
                }
                nodes.push(node);
            };
        for _ in 0..12 {
            add(&mut graph, &mut fresh, &mut nodes, c);
        }
        for frame in 1..=6 {
            graph.begin_frame(frame);
            fresh.begin_frame(frame);
            for _ in 0..12 {
                let node = nodes[c.below(nodes.len())];
                let value = |key: &Key, c: &mut Chance| match key {
                    Key::Resolution => Value::Vec2([c.below(3) as f32 + 1.0; 2]),
                    _ => Value::Number(c.number()),
                };
                match c.below(12) {
                    0 => {
                        let spec = graph.spec(node).unwrap().clone();
                        if !spec.inputs.is_empty() {
                            let at = c.below(spec.inputs.len());
                            let source = mixed_source(&graph, &nodes, &spec, at, c);
                            let set = graph.set(node, at, source.clone());
                            assert_eq!(set, fresh.set(node, at, source), "{seed}");
                        }
                    }
                    1 | 2 => {
                        let key = &keys[c.below(keys.len())];
                        let is_set = !matches!(key, Key::Variable(_)) || c.below(2) == 0;
                        let value = is_set.then(|| value(key, c));
                        graph.set_root(key, value.clone());
                        fresh.set_root(key, value);
                    }
                    3 => {
                        let mode = match c.below(3) {
                            0 => Mode::Bypassed,
                            _ => Mode::Active,
                        };
                        let trigger = [Trigger::None, Trigger::Always][c.below(2)];
                        for graph in [&mut graph, &mut fresh] {
                            graph.set_mode(node, mode);
                            graph.set_trigger(node, trigger);
                        }
                    }
                    4 => {
                        let kept: Vec<NodeId> =
                            nodes.iter().copied().filter(|_| c.below(4) > 0).collect();
                        graph.keep_only(kept.clone());
                        fresh.keep_only(kept);
                        nodes.retain(|node| graph.spec(*node).is_some());
                        while nodes.len() < 12 {
                            add(&mut graph, &mut fresh, &mut nodes, c);
                        }
                    }
                    5..=7 => {
                        let overrides: Vec<(Key, Value)> = (0..c.below(3))
                            .map(|_| {
                                let key = keys[c.below(keys.len())].clone();
                                (key.clone(), value(&key, c))
                            })
                            .collect();
                        fresh.forget();
                        let a = graph.eval_with(node, &overrides);
                        let b = fresh.eval_with(node, &overrides);
                        if [&graph, &fresh]
                            .iter()
                            .any(|g| !g.failures([node]).is_empty())
                        {
                            // What a failure leaves depends on what was before.
                            continue 'graphs;
                        }
                        assert_eq!(a, b, "{seed} {frame}");
                    }
                    _ => {
                        fresh.forget();
                        let (a, b) = (graph.eval(node), fresh.eval(node));
                        if [&graph, &fresh]
                            .iter()
                            .any(|g| !g.failures([node]).is_empty())
                        {
                            continue 'graphs;
                        }
                        assert_eq!(a, b, "{seed} {frame}");
                    }
                }
                assert!(graph.context.is_root() && graph.seen.is_empty() && graph.depth == 0);
            }
        }
        whole += 1;
    }
    assert!(whole > GRAPHS / 2, "{whole}");
}
