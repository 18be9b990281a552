//! The only layer that knows Lua.
//!
//! One [`Script`] lives as long as the show and owns the graph that sketches build. Each version of a
//! sketch is a [`Version`] in it, with an environment and a module cache of its own, so that a new
//! one loads beside the one on stage and is dropped whole when it fails. What a sketch asks for
//! (`out`, `bpm`, …) comes back as [`Effect`]s: nothing happens before the show says so.
//!
//! Every entry into Lua goes through the guard, which cuts off what runs too long: nothing a script
//! does can hold up a frame for good.

mod advice;
mod api;
mod arguments;
mod callback;
mod clock;
mod compile;
mod construct;
mod convert;
mod declared;
mod definitions;
mod error;
mod guard;
mod help;
mod hooks;
mod inspect;
mod loading;
mod modules;
mod node;
mod numbers;
mod pages;
mod plain;
mod printer;
mod project;
mod shared;
mod source;
mod unfinished;
mod version;

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use mlua::{Function, Lua, Table};

pub use crate::ops::output::Shown;
pub use definitions::definitions;
pub use error::{Cause, Frame, ScriptError};
pub use help::{Completions, listing, reference, suggestion};
pub use loading::{Answer, Evaluating, Loading, Step};
pub use node::Node;
pub use pages::pages;
pub use project::Reader;
pub use source::{MAX_BYTES, read_file};
pub use unfinished::can_be_finished;
pub use version::Version;

use crate::graph::{Graph, Library, NodeId};
use error::{Nothing, OWN, explain};
use guard::Guard;
use printer::Printer;
use project::Project;
use shared::Shared;

/// How long scripts may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Running time of a whole load, or of a typed line.
    pub load: Duration,
    /// Running time of all calls of one frame, where [`Script::begin_frame`] doesn't say.
    pub frame: Duration,
    /// Whether `os.clock` and `os.time` tell the machine's time, or else the show's.
    pub is_live: bool,
}

impl Limits {
    /// On stage: a load runs for 100 ms at most, the calls of a frame for 4 ms.
    pub const LIVE: Self = Self {
        load: Duration::from_millis(100),
        frame: Duration::from_millis(4),
        is_live: true,
    };
    /// Where the result must not depend on the machine's speed: 2 s each.
    pub const OFFLINE: Self = Self {
        load: Duration::from_secs(2),
        frame: Duration::from_secs(2),
        is_live: false,
    };
}

/// What a [`Script`] is started with.
pub struct Settings {
    /// How long scripts may run.
    pub limits: Limits,
    /// Takes each line that scripts print, without its end.
    pub print: Box<dyn Fn(&str)>,
    /// Memory of all scripts together, in bytes; 256 MiB is plenty.
    pub memory_bytes: usize,
}

impl Settings {
    /// Settings with 256 MiB of memory.
    pub fn new(limits: Limits, print: impl Fn(&str) + 'static) -> Self {
        Self {
            limits,
            print: Box::new(print),
            memory_bytes: 256 << 20,
        }
    }
}

/// What a sketch asks of the show.
#[derive(Debug, Clone)]
pub enum Effect {
    /// A picture goes to an output.
    Out {
        /// Which output, from 0.
        output: usize,
        /// The picture.
        node: Node,
    },
    /// What the window shows.
    Render(Shown),
    /// Every output goes dark.
    Hush,
    /// A tempo in beats per minute, from 1 to 999.
    Tempo(f64),
}

/// The moment in which a script is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameInfo {
    /// Seconds since the show began.
    pub time: f64,
    /// Beats since the show began.
    pub beat: f64,
    /// Seconds since the last frame.
    pub dt: f64,
    /// Frames since the show began.
    pub frame: u64,
}

/// One Lua state, sealed so that sketches can't change the library under each other, and the graph.
pub struct Script {
    core: Rc<Core>,
}

/// What every version of a sketch uses.
struct Core {
    lua: Lua,
    guard: Guard,
    printer: Rc<Printer>,
    limits: Limits,
    memory_bytes: usize,
    prelude: Table,
    shared: Rc<Shared>,
}

impl Script {
    /// Starts Lua, with every operator that comes with gobo.
    ///
    /// # Errors
    /// When there is no memory for it, or one of our own shaders doesn't compile.
    pub fn new(settings: Settings) -> Result<Self, ScriptError> {
        let mut library = Library::built_in();
        crate::shader::add_built_in(&mut library).map_err(ScriptError::from)?;
        Self::with_library(settings, library)
    }

    /// Starts Lua with these operators.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn with_library(settings: Settings, library: Library) -> Result<Self, ScriptError> {
        let core = Core::start(settings, library);
        let core = core.map_err(|error| explain(&error, &Nothing))?;
        Ok(Self {
            core: Rc::new(core),
        })
    }

    /// The graph that sketches build.
    #[must_use]
    pub fn graph(&self) -> &Rc<RefCell<Graph>> {
        &self.core.shared.graph
    }

    /// The operators that sketches can use.
    #[must_use]
    pub fn library(&self) -> &Rc<RefCell<Library>> {
        &self.core.shared.library
    }

    /// Begins to load a sketch; nothing is read or run before its first step.
    ///
    /// `text` is the sketch's content where it has been read; `read` reads the rest.
    pub fn load(&self, sketch: &Path, text: Option<Vec<u8>>, read: Reader) -> Loading {
        Loading::new(self.core.clone(), sketch, text, read)
    }

    /// A version without a sketch, whose modules come from `folder`: for a prompt alone.
    ///
    /// # Errors
    /// When the folder doesn't exist, or there is no memory for it.
    pub fn blank(&self, folder: &Path, read: Reader) -> Result<Version, ScriptError> {
        let project = Project::within(folder, &folder.join("repl"), read)?;
        Version::new(self.core.clone(), project).map_err(|error| explain(&error, &Nothing))
    }

    /// Begins to run a typed line in the environment of a version.
    ///
    /// An expression shows its values. A line that could go on fails with [`Cause::Syntax`] and
    /// `incomplete`.
    pub fn eval(&self, version: &Version, line: &str) -> Evaluating {
        version.line(line)
    }

    /// The nodes that Lua or an [`Effect`] still holds.
    #[must_use]
    pub fn held(&self) -> Vec<NodeId> {
        self.core.shared.held()
    }

    /// Once a frame: all calls into scripts of this frame may take `budget` together.
    pub fn begin_frame(&self, budget: Duration) {
        self.core.shared.begin_frame(budget);
        self.core.printer.tick(Instant::now());
    }

    /// What went wrong since the last call in functions that were given as arguments, each error
    /// once.
    #[must_use]
    pub fn take_failures(&self) -> Vec<ScriptError> {
        self.core.shared.failures.take()
    }

    /// What a prompt can complete.
    #[must_use]
    pub fn completions(&self) -> Completions {
        Completions::of(&self.core.shared.library.borrow())
    }

    /// What `help` says about a name.
    #[must_use]
    pub fn help(&self, name: &str) -> Option<String> {
        reference(&self.core.shared.library.borrow(), name)
    }

    /// Memory that scripts use now, in bytes.
    #[must_use]
    pub fn used_memory(&self) -> usize {
        self.core.lua.used_memory()
    }

    /// Frees what dropped versions held. Takes milliseconds where scripts hold much.
    pub fn collect(&self) {
        // Twice, as the first pass only finalises what the host holds for Lua.
        for _ in 0..2 {
            if let Err(error) = self.core.lua.gc_collect() {
                log::warn!("collecting garbage: {error}");
            }
        }
    }
}

impl Core {
    fn start(settings: Settings, library: Library) -> mlua::Result<Self> {
        let lua = Lua::new();
        lua.set_compiler(compile::compiler());
        let guard = Guard::new(&lua, settings.memory_bytes)?;
        let printer = Rc::new(Printer::new(settings.print));
        let shared = Rc::new(Shared::new(library, guard.clone(), settings.limits));
        let base = lua.globals();
        let host = host(&lua, &shared, printer.clone())?;
        host.raw_set("base", &base)?;
        let own = |text, name: &str| lua.load(text).set_name(format!("={name}"));
        let prelude: Table = own(include_str!("../scripts/prelude.lua"), OWN).call(&host)?;
        shared.set_seed(prelude.raw_get("seed")?);
        api::install(&lua, &base, &shared, &printer)?;
        numbers::install(&lua, &base, &shared.library.borrow())?;
        lua.sandbox(true)?;
        let Settings {
            limits,
            memory_bytes,
            ..
        } = settings;
        Ok(Self {
            lua,
            guard,
            printer,
            limits,
            memory_bytes,
            prelude,
            shared,
        })
    }

    /// Collects what a failure has left, where that is much.
    fn relieve(&self) {
        if self.lua.used_memory() > self.memory_bytes / 2
            && let Err(error) = self.lua.gc_collect()
        {
            log::warn!("collecting garbage: {error}");
        }
    }

    fn explain(&self, error: &mlua::Error, modules: &modules::Modules) -> ScriptError {
        self.shared.explain(error, modules)
    }
}

/// What the Lua half asks of the host.
fn host(lua: &Lua, shared: &Rc<Shared>, printer: Rc<Printer>) -> mlua::Result<Table> {
    let host = lua.create_table()?;
    host.raw_set("print", print(lua, printer)?)?;
    let now = shared.clone();
    host.raw_set(
        "now",
        lua.create_function(move |_, ()| Ok(now.clock.get()))?,
    )?;
    host.raw_set("collect", lua.create_function(|lua, ()| lua.gc_collect())?)?;
    let note = shared.clone();
    let raised = lua.create_function(move |_, (value, shown): (mlua::Value, String)| {
        // As mlua prints it when it leaves Lua.
        let printed = match value {
            mlua::Value::Nil => "nil".to_owned(),
            value => format!("table: {:p}", value.to_pointer()),
        };
        note.raised.replace(Some((printed, shown)));
        Ok(())
    })?;
    host.raw_set("raised", raised)?;
    let note = shared.clone();
    let missing = lua.create_function(move |_, (_, name): (mlua::Value, mlua::Value)| {
        if let mlua::Value::String(name) = name {
            note.missing.replace(Some(name.to_string_lossy()));
        }
        Ok(())
    })?;
    host.raw_set("missing", missing)?;
    Ok(host)
}

fn print(lua: &Lua, printer: Rc<Printer>) -> mlua::Result<Function> {
    lua.create_function(move |_, text: mlua::LuaString| {
        printer.write(&text.to_string_lossy(), Instant::now());
        Ok(())
    })
}

#[cfg(test)]
mod tests;
