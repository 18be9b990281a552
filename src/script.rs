//! The only layer that knows Lua.
//!
//! One [`Vm`] lives as long as the show. Each version of a sketch is a [`Generation`] in it, with
//! an environment and a module cache of its own, so that a new version loads beside the running
//! one and is dropped whole when it fails. Every entry into Lua goes through the guard, which
//! cuts off what runs too long: nothing a script does can hold up a frame for good.

mod error;
mod generation;
mod guard;
mod loading;
mod modules;
mod printer;
mod source;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use mlua::chunk::Compiler;
use mlua::{Function, Lua, Table};

pub use error::{Cause, Frame, ScriptError};
pub use generation::Generation;
pub use loading::{Loading, Step};
pub use modules::{Project, Reader, SourceFile};
pub use source::{MAX_BYTES, read_file};

use error::{Nothing, OWN, explain};
use guard::Guard;
use printer::Printer;

/// What scripts may use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Running time of a whole load, or of a typed line.
    pub load: Duration,
    /// Running time of one call into a loaded script.
    pub call: Duration,
    /// Memory of all scripts together, in bytes.
    pub memory: usize,
}

impl Limits {
    /// On stage: a load or a call runs for 100 ms at most.
    pub const LIVE: Self = Self {
        load: Duration::from_millis(100),
        call: Duration::from_millis(100),
        memory: 256 << 20,
    };
    /// Offline, where the result must not depend on the machine's speed: 2 s.
    pub const RENDER: Self = Self {
        load: Duration::from_secs(2),
        call: Duration::from_secs(2),
        ..Self::LIVE
    };
}

/// One Lua state, sealed: scripts can't change the library under each other.
pub struct Vm {
    core: Rc<Core>,
}

/// What a generation keeps of its state.
struct Core {
    lua: Lua,
    guard: Guard,
    printer: Rc<Printer>,
    clock: Rc<Cell<Option<f64>>>,
    raised: Rc<RefCell<Option<(String, String)>>>,
    limits: Limits,
    prelude: Table,
}

impl Vm {
    /// Starts Lua. `print` takes each line that scripts print, without its end.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(limits: Limits, print: impl Fn(String) + 'static) -> Result<Self, ScriptError> {
        let printer = Rc::new(Printer::new(Box::new(print)));
        Self::start(limits, printer).map_err(|error| explain(&error, &Nothing))
    }

    fn start(limits: Limits, printer: Rc<Printer>) -> mlua::Result<Self> {
        let lua = Lua::new();
        lua.set_compiler(compiler());
        let guard = Guard::new(&lua, limits.memory)?;
        let clock = Rc::new(Cell::new(None));
        let raised = Rc::new(RefCell::new(None));
        let base = lua.globals();
        let host = lua.create_table()?;
        host.raw_set("base", &base)?;
        host.raw_set("print", print(&lua, printer.clone())?)?;
        let now = clock.clone();
        host.raw_set("now", lua.create_function(move |_, ()| Ok(now.get()))?)?;
        host.raw_set("collect", lua.create_function(|lua, ()| lua.gc_collect())?)?;
        let note = raised.clone();
        let note = lua.create_function(move |_, (value, shown): (mlua::Value, String)| {
            // As mlua prints it when it leaves Lua.
            let printed = match value {
                mlua::Value::Nil => "nil".to_owned(),
                value => format!("table: {:p}", value.to_pointer()),
            };
            note.replace(Some((printed, shown)));
            Ok(())
        })?;
        host.raw_set("raised", note)?;
        let prelude = include_str!("../scripts/prelude.lua");
        let prelude: Table = lua.load(prelude).set_name(format!("={OWN}")).call(host)?;
        lua.sandbox(true)?;
        let core = Core {
            lua,
            guard,
            printer,
            clock,
            raised,
            limits,
            prelude,
        };
        Ok(Self {
            core: Rc::new(core),
        })
    }

    /// A fresh environment for a sketch, in which nothing has been loaded.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn generation(&self, project: Project) -> Result<Generation, ScriptError> {
        Generation::new(self.core.clone(), project).map_err(|error| explain(&error, &Nothing))
    }

    /// Once a frame: shows what is still to be shown of what scripts printed.
    pub fn tick(&self) {
        self.core.printer.tick(Instant::now());
    }

    /// Makes `os.clock` and `os.time` show this time (seconds) instead of the machine's.
    pub fn set_clock(&self, secs: Option<f64>) {
        self.core.clock.set(secs);
    }

    /// Memory that scripts use now, in bytes.
    #[must_use]
    pub fn used_memory(&self) -> usize {
        self.core.lua.used_memory()
    }

    /// Frees what dropped generations held. Takes milliseconds where scripts hold much.
    pub fn collect(&self) {
        // Twice, as the first pass only finalises what the host holds for Lua.
        for _ in 0..2 {
            if let Err(error) = self.core.lua.gc_collect() {
                log::warn!("collecting garbage: {error}");
            }
        }
    }
}

fn compiler() -> Compiler {
    Compiler::new()
        .set_optimization_level(2)
        .set_debug_level(1)
        .set_type_info_level(1)
}

fn print(lua: &Lua, printer: Rc<Printer>) -> mlua::Result<Function> {
    lua.create_function(move |_, text: mlua::LuaString| {
        printer.write(&text.to_string_lossy(), Instant::now());
        Ok(())
    })
}

#[cfg(test)]
mod tests;
