//! Commands of the prompt that look at the show: `:stats` counts, `:graph` prints what runs.

use std::collections::HashSet;
use std::fmt::Write;

use crate::graph::{Graph, Mode, NodeId, Status, nearest};

/// The most lines that `:graph` prints.
const LINES: usize = 200;

/// What there is, each with what it does.
const COMMANDS: [(&str, &str); 3] = [
    (
        ":graph",
        "the nodes below each output: which ran in this frame, which are remembered and for how long",
    ),
    (
        ":stats",
        "how many operators ran in this frame, and which cost most",
    ),
    (
        ":help",
        "these commands; help() lists what sketches can use",
    ),
];

/// Whether a typed line is a command and no Lua, which never begins with a colon.
pub(super) fn is_command(line: &str) -> bool {
    line.trim_start().starts_with(':')
}

/// What a command answers at the end of a frame. `outputs` are what plays, each with its name.
pub(super) fn answer(
    line: &str,
    graph: &Graph,
    outputs: &[(String, NodeId)],
) -> Result<String, String> {
    match line.trim() {
        ":graph" => Ok(tree(graph, outputs)),
        ":stats" => Ok(stats(graph, outputs)),
        ":help" => {
            let lines = COMMANDS.map(|(name, what)| format!("{name:<8} {what}"));
            Ok(lines.join("\n"))
        }
        other => {
            let names = COMMANDS.map(|(name, _)| name);
            let hint = match nearest(other, names) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("there are {}", names.join(", ")),
            };
            Err(format!("there is no command {other}; {hint}"))
        }
    }
}

/// Counts of the frame, and the nodes that cost most of those that ran.
fn stats(graph: &Graph, outputs: &[(String, NodeId)]) -> String {
    let counts = graph.stats();
    let mut text = format!(
        "frame {}: {} updated, {} reused, {} failed, of {} nodes",
        graph.frame(),
        counts.updated,
        counts.reused,
        counts.failed,
        graph.len()
    );
    let nodes = graph.reach(outputs.iter().map(|(_, node)| *node));
    let mut costs: Vec<_> = nodes
        .into_iter()
        .filter_map(|node| {
            let status = graph.status(node)?;
            Some((status.cost? * runs(graph, &status), node, status))
        })
        .collect();
    costs.sort_by_key(|(cost, ..)| std::cmp::Reverse(*cost));
    for (_, node, status) in costs.iter().take(10).filter(|(cost, ..)| !cost.is_zero()) {
        let _ = write!(text, "\n  {}", line(graph, *node, status));
    }
    text
}

fn runs(graph: &Graph, status: &Status<'_>) -> u32 {
    match status.last_run == Some(graph.frame()) {
        true => status.runs,
        false => 0,
    }
}

/// One node: its operator, what it did in this frame, its cost and place.
fn line(graph: &Graph, node: NodeId, status: &Status<'_>) -> String {
    let name = graph.spec(node).map_or("", |spec| &spec.name);
    let did = match (status.mode, status.last_run, runs(graph, status)) {
        (Mode::Bypassed, ..) => "bypassed".to_owned(),
        (Mode::Disabled, ..) => "disabled".to_owned(),
        (_, None, _) => "never asked for".to_owned(),
        (_, Some(last), 0) => match graph.frame() - last {
            1 => "remembered for 1 frame".to_owned(),
            frames => format!("remembered for {frames} frames"),
        },
        (_, _, 1) => "ran".to_owned(),
        (_, _, times) => format!("ran {times} times"),
    };
    let mut text = format!("{name}  {did}");
    if let Some(cost) = status.cost {
        let _ = write!(text, ", {:.1} µs", cost.as_nanos() as f64 / 1000.0);
    }
    if let Some(origin) = status.origin {
        let _ = write!(text, ", {origin}");
    }
    if let Some(error) = status.error {
        let _ = write!(text, "; failed: {error}");
    }
    text
}

/// The nodes below each output as trees, each node once.
fn tree(graph: &Graph, outputs: &[(String, NodeId)]) -> String {
    if outputs.is_empty() {
        return "nothing plays".to_owned();
    }
    let mut lines = Vec::new();
    let mut known = HashSet::new();
    for (name, root) in outputs {
        lines.push(name.clone());
        // A node with what stands before it and before its inputs.
        let mut waiting = vec![(*root, "└ ".to_owned(), "  ".to_owned())];
        while let Some((node, before, below)) = waiting.pop() {
            if lines.len() >= LINES {
                lines.push(format!("… {} nodes in all", graph.len()));
                return lines.join("\n");
            }
            let Some(status) = graph.status(node) else {
                continue;
            };
            let is_new = known.insert(node);
            let text = line(graph, node, &status);
            let sources = graph.sources(node);
            let again = if is_new || sources.is_empty() {
                ""
            } else {
                ", inputs as above"
            };
            lines.push(format!("{before}{text}{again}"));
            if is_new {
                let last = sources.len().saturating_sub(1);
                let inputs = sources.into_iter().enumerate().rev();
                waiting.extend(inputs.map(|(at, source)| match at == last {
                    true => (source, format!("{below}└ "), format!("{below}  ")),
                    false => (source, format!("{below}├ "), format!("{below}│ ")),
                }));
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]
    use super::*;
    use crate::graph::{Key, Library, Source};
    use crate::value::Value;

    fn graph() -> (Graph, [(String, NodeId); 1]) {
        let (mut graph, library) = (Graph::default(), Library::built_in());
        let add = |graph: &mut Graph, name: &str| graph.add(library.get(name).unwrap());
        let [time, still, sum, top] =
            ["time", "num.sin", "num.mul", "num.add"].map(|name| add(&mut graph, name));
        graph.set(sum, 0, Source::Node(time)).unwrap();
        graph.set(sum, 1, Source::Node(still)).unwrap();
        graph.set(top, 0, Source::Node(sum)).unwrap();
        graph.set(top, 1, Source::Node(sum)).unwrap();
        graph.set_origin(top, "sketch.lua:3".into());
        for frame in 1..=3 {
            graph.begin_frame(frame);
            graph.set_root(&Key::Time, Some(Value::Number(frame as f64)));
            graph.eval(top).unwrap();
        }
        (graph, [("o0".to_owned(), top)])
    }

    fn without_costs(text: &str) -> String {
        let parts = text.split(", ").filter(|part| !part.contains("µs"));
        parts.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_graph_says_what_ran_and_what_is_remembered() {
        let (graph, outputs) = graph();
        let text = answer(":graph", &graph, &outputs).unwrap();
        let lines: Vec<String> = text.lines().map(without_costs).collect();
        // Zero times the sine of 0 is what the product was before, so the sum didn't run again.
        assert_eq!(
            lines,
            [
                "o0",
                "└ num.add  remembered for 2 frames, sketch.lua:3",
                "  ├ num.mul  ran",
                "  │ ├ time  ran",
                "  │ └ num.sin  remembered for 2 frames",
                "  └ num.mul  ran, inputs as above",
            ]
        );
    }

    #[test]
    fn the_counts_are_of_this_frame() {
        let (graph, outputs) = graph();
        let text = answer(" :stats ", &graph, &outputs).unwrap();
        let first = text.lines().next().unwrap();
        assert_eq!(first, "frame 3: 2 updated, 3 reused, 0 failed, of 4 nodes");
    }

    #[test]
    fn an_unknown_command_names_the_nearest() {
        let (graph, outputs) = graph();
        let error = answer(":grph", &graph, &outputs).unwrap_err();
        assert_eq!(error, "there is no command :grph; did you mean :graph?");
        assert!(is_command("  :stats") && !is_command("x:out()"));
    }
}
