//! Handing state from one version of a sketch to the next: what is the same in structure keeps running.

use std::collections::HashSet;

use super::run::fresh;
use super::{Graph, NodeId, Source};

impl Graph {
    /// For each pair of a new node and the old one it replaces: gives the new one and what it depends on the state
    /// of the old one and what that depends on, wherever both use the same operator in the same place. An operator
    /// put into a chain, or taken out of it, shifts nothing else; a node that several pairs share is given once.
    pub fn adopt(&mut self, pairs: impl IntoIterator<Item = (NodeId, NodeId)>) {
        let mut waiting: Vec<(NodeId, NodeId)> = pairs.into_iter().collect();
        waiting.reverse();
        let mut taken = HashSet::new();
        let mut replaced = HashSet::new();
        while let Some((new, old)) = waiting.pop() {
            if new == old || !self.nodes.contains_key(new) || !self.nodes.contains_key(old) {
                continue;
            }
            let same = |graph: &Self, a: NodeId, b: NodeId| {
                graph.nodes[a].spec.name == graph.nodes[b].spec.name
            };
            if same(self, new, old) {
                if taken.insert(new) {
                    self.take_over(new, old);
                    // Two nodes stay two, also where both replace one.
                    if replaced.insert(old) {
                        let old = &self.nodes[old].rest;
                        let (token, seed) = (old.token, old.seed);
                        let new = &mut self.nodes[new].rest;
                        (new.token, new.seed) = (token, seed.or(new.seed));
                    }
                    let first = waiting.len();
                    let (a, b) = (&self.nodes[new].inputs, &self.nodes[old].inputs);
                    a.iter().zip(b).for_each(|(a, b)| pair(a, b, &mut waiting));
                    waiting[first..].reverse();
                }
            } else if let Some(inner) = self.upstream(new).find(|inner| same(self, *inner, old)) {
                waiting.push((inner, old));
            } else if let Some(inner) = self.upstream(old).find(|inner| same(self, new, *inner)) {
                waiting.push((new, inner));
            } else if let (Some(a), Some(b)) =
                (self.upstream(new).next(), self.upstream(old).next())
            {
                waiting.push((a, b));
            }
        }
    }

    /// The chain that a node continues: its first input, that one's first input, and so on.
    fn upstream(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = |node: &NodeId| match self.nodes.get(*node)?.inputs.first()? {
            Source::Node(id) if self.nodes.get(*id)?.kind == self.nodes[*node].kind => Some(*id),
            _ => None,
        };
        std::iter::successors(first(&node), move |node| first(node))
    }

    fn take_over(&mut self, new: NodeId, old: NodeId) {
        let mut instances = std::mem::take(&mut self.nodes[old].rest.instances);
        let (new_spec, old_spec) = (self.nodes[new].spec.clone(), self.nodes[old].spec.clone());
        // Both versions may still be evaluated for a while: the old one goes on from a copy of where it was. What
        // isn't stepped has no state of its own, and may belong to its version, as a function of a sketch does.
        let copies = instances.iter_mut().map(|instance| {
            let state = instance.operator.as_ref().and_then(|old| old.state());
            let operator = if let Some(state) = state {
                let mut new = fresh(&new_spec.make);
                if let Some(new) = &mut new {
                    new.restore(state);
                }
                std::mem::replace(&mut instance.operator, new)
            } else if new_spec.is_stepped && old_spec.is_stepped {
                fresh(&old_spec.make)
            } else {
                std::mem::replace(&mut instance.operator, fresh(&new_spec.make))
            };
            super::Instance {
                operator,
                ..instance.fork()
            }
        });
        self.nodes[old].rest.instances = copies.collect();
        self.nodes[new].rest.instances = instances;
        self.mark(new);
    }
}

/// The nodes that feed the same place of two inputs.
fn pair(new: &Source, old: &Source, pairs: &mut Vec<(NodeId, NodeId)>) {
    match (new, old) {
        (Source::Node(new), Source::Node(old)) => pairs.push((*new, *old)),
        (Source::Many(new), Source::Many(old)) => {
            new.iter()
                .zip(old)
                .for_each(|(new, old)| pair(new, old, pairs));
        }
        _ => {}
    }
}
