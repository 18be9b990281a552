//! The show: one frame as an ordered list, and which version of a sketch is on stage.
//!
//! Contract with `script` (to be replaced by the code itself):
//!
//! ```text
//! pub struct Script                      // one Lua state, a shared graph and library
//!   Script::new(Settings { limits: live | offline, print: Box<dyn Fn(&str)>, memory_bytes }) -> Result<Script, ScriptError>
//!       // builds its own Rc<RefCell<Graph>> and Rc<RefCell<Library>> (Library::built_in() + shader::add_built_in)
//!   script.graph() -> &Rc<RefCell<Graph>>,  script.library() -> &Rc<RefCell<Library>>
//!   script.load(sketch: &Path, text: Option<Vec<u8>>, read: Rc<dyn Fn(&Path) -> io::Result<Vec<u8>>>) -> Loading
//!   loading.step(slice: Duration) -> Step<Version>       // More | Done(Version) | Failed(ScriptError)
//!   loading.files() -> Vec<PathBuf>                      // everything it read or looked for, also after a failure
//!   script.eval(version: &Version, line: &str) -> Evaluating; evaluating.step(slice) -> Step<Answer { text: Option<String>, effects }>
//!       // REPL: expression value or statement, in the version's environment, same slices and limits
//!   script.is_incomplete(line) is not needed: the prompt decides that by itself
//!   version.effects() -> &[Effect]                       // what the top level asked for, in order; nothing has happened yet
//!   version.update(&FrameInfo { time, beat, dt, frame }) -> Result<Vec<Effect>, ScriptError>   // global `update(ctx)` if defined, under the frame budget
//!   script.held() -> Vec<NodeId>                         // nodes that Lua still holds, for Graph::keep_only
//!   script.begin_frame(budget: Duration)                 // per-frame callbacks (functions as arguments) share it
//!   script.completions() -> names, methods by kind, namespaces (for the prompt); script.help(name) -> Option<String>
//! pub enum Effect { Out { output: usize, node: Node }, Render(Shown), Hush, Tempo(f64) }
//!       // Node keeps the graph node alive while it exists; node.id() -> NodeId
//! pub enum Shown { One(usize), Grid }
//! In scripts: `x:out()` = o0, `x:out(o1)`; o0..o3 are nodes of the operator `output`; `render(o1)`, `render()`;
//! `hush()`; `bpm(120)`; `function update(ctx)`; `shader("file.wgsl")` = a constructor made by shader::pixel_spec
//! from a file beside the sketch (read through the same `read`, recorded in files()).
//! Operators without inputs (`time`, `beat`, `audio.low`, `mouse.x`) are nodes themselves, not functions; calling
//! them gives the same node. Each node gets Graph::set_origin("sketch.lua:12").
//! ScriptError: Display is `file:line: message`; .source_line() -> Option<&str>; .key() to show it once.
//! ```
