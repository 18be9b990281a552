//! The show: the life of a frame as an ordered list, and which version of a sketch is on stage.
//!
//! A [`Show`] owns Lua, the graph and the graphics device. Whoever drives it (a window, a terminal, a renderer)
//! calls [`Show::frame`] once a frame and hands in what happened since: changed files, typed lines, a new size.

mod inspect;
mod pace;
mod problems;
mod stage;

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::gpu::{Gpu, GpuError, Picture};
use crate::graph::{Graph, Key, Library};
use crate::input::Inputs;
use crate::play::Transport;
use crate::script::{
    Answer, Completions, Effect, Evaluating, FrameInfo, Limits, Loading, Script, ScriptError,
    Settings, Step, Version,
};
use crate::shader::{self, ShaderError};
use crate::value::{Size, Value};
use problems::Problems;
use stage::Stage;

pub use crate::ops::output::Shown;
pub use pace::Pace;
pub use problems::Report;

/// How often unused nodes and programs are dropped, in frames.
const SWEEP: u64 = 256;

/// A running show.
pub struct Show {
    script: Script,
    graph: Rc<RefCell<Graph>>,
    inputs: Inputs,
    gpu: Option<Gpu>,
    pace: Pace,
    size: Size,
    transport: Transport,
    channels: Vec<Arc<str>>,
    sketch: Option<PathBuf>,
    /// What the watcher has read of changed files, until the load that they cause has read them.
    fresh: Rc<RefCell<HashMap<PathBuf, Vec<u8>>>>,
    /// What the last load read or looked for, with the content of what it found.
    files: Vec<(PathBuf, Option<Rc<[u8]>>)>,
    loads: usize,
    /// How many loads had ended at the last sweep.
    swept: usize,
    loading: Option<Loading>,
    version: Version,
    has_entered: bool,
    lines: VecDeque<String>,
    evaluating: Option<Evaluating>,
    /// A typed command, which is answered when the frame is over.
    command: Option<String>,
    stage: Stage,
    problems: Problems,
    /// What sketches printed.
    printed: Rc<RefCell<Vec<String>>>,
}

impl Show {
    /// A show without a sketch: black, and ready for [`Show::open`] and [`Show::line`].
    ///
    /// Without a graphics device everything runs but the drawing. Fails only where Lua can't be started.
    pub fn new(
        gpu: Option<Gpu>,
        inputs: Inputs,
        size: Size,
        pace: Pace,
    ) -> Result<Self, ScriptError> {
        let limits = if pace.is_patient {
            Limits::OFFLINE
        } else {
            Limits::LIVE
        };
        let printed: Rc<RefCell<Vec<String>>> = Rc::default();
        let print = printed.clone();
        let script = Script::new(Settings::new(limits, move |line| {
            print.borrow_mut().push(line.to_owned())
        }))?;
        let graph = script.graph().clone();
        let version = script.blank(Path::new("."), Rc::new(crate::script::read_file))?;
        Ok(Self {
            script,
            graph,
            inputs,
            gpu,
            pace,
            size,
            transport: Transport::default(),
            channels: Vec::new(),
            sketch: None,
            fresh: Rc::default(),
            files: Vec::new(),
            loads: 0,
            swept: 0,
            loading: None,
            version,
            has_entered: false,
            lines: VecDeque::new(),
            evaluating: None,
            command: None,
            stage: Stage::default(),
            problems: Problems::default(),
            printed,
        })
    }

    /// Loads a sketch; what plays goes on until it is ready.
    pub fn open(&mut self, sketch: &Path) {
        self.sketch = Some(sketch.to_owned());
        self.reload();
    }

    /// Says that files have changed, with what they hold now, and loads the sketch again where it uses them. A file
    /// that only an earlier version used is no news.
    pub fn changed(&mut self, files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) {
        let is_used = |path: &PathBuf| {
            self.sketch.as_ref() == Some(path) || self.files.iter().any(|(used, _)| used == path)
        };
        let used: Vec<_> = files
            .into_iter()
            .filter(|(path, _)| is_used(path))
            .collect();
        if used.is_empty() {
            return;
        }
        self.fresh.borrow_mut().extend(used);
        self.reload();
    }

    /// Loads the sketch again as it is on disk.
    pub fn reload(&mut self) {
        let Some(sketch) = self.sketch.clone() else {
            return;
        };
        let fresh = self.fresh.clone();
        let read = move |path: &Path| match fresh.borrow().get(path) {
            Some(bytes) => Ok(bytes.clone()),
            None => crate::script::read_file(path),
        };
        self.loading = Some(self.script.load(&sketch, None, Rc::new(read)));
    }

    /// Queues a line that was typed; it runs in the next frame, in the environment of the sketch.
    pub fn line(&mut self, line: String) {
        self.lines.push_back(line);
    }

    /// Asks for another size of the outputs.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
    }

    /// One frame, `time` seconds after the show began.
    pub fn frame(&mut self, time: f64) {
        self.script.begin_frame(self.pace.callbacks());
        self.inputs.begin_frame();
        for notice in self.inputs.take_notices() {
            self.problems.notice(notice);
        }
        self.advance(time);
        self.load();
        self.evaluate_lines();
        self.update();
        self.evaluate_outputs();
        self.draw();
        self.answer_command();
        if self.transport.now().frame.is_multiple_of(SWEEP) {
            self.sweep();
        }
    }

    /// Moves the clock and gives the context its values of this frame.
    fn advance(&mut self, time: f64) {
        let now = self.transport.advance_to(time);
        let mut graph = self.graph.borrow_mut();
        graph.begin_frame(now.frame);
        graph.set_root(&Key::Time, Some(Value::Number(now.time)));
        graph.set_root(&Key::Beat, Some(Value::Number(now.beat)));
        graph.set_root(&Key::Tempo, Some(Value::Number(now.tempo)));
        graph.set_root(&Key::EffectTime, Some(Value::Number(now.time)));
        let frame_seconds = Value::Number(1.0 / self.pace.fps);
        graph.set_root(&Key::FrameSeconds, Some(frame_seconds));
        let size = [self.size.width as f32, self.size.height as f32];
        graph.set_root(&Key::Resolution, Some(Value::Vec2(size)));
        if graph.channels().len() != self.channels.len() {
            self.channels = graph.channels().map(Arc::from).collect();
        }
        for name in &self.channels {
            let id = self.inputs.want(name);
            let value = self.inputs.channels().value(id);
            graph.set_root(&Key::Channel(name.clone()), Some(Value::Number(value)));
        }
    }

    /// Goes on loading for a slice of the frame.
    fn load(&mut self) {
        let Some(loading) = &mut self.loading else {
            return;
        };
        let step = self.pace.advance(|slice| loading.step(slice));
        if matches!(step, Step::More) {
            return;
        }
        self.files = files_of(loading);
        self.loads += 1;
        self.loading = None;
        self.fresh.borrow_mut().clear();
        match step {
            Step::More => {}
            Step::Failed(error) => self.problems.load_failed(&error),
            Step::Done(version) => self.stage.propose_version(version),
        }
    }

    /// Runs what was typed, a line at a time, for a slice of the frame.
    fn evaluate_lines(&mut self) {
        if self.evaluating.is_none()
            && let Some(line) = self.lines.pop_front()
        {
            match inspect::is_command(&line) {
                true => self.command = Some(line),
                false => self.evaluating = Some(self.script.eval(&self.version, &line)),
            }
        }
        let Some(evaluating) = &mut self.evaluating else {
            return;
        };
        match self.pace.advance(|slice| evaluating.step(slice)) {
            Step::More => return,
            Step::Failed(error) => self.problems.line_failed(&error),
            Step::Done(Answer { text, effects }) => {
                text.into_iter().for_each(|text| self.problems.answer(text));
                self.apply(effects, true);
            }
        }
        self.evaluating = None;
    }

    /// Does what a line or an `update` asked for; pictures wait on the stage until they can be drawn.
    fn apply(&mut self, effects: Vec<Effect>, is_typed: bool) {
        for effect in effects {
            match effect {
                Effect::Tempo(tempo) => self.transport.set_tempo(tempo),
                effect => self.stage.propose(effect, is_typed),
            }
        }
    }

    /// Calls the sketch's own `update`.
    fn update(&mut self) {
        let now = self.transport.now();
        let info = FrameInfo {
            time: now.time,
            beat: now.beat,
            dt: now.dt,
            frame: now.frame,
        };
        match self.version.update(&info) {
            Ok(effects) => {
                self.problems.update_went_well();
                self.apply(effects, false);
            }
            Err(error) => self.problems.update_failed(&error),
        }
    }

    /// Evaluates what plays and what waits, and puts on stage what can be drawn now.
    fn evaluate_outputs(&mut self) {
        let graph = self.graph.clone();
        let mut graph = graph.borrow_mut();
        let outcome = self
            .stage
            .rehearse(&mut graph, self.gpu.as_mut(), self.pace.is_patient);
        if let Some(outcome) = outcome {
            match outcome {
                Ok(entered) => {
                    if let Some(version) = entered.version {
                        self.enter(version);
                    }
                }
                Err(refused) => {
                    self.problems.explain(self.script.take_failures());
                    self.problems.refused(&refused, &self.version);
                }
            }
        }
        self.stage.play(&mut graph);
        self.problems.explain(self.script.take_failures());
        self.problems
            .watch(&graph, &self.version, self.stage.playing());
    }

    /// Answers a command, now that the frame can be looked at as a whole.
    fn answer_command(&mut self) {
        if let Some(command) = self.command.take() {
            match inspect::answer(&command, &self.graph.borrow(), &self.stage.outputs()) {
                Ok(text) => self.problems.answer(text),
                Err(text) => self.problems.problem(&text),
            }
        }
    }

    /// A version of the sketch plays from now on. A tempo that was changed by hand stays, unless the sketch itself
    /// has changed its mind.
    fn enter(&mut self, version: Version) {
        let tempo = tempo(&version);
        if let Some(tempo) = tempo.filter(|_| tempo != self::tempo(&self.version)) {
            self.transport.set_tempo(tempo);
        }
        self.version = version;
        let name = self
            .sketch
            .as_ref()
            .and_then(|sketch| sketch.file_name())
            .unwrap_or_default();
        self.problems
            .version_entered(&name.to_string_lossy(), !self.has_entered);
        self.has_entered = true;
    }

    fn draw(&mut self) {
        let Some(gpu) = &mut self.gpu else { return };
        let plans = self.stage.plans();
        if self.pace.is_patient {
            let plans: Vec<_> = plans.iter().flatten().cloned().collect();
            gpu.wait_warm(&plans);
        }
        let report = gpu.draw(plans, self.size, self.transport.now().frame);
        for (output, error) in report.failed.iter().enumerate() {
            self.problems.watch_shader(output, error.as_deref());
        }
        if let Some(reason) = gpu.lost() {
            let reason = reason.to_owned();
            match gpu.rebuild() {
                Ok(()) => self.problems.note(format!(
                    "the graphics device was lost ({reason}) and is back"
                )),
                Err(error) => self.problems.device_missing(&error),
            }
        }
    }

    /// Drops nodes that nothing plays and no script holds, and programs that nothing draws.
    fn sweep(&mut self) {
        // What an old version held is let go of by Lua in its own time, which may be never in a quiet show.
        if self.loads != self.swept {
            self.swept = self.loads;
            self.script.collect();
        }
        let held = self.script.held();
        self.graph
            .borrow_mut()
            .keep_only(held.into_iter().chain(self.stage.playing()));
        self.stage.trim();
    }

    /// What happened since the last call, in order.
    pub fn take_reports(&mut self) -> Vec<Report> {
        let mut reports: Vec<Report> = self
            .printed
            .take()
            .into_iter()
            .map(Report::Answer)
            .collect();
        reports.extend(self.problems.take());
        reports
    }

    /// How many things are wrong at present.
    pub fn problem_count(&self) -> usize {
        self.problems.count()
    }

    /// Every file whose change should load the sketch again, with what was read of it; nothing for those that were
    /// looked for and not found.
    pub fn files(&self) -> &[(PathBuf, Option<Rc<[u8]>>)] {
        &self.files
    }

    /// How many loads have ended, well or badly; [`Show::files`] is new after each.
    pub fn loads(&self) -> usize {
        self.loads
    }

    /// Whether a load, a typed line or a picture is under way.
    pub fn is_busy(&self) -> bool {
        self.loading.is_some()
            || self.evaluating.is_some()
            || !self.lines.is_empty()
            || self.stage.is_waiting()
    }

    /// Whether any version of the sketch has entered the stage.
    pub fn has_entered(&self) -> bool {
        self.has_entered
    }

    /// What the window shows.
    pub fn shown(&self) -> Shown {
        self.stage.shown()
    }

    /// Size of the outputs in pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The clock of the show.
    pub fn transport(&self) -> &Transport {
        &self.transport
    }

    /// The channels and sources of the show; a window sets mouse and keys here.
    pub fn inputs_mut(&mut self) -> &mut Inputs {
        &mut self.inputs
    }

    /// The graphics device, where there is one.
    pub fn gpu_mut(&mut self) -> Option<&mut Gpu> {
        self.gpu.as_mut()
    }

    /// The operators that sketches can use.
    pub fn library(&self) -> &Rc<RefCell<Library>> {
        self.script.library()
    }

    /// The graph, for statistics and tests.
    pub fn graph(&self) -> &Rc<RefCell<Graph>> {
        &self.graph
    }

    /// What a prompt can complete.
    pub fn completions(&self) -> Completions {
        self.script.completions()
    }

    /// The picture that an output shows, from 0; waits until it is drawn.
    pub fn picture(&mut self, output: usize) -> Result<Picture, GpuError> {
        self.gpu
            .as_mut()
            .ok_or(GpuError::NoAdapter {
                reason: "none was opened".into(),
            })?
            .read(output)
    }

    /// Checks the shaders of what an output plays, without a graphics device.
    pub fn check_shaders(&self, output: usize) -> Result<(), ShaderError> {
        let plan = self.stage.plans().get(output).and_then(Option::as_ref);
        let mut programs = plan
            .into_iter()
            .flat_map(|plan| &plan.passes)
            .map(|pass| &pass.program);
        programs.try_for_each(|program| shader::validate(&format!("o{output}"), &program.wgsl))
    }
}

/// The tempo that the top level of a sketch asks for.
fn tempo(version: &Version) -> Option<f64> {
    let tempos = version.effects().iter().filter_map(|effect| match effect {
        Effect::Tempo(tempo) => Some(*tempo),
        _ => None,
    });
    tempos.reduce(|_, later| later)
}

/// Everything that a load read or looked for, with what it found there.
fn files_of(loading: &Loading) -> Vec<(PathBuf, Option<Rc<[u8]>>)> {
    let read: HashMap<PathBuf, Rc<[u8]>> = loading.read_files().into_iter().collect();
    loading
        .files()
        .into_iter()
        .map(|path| (path.clone(), read.get(&path).cloned()))
        .collect()
}
