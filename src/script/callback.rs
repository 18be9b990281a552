//! Lua functions as operators: one that is an argument, or the `update` of an `operator{}`.
//!
//! The function belongs to its version, which keeps it in a table in Lua: a graph that held it would
//! hold the whole sketch for ever, as the sketch holds nodes of the graph.

use std::any::Any;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::convert::{constant, to_lua};
use super::plain::Plain;
use super::shared::Shared;
use super::version::Scope;
use crate::graph::{Cx, GraphError, InputSpec, Make, Operator, Spec, nearest};
use crate::value::{Kind, Value};

/// The name of the operator of functions that are arguments.
pub(crate) const NAME: &str = "function";
/// The longest step of time that a function sees, in seconds.
const LONGEST_STEP: f64 = 0.1;
/// What a function may read.
const FIELDS: [&str; 8] = [
    "time", "beat", "frame", "dt", "tempo", "width", "height", "aspect",
];

/// A function of a sketch and how it is called.
pub(crate) struct Called {
    shared: Weak<Shared>,
    function: Slot,
    /// What it gives, for conversion and messages.
    output: InputSpec,
    /// How messages name it.
    name: String,
    /// Where its randomness starts.
    seed: u64,
    way: Way,
}

/// What a function is called with besides the context.
enum Way {
    /// Nothing. It may read anything in Lua, so it runs anew in each frame.
    Argument,
    /// A table with the inputs under these names, on top of a state that is kept, where there is one.
    Update {
        inputs: Vec<String>,
        state: Option<Plain>,
    },
}

/// Declares the operator of one function, given for an input of another one.
pub(crate) fn spec(
    shared: &Rc<Shared>,
    of: &Spec,
    input: usize,
    function: &Function,
    origin: Option<&str>,
) -> mlua::Result<Spec> {
    let mut declared = of.inputs[input].clone();
    if declared.kind == Kind::Any {
        // What a function gives isn't known before it runs; a number is what most give.
        declared.kind = Kind::Number;
    }
    let output = declared.kind;
    let name = format!("{}.{}", of.name, declared.name);
    let called = Called::new(
        shared,
        function,
        declared,
        name,
        origin,
        input,
        Way::Argument,
    )?;
    Ok(Spec {
        name: NAME.into(),
        category: "script".into(),
        doc: "A function of the sketch.".into(),
        inputs: Vec::new(),
        output,
        is_stepped: false,
        make: called.make(),
    })
}

/// The behaviour of an operator that a sketch declares.
pub(crate) fn update(
    shared: &Rc<Shared>,
    function: &Function,
    (name, inputs, output): (&str, &[InputSpec], InputSpec),
    origin: Option<&str>,
    state: Option<Plain>,
) -> mlua::Result<Make> {
    let inputs = inputs.iter().map(|input| input.name.clone()).collect();
    let way = Way::Update { inputs, state };
    let called = Called::new(shared, function, output, name.into(), origin, 0, way)?;
    Ok(called.make())
}

impl Called {
    fn new(
        shared: &Rc<Shared>,
        function: &Function,
        output: InputSpec,
        name: String,
        origin: Option<&str>,
        place: usize,
        way: Way,
    ) -> mlua::Result<Self> {
        let origin = origin.unwrap_or_default().bytes();
        let seed = origin.fold(place as u64, |seed, byte| {
            seed.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)
        });
        Ok(Self {
            shared: Rc::downgrade(shared),
            function: Slot::keep(&shared.scope()?, LuaValue::Function(function.clone()))?,
            output,
            name,
            seed,
            way,
        })
    }

    fn make(self) -> Make {
        let called = Rc::new(self);
        Make::Own(Box::new(move || {
            let state = match &called.way {
                Way::Update { state, .. } => state.clone(),
                Way::Argument => None,
            };
            Box::new(Callback {
                called: called.clone(),
                moment: Moment::default(),
                state: state.map(State::Data),
            })
        }))
    }
}

/// Where the version keeps a value.
struct Slot {
    scope: Weak<Scope>,
    slot: usize,
}

impl Slot {
    fn keep(scope: &Rc<Scope>, value: LuaValue) -> mlua::Result<Self> {
        Ok(Self {
            scope: Rc::downgrade(scope),
            slot: scope.keep(value)?,
        })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(scope) = self.scope.upgrade() {
            scope.forget(self.slot);
        }
    }
}

/// What `self` holds from one step to the next.
enum State {
    /// Not yet in Lua, or no longer.
    Data(Plain),
    /// In the table that the version keeps here.
    Kept(Slot),
}

struct Callback {
    called: Rc<Called>,
    moment: Moment,
    state: Option<State>,
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
        let called = self.called.clone();
        let gone = || GraphError::Failed(format!("{}: its sketch is gone", called.name));
        let (shared, scope) = (
            called.shared.upgrade().ok_or_else(gone)?,
            called.function.scope.upgrade().ok_or_else(gone)?,
        );
        let mut inputs = Vec::new();
        // Inputs are pulled before the call, so that Lua never pulls.
        if let Way::Update { inputs: names, .. } = &called.way {
            for at in 0..names.len() {
                inputs.push(cx.pull(at)?);
            }
        }
        let is_each_frame = matches!(called.way, Way::Argument) || self.state.is_some();
        let seed = match is_each_frame {
            true => called.seed ^ cx.frame().to_bits(),
            false => called.seed,
        };
        let call = || {
            shared.seed(seed)?;
            self.call(&called, &scope, cx, inputs)
        };
        let (result, _) = shared.within(&scope, None, || shared.in_frame(call));
        result.map_err(|error| {
            let error = shared.explain(&error, &scope.modules);
            let text = error.to_string();
            shared.fail(error);
            GraphError::Failed(text)
        })
    }

    fn state(&self) -> Option<Box<dyn Any>> {
        let plain = match self.state.as_ref()? {
            State::Data(plain) => plain.clone(),
            State::Kept(slot) => match slot.scope.upgrade()?.kept(slot.slot).ok()? {
                LuaValue::Table(table) => Plain::of_table(&table),
                _ => return None,
            },
        };
        let plain = match &self.called.way {
            Way::Update { inputs, .. } => plain.without(inputs),
            Way::Argument => plain,
        };
        Some(Box::new((plain, self.moment)))
    }

    fn restore(&mut self, state: Box<dyn Any>) {
        if let Ok(state) = state.downcast::<(Plain, Moment)>()
            && let Way::Update {
                state: Some(declared),
                ..
            } = &self.called.way
        {
            let (plain, moment) = *state;
            let plain = plain.or(declared);
            (self.state, self.moment) = (Some(State::Data(plain)), moment);
        }
    }
}

impl Callback {
    fn call(
        &mut self,
        called: &Called,
        scope: &Rc<Scope>,
        cx: &mut Cx<'_>,
        inputs: Vec<Value>,
    ) -> mlua::Result<Value> {
        let lua = scope.lua()?;
        let LuaValue::Function(function) = scope.kept(called.function.slot)? else {
            return Err(mlua::Error::runtime("its function is gone"));
        };
        let this = match &called.way {
            Way::Argument => None,
            Way::Update { inputs: names, .. } => {
                let this = self.this(&lua, scope)?;
                for (name, value) in names.iter().zip(&inputs) {
                    this.raw_set(name.as_str(), to_lua(&lua, value)?)?;
                }
                Some(this)
            }
        };
        let moment = RefCell::new(self.moment);
        let cx = RefCell::new(cx);
        let value = lua.scope(|within| {
            let read = within.create_function(|_, (_, name): (LuaValue, LuaValue)| {
                let mut cx = cx.try_borrow_mut().map_err(mlua::Error::runtime)?;
                read(&mut cx, &name, &mut moment.borrow_mut())
            })?;
            let context = context(&lua, read)?;
            match this {
                None => function.call::<LuaValue>(context),
                Some(this) => function.call::<LuaValue>((this, context)),
            }
        })?;
        self.moment = moment.into_inner();
        constant(&called.output, &value).map_err(|why| {
            // The function has returned: its own line is the best place there is.
            let info = function.info();
            let place = match (info.short_src, info.line_defined) {
                (Some(file), Some(line)) => format!("{file}:{line}: "),
                _ => String::new(),
            };
            mlua::Error::runtime(format!(
                "{place}{}: the function returned a wrong value: {why}",
                called.name
            ))
        })
    }

    /// The `self` of an update: what is kept, or a table of this call alone.
    fn this(&mut self, lua: &Lua, scope: &Rc<Scope>) -> mlua::Result<Table> {
        let data = match &self.state {
            None => return lua.create_table(),
            Some(State::Kept(slot)) => match scope.kept(slot.slot)? {
                LuaValue::Table(table) if !table.is_readonly() => return Ok(table),
                // Frozen by the sketch: the inputs must still get in.
                LuaValue::Table(table) => Plain::of_table(&table),
                _ => Plain::Table(Vec::new()),
            },
            Some(State::Data(plain)) => plain.clone(),
        };
        let LuaValue::Table(table) = data.to_lua(lua)? else {
            return lua.create_table();
        };
        let slot = Slot::keep(scope, LuaValue::Table(table.clone()))?;
        self.state = Some(State::Kept(slot));
        Ok(table)
    }
}

/// What a function is called with: a table whose fields are read, and recorded, when asked for.
fn context(lua: &Lua, read: Function) -> mlua::Result<Table> {
    let (context, meta) = (lua.create_table()?, lua.create_table()?);
    meta.raw_set("__index", read)?;
    context.set_metatable(Some(meta))?;
    Ok(context)
}

fn read(cx: &mut Cx<'_>, name: &LuaValue, moment: &mut Moment) -> mlua::Result<f64> {
    let name = name.to_string()?;
    Ok(match name.as_str() {
        "time" => cx.time(),
        "beat" => cx.beat(),
        "frame" => cx.frame(),
        "tempo" => cx.tempo(),
        "width" => cx.resolution().width.into(),
        "height" => cx.resolution().height.into(),
        "aspect" => cx.resolution().aspect(),
        "dt" => {
            let (frame, time) = (cx.frame(), cx.time());
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
