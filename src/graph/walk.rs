//! Walks over the graph: what lies upstream, what fails there, and what nothing needs any more.

use std::collections::HashSet;

use super::marks::Flags;
use super::{Graph, NodeId, Source};

impl Graph {
    /// The nodes connected to a node's inputs, in order.
    pub fn sources(&self, node: NodeId) -> Vec<NodeId> {
        let mut sources = Vec::new();
        if let Some(node) = self.nodes.get(node) {
            let each = |source: &Source| source.nodes(|id| sources.push(id));
            node.inputs.iter().for_each(each);
        }
        sources
    }

    /// What feeds an input, by position.
    pub fn input(&self, node: NodeId, input: usize) -> Option<&Source> {
        self.nodes.get(node)?.inputs.get(input)
    }

    /// The nodes at or below `roots`, each once, in the order in which they are met.
    pub fn reach(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut known = HashSet::new();
        let mut waiting: Vec<NodeId> = roots.into_iter().collect();
        waiting.reverse();
        let mut found = Vec::new();
        while let Some(id) = waiting.pop() {
            if self.nodes.contains_key(id) && known.insert(id) {
                found.push(id);
                waiting.extend(self.sources(id).into_iter().rev());
            }
        }
        found
    }

    /// Each node at or below `roots` that carries an error, nearest the root first.
    pub fn failures(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut found = self.reach(roots);
        found.retain(|id| self.marks.of(*id).has(Flags::FAILED));
        found
    }

    /// Removes every node that none of `roots` depends on.
    pub fn keep_only(&mut self, roots: impl IntoIterator<Item = NodeId>) {
        let kept: HashSet<NodeId> = self.reach(roots).into_iter().collect();
        if kept.len() == self.nodes.len() {
            return;
        }
        self.nodes.retain(|id, _| kept.contains(&id));
        self.context.retain_readers(|id| kept.contains(&id));
        for id in self.nodes.keys() {
            self.marks
                .retain_readers(id, |reader| kept.contains(&reader));
        }
    }

    /// Whether `node` is `other` or depends on it.
    pub(super) fn depends(&self, node: NodeId, other: NodeId) -> bool {
        if node == other {
            return true;
        }
        if self.marks.readers(other).is_empty() {
            return false;
        }
        let mut seen = HashSet::new();
        let mut waiting = vec![node];
        while let Some(id) = waiting.pop() {
            if id == other {
                return true;
            }
            if seen.insert(id) {
                waiting.extend(self.sources(id));
            }
        }
        false
    }
}
