//! Fusing a picture description into passes: every chain becomes one WGSL module.
//!
//! Each node of the description becomes one WGSL function of the coordinate, so that a node with several readers
//! is written once. A part is drawn into a texture of its own where the description says so (`Draw::Target`) and
//! where a pass would otherwise grow beyond [`LARGEST_PASS`] calls for a pixel, as chains that feed themselves do.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::{Pass, Plan, Program, Texture};
use crate::value::{Composition, Draw, Image, PixelFunction, Size};

/// How many per-pixel function calls one pass makes for a pixel at the most.
pub const LARGEST_PASS: u32 = 256;

/// Stack that must be free before a level of a description is walked, and how much is added when it isn't.
const STACK: (usize, usize) = (64 * 1024, 2 * 1024 * 1024);

/// Turns descriptions into plans, and keeps the text of each structure that it has met.
#[derive(Default)]
pub struct Fuser {
    programs: HashMap<u128, Arc<Program>>,
}

impl Fuser {
    /// The passes that draw `image`.
    pub fn plan(&mut self, image: &Image) -> Plan {
        let mut plan = Plan::default();
        let mut planner = Planner {
            fuser: self,
            passes: &mut plan.passes,
            drawn: HashMap::new(),
            costs: HashMap::new(),
        };
        planner.pass(image, None);
        plan
    }

    /// Forgets programs that nothing outside holds any more.
    pub fn trim(&mut self) {
        self.programs
            .retain(|_, program| Arc::strong_count(program) > 1);
    }
}

struct Planner<'a> {
    fuser: &'a mut Fuser,
    passes: &'a mut Vec<Pass>,
    /// The pass that draws an image, by the image's address and size.
    drawn: HashMap<(usize, Option<Size>), usize>,
    costs: HashMap<usize, u32>,
}

impl Planner<'_> {
    /// Adds the pass that draws `image`, after those it needs, and returns its position.
    fn pass(&mut self, image: &Image, size: Option<Size>) -> usize {
        if let Some(at) = self.drawn.get(&(image.address(), size)) {
            return *at;
        }
        let mut module = Module::default();
        stacker::maybe_grow(STACK.0, STACK.1, || {
            self.cost(image);
            module.root = self.walk(&mut module, image);
        });
        let key = module.key();
        let program = self
            .fuser
            .programs
            .entry(key)
            .or_insert_with(|| Arc::new(module.program(key)))
            .clone();
        self.passes.push(Pass {
            program,
            numbers: module.numbers,
            textures: module.textures,
            size,
        });
        let at = self.passes.len() - 1;
        self.drawn.insert((image.address(), size), at);
        at
    }

    /// How many calls for a pixel an image makes within its pass, once what is cut off counts as one.
    fn cost(&mut self, image: &Image) -> u32 {
        if let Some(cost) = self.costs.get(&image.address()) {
            return *cost;
        }
        let cost = stacker::maybe_grow(STACK.0, STACK.1, || match image.draw() {
            Draw::Output(_) | Draw::Target { .. } => 1,
            Draw::Pixel { images, .. } => 1 + images.iter().map(|i| self.part(i)).sum::<u32>(),
        });
        self.costs.insert(image.address(), cost);
        cost
    }

    /// The cost of an image for what reads it: one sample where it is cut off into a pass of its own.
    fn part(&mut self, image: &Image) -> u32 {
        let cost = self.cost(image);
        if cost > LARGEST_PASS / 2 { 1 } else { cost }
    }

    /// Writes the function of `image` into the module, after those it calls, and returns its position.
    fn walk(&mut self, module: &mut Module, image: &Image) -> usize {
        if let Some(at) = module.known.get(&image.address()) {
            return *at;
        }
        let step = stacker::maybe_grow(STACK.0, STACK.1, || match image.draw() {
            Draw::Output(index) => Step::Sample(module.texture(Texture::Output(*index))),
            Draw::Target { source, size } => {
                let at = self.pass(source, Some(*size));
                Step::Sample(module.texture(Texture::Pass(at)))
            }
            Draw::Pixel {
                function,
                numbers,
                images,
            } => {
                let calls = images.iter().map(|i| self.walk_part(module, i)).collect();
                module.numbers.extend(numbers.iter().copied());
                Step::Call {
                    function: function.clone(),
                    calls,
                }
            }
        });
        module.steps.push(step);
        module.known.insert(image.address(), module.steps.len() - 1);
        module.steps.len() - 1
    }

    fn walk_part(&mut self, module: &mut Module, image: &Image) -> usize {
        let is_cut =
            matches!(image.draw(), Draw::Pixel { .. }) && self.cost(image) > LARGEST_PASS / 2;
        if !is_cut {
            return self.walk(module, image);
        }
        if let Some(at) = module.known.get(&image.address()) {
            return *at;
        }
        let at = self.pass(image, None);
        let texture = module.texture(Texture::Pass(at));
        module.steps.push(Step::Sample(texture));
        module.known.insert(image.address(), module.steps.len() - 1);
        module.steps.len() - 1
    }
}

/// One function of a module.
enum Step {
    /// Samples a texture, by position.
    Sample(usize),
    /// Calls a per-pixel function with the functions of its images.
    Call {
        function: Arc<PixelFunction>,
        calls: Vec<usize>,
    },
}

/// A module while it is put together.
#[derive(Default)]
struct Module {
    steps: Vec<Step>,
    root: usize,
    known: HashMap<usize, usize>,
    numbers: Vec<f32>,
    textures: Vec<Texture>,
}

impl Module {
    fn texture(&mut self, texture: Texture) -> usize {
        if let Some(at) = self.textures.iter().position(|known| *known == texture) {
            return at;
        }
        self.textures.push(texture);
        self.textures.len() - 1
    }

    /// Identifies the text that [`Module::program`] would write.
    fn key(&self) -> u128 {
        let half = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            seed.hash(&mut hasher);
            for step in &self.steps {
                match step {
                    Step::Sample(texture) => (0_u8, texture).hash(&mut hasher),
                    Step::Call { function, calls } => {
                        (1_u8, function.hash, calls).hash(&mut hasher)
                    }
                }
            }
            hasher.finish()
        };
        (u128::from(half(0)) << 64) | u128::from(half(1))
    }

    fn program(&self, key: u128) -> Program {
        let (numbers, textures) = (self.numbers.len(), self.textures.len());
        Program {
            key,
            wgsl: self.wgsl().unwrap_or_default(),
            numbers,
            textures,
        }
    }

    fn wgsl(&self) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        let mut functions: Vec<&Arc<PixelFunction>> = Vec::new();
        for step in &self.steps {
            if let Step::Call { function, .. } = step
                && !functions.iter().any(|f| f.hash == function.hash)
            {
                functions.push(function);
            }
        }
        for function in &functions {
            let text = function
                .wgsl
                .lines()
                .filter(|line| !line.starts_with("//!"));
            let text = text.collect::<Vec<_>>().join("\n");
            writeln!(
                out,
                "{}\n",
                rename(text.trim(), "Params", &params(function))
            )?;
        }
        if !self.numbers.is_empty() {
            writeln!(out, "struct Numbers {{")?;
            for (at, step) in self.steps.iter().enumerate() {
                if let Step::Call { function, .. } = step {
                    for number in &function.numbers {
                        writeln!(out, "    {}_{at}_{number}: f32,", function.name)?;
                    }
                }
            }
            writeln!(
                out,
                "}}\n@group(0) @binding(0) var<uniform> numbers: Numbers;"
            )?;
        }
        if !self.textures.is_empty() {
            writeln!(out, "@group(0) @binding(1) var repeating: sampler;")?;
        }
        for at in 0..self.textures.len() {
            writeln!(
                out,
                "@group(0) @binding({}) var picture_{at}: texture_2d<f32>;",
                at + 2
            )?;
        }
        for (at, step) in self.steps.iter().enumerate() {
            writeln!(out, "\nfn {}(p: vec2f) -> vec4f {{", self.name(at))?;
            match step {
                // Level 0, since a derivative is not defined where control flow may differ between pixels.
                Step::Sample(texture) => {
                    let uv = "vec2f(p.x, 1.0 - p.y)";
                    writeln!(
                        out,
                        "    return textureSampleLevel(picture_{texture}, repeating, {uv}, 0.0);\n}}"
                    )?;
                }
                Step::Call { function, calls } => {
                    let inner = |at: usize| self.name(calls[at]);
                    let with = self.arguments(at, function);
                    let name = &function.name;
                    let body = match function.composition {
                        Composition::Source => format!("{name}(p{with})"),
                        Composition::Coord => format!("{}({name}(p{with}))", inner(0)),
                        Composition::Color => format!("{name}({}(p){with})", inner(0)),
                        Composition::Combine => {
                            format!("{name}({}(p), {}(p){with})", inner(0), inner(1))
                        }
                        Composition::CombineCoord => {
                            format!("{}({name}(p, {}(p){with}))", inner(0), inner(1))
                        }
                    };
                    writeln!(out, "    return {body};\n}}")?;
                }
            }
        }
        write!(out, "{}", ENTRY.replace("ROOT", &self.name(self.root)))?;
        Ok(out)
    }

    fn name(&self, at: usize) -> String {
        match &self.steps[at] {
            Step::Sample(texture) => format!("sample_{texture}"),
            Step::Call { function, .. } => format!("{}_{at}", function.name),
        }
    }

    fn arguments(&self, at: usize, function: &PixelFunction) -> String {
        if function.numbers.is_empty() {
            return String::new();
        }
        let numbers = function
            .numbers
            .iter()
            .map(|n| format!("numbers.{}_{at}_{n}", function.name));
        format!(
            ", {}({})",
            params(function),
            numbers.collect::<Vec<_>>().join(", ")
        )
    }
}

/// One triangle over the whole target; `place` runs from bottom left to top right.
const ENTRY: &str = "
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let place = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return Corner(vec4f(place * 2.0 - 1.0, 0.0, 1.0), place);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    return ROOT(corner.place);
}
";

/// The name that a function's `Params` struct has in a fused module.
fn params(function: &PixelFunction) -> String {
    format!("{}_params", function.name)
}

/// Replaces a whole identifier.
fn rename(text: &str, from: &str, to: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let is_whole = !before.chars().next_back().is_some_and(is_part)
            && !after.chars().next().is_some_and(is_part);
        out.push_str(before);
        out.push_str(if is_whole { to } else { from });
        rest = after;
    }
    out.push_str(rest);
    out
}
