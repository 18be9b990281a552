//! From text to a function, on another thread where that would hold up a frame.

use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::Duration;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Error, Function, Lua, Table};

/// Texts above this many bytes are compiled on a thread of their own, and run interpreted unless
/// they begin with `--!native`: this much takes about 4 ms.
const LARGE: usize = 16 << 10;
const NATIVE: &str = "--!native";

/// How everything is compiled: fast code, with lines and names for errors.
pub(crate) fn compiler() -> Compiler {
    Compiler::new()
        .set_optimization_level(2)
        .set_debug_level(1)
        .set_type_info_level(1)
}

/// Compiles at once. `name` is a chunk name: `@file`, or `=what` for what comes from no file.
pub(crate) fn now(lua: &Lua, text: &str, name: &str, env: &Table) -> mlua::Result<Function> {
    let chunk = lua.load(text).set_name(name).set_mode(ChunkMode::Text);
    chunk.set_environment(env.clone()).into_function()
}

/// A text on its way to a function.
pub(crate) struct Compiling {
    name: String,
    is_native: bool,
    state: State,
}

enum State {
    /// Small enough to be compiled when it is wanted.
    Text(String),
    Away(Receiver<Compiled>),
    Back(Compiled),
}

type Compiled = Result<Vec<u8>, Broken>;

/// A syntax error, as it can leave a thread: its text begins with the line.
struct Broken {
    message: String,
    is_incomplete: bool,
}

impl Compiling {
    pub(crate) fn new(name: String, text: &str) -> Self {
        let is_native = text.len() <= LARGE || text.starts_with(NATIVE);
        let text = text.to_owned();
        if text.len() <= LARGE {
            return Self {
                name,
                is_native,
                state: State::Text(text),
            };
        }
        let (sender, receiver) = sync_channel(1);
        let thread = std::thread::Builder::new().name("compile".into());
        let kept = text.clone();
        let started = thread.spawn(move || {
            // Nobody waits any more when the load has been given up.
            let _ = sender.send(bytecode(&text));
        });
        match started {
            Ok(_) => Self {
                name,
                is_native,
                state: State::Away(receiver),
            },
            Err(_) => Self {
                name,
                is_native,
                state: State::Text(kept),
            },
        }
    }

    /// Whether it can be finished at once; waits a moment for it.
    pub(crate) fn is_ready(&mut self) -> bool {
        if let State::Away(receiver) = &self.state {
            match receiver.try_recv() {
                Ok(compiled) => self.state = State::Back(compiled),
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => {}
            }
        }
        true
    }

    /// Waits for at most `time` until it can be finished.
    pub(crate) fn wait(&mut self, time: Duration) {
        if let State::Away(receiver) = &self.state
            && let Ok(compiled) = receiver.recv_timeout(time)
        {
            self.state = State::Back(compiled);
        }
    }

    /// The function.
    pub(crate) fn finish(self, lua: &Lua, env: &Table) -> mlua::Result<Function> {
        let compiled = match self.state {
            State::Text(text) => return now(lua, &text, &self.name, env),
            State::Back(compiled) => compiled,
            State::Away(receiver) => receiver
                .recv()
                .map_err(|_| Error::runtime("the compiler has failed"))?,
        };
        let code = compiled.map_err(|broken| Error::SyntaxError {
            message: format!(
                "{}:{}",
                self.name.trim_start_matches(['@', '=']),
                broken.message
            ),
            incomplete_input: broken.is_incomplete,
        })?;
        lua.enable_jit(self.is_native);
        let chunk = lua
            .load(code)
            .set_name(&self.name)
            .set_mode(ChunkMode::Binary);
        let function = chunk.set_environment(env.clone()).into_function();
        lua.enable_jit(true);
        function
    }
}

fn bytecode(text: &str) -> Compiled {
    compiler().compile(text).map_err(|error| match error {
        Error::SyntaxError {
            message,
            incomplete_input,
        } => Broken {
            message,
            is_incomplete: incomplete_input,
        },
        other => Broken {
            message: other.to_string(),
            is_incomplete: false,
        },
    })
}
