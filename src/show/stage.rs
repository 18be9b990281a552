//! What each output plays, and what waits behind the curtain until it can be drawn without a stall.

use crate::gpu::{Gpu, Warmth};
use crate::graph::{Graph, NodeId};
use crate::ops::output::{OUTPUTS, Shown};
use crate::script::{Effect, Node, Version};
use crate::shader::{Fuser, Plan};
use crate::value::{Image, Value};

/// What one output plays.
#[derive(Default)]
struct Output {
    node: Option<Node>,
    /// Whether it was typed rather than written in the sketch.
    is_typed: bool,
    image: Option<Image>,
}

/// What one output will play.
struct Proposal {
    node: Option<Node>,
    is_typed: bool,
}

/// What waits: outputs to change, and the version of the sketch that wants it.
#[derive(Default)]
struct Waiting {
    outputs: [Option<Proposal>; OUTPUTS],
    shown: Option<Shown>,
    /// What the version asks the window to show, if it does.
    asked: Option<Shown>,
    version: Option<Version>,
}

/// What just entered the stage.
pub(super) struct Entered {
    pub(super) version: Option<Version>,
}

/// Why what waited can't enter.
pub(super) struct Refused {
    pub(super) failures: Vec<Failure>,
    pub(super) version: Option<Version>,
}

/// The four outputs.
pub(super) struct Stage {
    outputs: [Output; OUTPUTS],
    plans: [Option<Plan>; OUTPUTS],
    shown: Shown,
    /// What the version on stage asked the window to show, if it did.
    asked: Option<Shown>,
    waiting: Option<Waiting>,
    fuser: Fuser,
}

impl Default for Stage {
    fn default() -> Self {
        Self {
            outputs: Default::default(),
            plans: Default::default(),
            shown: Shown::One(0),
            asked: None,
            waiting: None,
            fuser: Fuser::default(),
        }
    }
}

impl Stage {
    /// A version of the sketch wants to enter; it replaces another that waits.
    ///
    /// It takes every output but those that were typed into and that it doesn't use itself.
    pub(super) fn propose_version(&mut self, version: Version) {
        let typed = self
            .waiting
            .take()
            .filter(|waiting| waiting.version.is_none());
        let mut waiting = typed.unwrap_or_default();
        for (at, output) in self.outputs.iter().enumerate() {
            if !output.is_typed && waiting.outputs[at].is_none() {
                waiting.outputs[at] = Some(Proposal {
                    node: None,
                    is_typed: false,
                });
            }
        }
        for effect in version.effects() {
            if !matches!(effect, Effect::Render(_)) {
                waiting.take(effect.clone(), false);
            }
        }
        // What was typed stays, unless the sketch itself has changed its mind.
        waiting.asked = asked(&version);
        if waiting.asked != self.asked {
            waiting.shown = Some(waiting.asked.unwrap_or(Shown::One(0)));
        }
        waiting.version = Some(version);
        self.waiting = Some(waiting);
    }

    /// One change wants to enter; it joins whatever waits.
    pub(super) fn propose(&mut self, effect: Effect, is_typed: bool) {
        self.waiting.get_or_insert_default().take(effect, is_typed);
    }

    /// Evaluates what waits and lets it enter once every pipeline it needs has drawn once.
    ///
    /// `None` while nothing enters; refused when a node of it fails or a shader doesn't compile.
    pub(super) fn rehearse(
        &mut self,
        graph: &mut Graph,
        gpu: Option<&mut Gpu>,
        is_patient: bool,
    ) -> Option<Result<Entered, Refused>> {
        let waiting = self.waiting.as_ref()?;
        let nodes: Vec<NodeId> = waiting.nodes().collect();
        let images: Vec<Image> = nodes
            .iter()
            .filter_map(|node| image(graph, *node))
            .collect();
        let mut failures = failures(graph, &nodes);
        let mut is_ready = true;
        if let (true, Some(gpu)) = (failures.is_empty(), gpu) {
            let plans: Vec<Plan> = images.iter().map(|image| self.fuser.plan(image)).collect();
            if is_patient {
                gpu.wait_warm(&plans);
            }
            for plan in &plans {
                match gpu.warm(plan) {
                    Warmth::Ready => {}
                    Warmth::Pending => is_ready = false,
                    Warmth::Failed(error) => failures.push(Failure {
                        origin: None,
                        message: error.to_string(),
                    }),
                }
            }
        }
        if !failures.is_empty() {
            let version = self.waiting.take().and_then(|waiting| waiting.version);
            return Some(Err(Refused { failures, version }));
        }
        let waiting = self.waiting.take_if(|_| is_ready)?;
        Some(Ok(self.enter(graph, waiting)))
    }

    fn enter(&mut self, graph: &mut Graph, waiting: Waiting) -> Entered {
        let pairs = self.outputs.iter().zip(&waiting.outputs);
        graph.adopt(pairs.filter_map(|(output, proposal)| {
            let new = proposal.as_ref()?.node.as_ref()?;
            Some((new.id(), output.node.as_ref()?.id()))
        }));
        for (output, proposal) in self.outputs.iter_mut().zip(waiting.outputs) {
            let Some(Proposal { node, is_typed }) = proposal else {
                continue;
            };
            *output = Output {
                node,
                is_typed,
                image: None,
            };
        }
        if let Some(shown) = waiting.shown {
            self.shown = shown;
        }
        if waiting.version.is_some() {
            self.asked = waiting.asked;
        }
        Entered {
            version: waiting.version,
        }
    }

    /// Evaluates what plays and plans its passes.
    pub(super) fn play(&mut self, graph: &mut Graph) {
        for (output, plan) in self.outputs.iter_mut().zip(&mut self.plans) {
            let image = output
                .node
                .as_ref()
                .and_then(|node| image(graph, node.id()));
            let is_same = match (&image, &output.image) {
                (Some(new), Some(old)) => new.address() == old.address(),
                (None, None) => plan.is_none(),
                _ => false,
            };
            if !is_same {
                *plan = image.as_ref().map(|image| self.fuser.plan(image));
                output.image = image;
            }
        }
    }

    /// The nodes that play.
    pub(super) fn playing(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.outputs
            .iter()
            .filter_map(|output| output.node.as_ref().map(Node::id))
    }

    /// What plays, each with the name of its output.
    pub(super) fn outputs(&self) -> Vec<(String, NodeId)> {
        let outputs = self.outputs.iter().enumerate();
        outputs
            .filter_map(|(at, output)| Some((format!("o{at}"), output.node.as_ref()?.id())))
            .collect()
    }

    pub(super) fn plans(&self) -> &[Option<Plan>; OUTPUTS] {
        &self.plans
    }

    pub(super) fn shown(&self) -> Shown {
        self.shown
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// Drops programs that nothing draws any more.
    pub(super) fn trim(&mut self) {
        self.fuser.trim();
    }
}

impl Waiting {
    fn take(&mut self, effect: Effect, is_typed: bool) {
        match effect {
            Effect::Out { output, node } => {
                self.outputs[output] = Some(Proposal {
                    node: Some(node),
                    is_typed,
                });
            }
            Effect::Render(shown) => self.shown = Some(shown),
            Effect::Hush => {
                self.outputs = std::array::from_fn(|_| {
                    Some(Proposal {
                        node: None,
                        is_typed: false,
                    })
                })
            }
            Effect::Tempo(_) => {}
        }
    }

    fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.outputs
            .iter()
            .flatten()
            .filter_map(|proposal| proposal.node.as_ref().map(Node::id))
    }
}

/// What the top level of a sketch asks the window to show.
fn asked(version: &Version) -> Option<Shown> {
    let shown = version.effects().iter().filter_map(|effect| match effect {
        Effect::Render(shown) => Some(*shown),
        _ => None,
    });
    shown.reduce(|_, later| later)
}

fn image(graph: &mut Graph, node: NodeId) -> Option<Image> {
    match graph.eval(node)? {
        Value::Image(image) => Some(image),
        _ => None,
    }
}

/// Why a node fails.
pub(super) struct Failure {
    /// Where the node was made, as `file:line`.
    origin: Option<String>,
    pub(super) message: String,
}

impl Failure {
    /// `file:line: message` and the source line, where the version knows it.
    pub(super) fn text(&self, version: &Version) -> String {
        let Some(origin) = &self.origin else {
            return self.message.clone();
        };
        let line = || {
            let (name, line) = origin.rsplit_once(':')?;
            let line: usize = line.parse().ok()?;
            let files = version.read_files();
            let (_, content) = files.iter().find(|(path, _)| path.ends_with(name))?;
            let text = String::from_utf8_lossy(content);
            Some(format!(
                "\n{line:>5} | {}",
                text.lines().nth(line.checked_sub(1)?)?
            ))
        };
        format!("{origin}: {}{}", self.message, line().unwrap_or_default())
    }
}

/// The errors at or below nodes.
pub(super) fn failures(graph: &Graph, nodes: &[NodeId]) -> Vec<Failure> {
    let failed = graph.failures(nodes.iter().copied());
    let failures = failed
        .into_iter()
        .filter_map(|id| graph.error(id))
        .map(|(origin, error)| Failure {
            origin: origin.map(str::to_owned),
            message: error.to_string(),
        });
    failures.collect()
}
