//! A Lua function as an argument: a node that calls it once a frame and context.
//!
//! The function belongs to its version, which keeps it in a table in Lua: a graph that held it would
//! hold the whole sketch for ever, as the sketch holds nodes of the graph.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::convert::constant;
use super::shared::Shared;
use super::version::Scope;
use crate::graph::{Cx, GraphError, InputSpec, Make, Operator, Spec, nearest};
use crate::value::Value;

/// The name of such nodes' operator.
pub(crate) const NAME: &str = "function";
/// The longest step of time that a function sees, in seconds.
const LONGEST_STEP: f64 = 0.1;
/// What a function may read.
const FIELDS: [&str; 8] = [
    "time", "beat", "frame", "dt", "tempo", "width", "height", "aspect",
];

/// Declares the operator of one function, given for an input of another one.
pub(crate) fn spec(
    shared: &Rc<Shared>,
    of: &Spec,
    input: usize,
    function: &Function,
    origin: Option<&str>,
) -> mlua::Result<Spec> {
    let scope = shared.scope()?;
    let slot = scope.keep(function)?;
    let slot = Rc::new(Slot {
        scope: Rc::downgrade(&scope),
        slot,
    });
    let declared = Rc::new(of.inputs[input].clone());
    let name = format!("{}.{}", of.name, declared.name);
    let seed = origin
        .unwrap_or_default()
        .bytes()
        .fold(input as u64, |seed, byte| {
            seed.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)
        });
    let shared = Rc::downgrade(shared);
    Ok(Spec {
        name: NAME.into(),
        category: "script".into(),
        doc: "A function of the sketch.".into(),
        inputs: Vec::new(),
        output: declared.kind,
        is_stepped: false,
        make: Make::Own(Box::new(move || {
            Box::new(Callback {
                shared: shared.clone(),
                slot: slot.clone(),
                input: declared.clone(),
                name: name.clone(),
                seed,
                moment: Moment::default(),
            })
        })),
    })
}

/// Where the version keeps the function.
struct Slot {
    scope: Weak<Scope>,
    slot: usize,
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(scope) = self.scope.upgrade() {
            scope.forget(self.slot);
        }
    }
}

struct Callback {
    shared: Weak<Shared>,
    slot: Rc<Slot>,
    input: Rc<InputSpec>,
    name: String,
    seed: u64,
    moment: Moment,
}

/// The frames of the last two calls, for the time between them.
#[derive(Default, Clone, Copy)]
struct Moment {
    frame: f64,
    time: f64,
    dt: f64,
}

impl Moment {
    fn at(self, frame: f64, time: f64) -> Self {
        match self.frame == frame {
            true => self,
            false if self.frame == 0.0 => Self {
                frame,
                time,
                dt: 0.0,
            },
            false => Self {
                frame,
                time,
                dt: (time - self.time).clamp(0.0, LONGEST_STEP),
            },
        }
    }
}

impl Operator for Callback {
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        let gone = || GraphError::Failed(format!("{}: its sketch is gone", self.name));
        let (shared, scope) = (
            self.shared.upgrade().ok_or_else(gone)?,
            self.slot.scope.upgrade().ok_or_else(gone)?,
        );
        // A function may read anything in Lua, so it runs anew in each frame.
        let frame = cx.frame();
        let call = || self.call(&shared, &scope, cx, frame);
        let (result, _) = shared.within(&scope, None, || shared.in_frame(call));
        match result {
            Ok((value, moment)) => {
                self.moment = moment;
                Ok(value)
            }
            Err(error) => {
                let error = shared.explain(&error, &scope.modules);
                let text = error.to_string();
                shared.fail(error);
                Err(GraphError::Failed(text))
            }
        }
    }
}

impl Callback {
    fn call(
        &self,
        shared: &Shared,
        scope: &Scope,
        cx: &mut Cx<'_>,
        frame: f64,
    ) -> mlua::Result<(Value, Moment)> {
        shared.seed(self.seed ^ frame.to_bits())?;
        let function = scope.kept(self.slot.slot)?;
        let lua = scope.lua()?;
        let moment = RefCell::new(self.moment);
        let cx = RefCell::new(cx);
        let value = lua.scope(|within| {
            let read = within.create_function(|_, (_, name): (LuaValue, LuaValue)| {
                let mut cx = cx.try_borrow_mut().map_err(mlua::Error::runtime)?;
                read(&mut cx, &name, &mut moment.borrow_mut(), frame)
            })?;
            let context = context(&lua, read)?;
            function.call::<LuaValue>(context)
        })?;
        let value = constant(&self.input, &value).map_err(|why| {
            // The function has returned: its own line is the best place there is.
            let info = function.info();
            let place = match (info.short_src, info.line_defined) {
                (Some(file), Some(line)) => format!("{file}:{line}: "),
                _ => String::new(),
            };
            mlua::Error::runtime(format!(
                "{place}{}: the function returned a wrong value: {why}",
                self.name
            ))
        })?;
        Ok((value, moment.into_inner()))
    }
}

/// What a function is called with: a table whose fields are read, and recorded, when asked for.
fn context(lua: &Lua, read: Function) -> mlua::Result<Table> {
    let (context, meta) = (lua.create_table()?, lua.create_table()?);
    meta.raw_set("__index", read)?;
    context.set_metatable(Some(meta))?;
    Ok(context)
}

fn read(cx: &mut Cx<'_>, name: &LuaValue, moment: &mut Moment, frame: f64) -> mlua::Result<f64> {
    let name = name.to_string()?;
    Ok(match name.as_str() {
        "time" => cx.time(),
        "beat" => cx.beat(),
        "frame" => frame,
        "tempo" => cx.tempo(),
        "width" => cx.resolution().width.into(),
        "height" => cx.resolution().height.into(),
        "aspect" => cx.resolution().aspect(),
        "dt" => {
            let time = cx.time();
            *moment = moment.at(frame, time);
            moment.dt
        }
        other => return Err(mlua::Error::runtime(no_field(other))),
    })
}

pub(crate) fn no_field(name: &str) -> String {
    let hint = match nearest(name, FIELDS) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("it has {}", FIELDS.join(", ")),
    };
    format!("ctx has no {name}; {hint}")
}
