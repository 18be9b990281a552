//! Nodes as scripts hold them.

use std::fmt;
use std::rc::Rc;

use mlua::{Error, Lua, MetaMethod, MultiValue, Table, UserData, UserDataFields, UserDataMethods};
use mlua::{UserDataRef, Value};

use super::construct::{construct, constructor};
use super::convert::got;
use super::shared::Shared;
use crate::graph::{NodeId, Spec, nearest};
use crate::value::Kind;

/// The type that Lua's `typeof` gives for a node.
pub(crate) const TYPE: &str = "node";
/// Where the methods of each kind are kept in the registry.
pub(crate) const METHODS: &str = "gobo.methods";

/// A node of the graph that stays in it as long as a script, or the show, keeps this.
#[derive(Clone)]
pub struct Node(Rc<Token>);

struct Token {
    id: NodeId,
    kind: Kind,
    shared: Rc<Shared>,
}

impl Drop for Token {
    fn drop(&mut self) {
        self.shared.release(self.id);
    }
}

impl Node {
    pub(crate) fn new(shared: &Rc<Shared>, id: NodeId, kind: Kind) -> Self {
        shared.hold(id);
        Self(Rc::new(Token {
            id,
            kind,
            shared: shared.clone(),
        }))
    }

    /// The node in the graph.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.0.id
    }

    /// What it gives.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    pub(crate) fn shared(&self) -> &Rc<Shared> {
        &self.0.shared
    }

    /// The name of its operator, where the graph can be asked.
    pub(crate) fn operator(&self) -> Option<String> {
        let graph = self.0.shared.graph.try_borrow().ok()?;
        graph.spec(self.0.id).map(|spec| spec.name.clone())
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({:?}, {})", self.0.id, self.0.kind.name())
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

/// What a node of that kind is called in messages.
pub(crate) fn kind_name(kind: Kind) -> String {
    match kind {
        Kind::Image
        | Kind::Mesh
        | Kind::Points
        | Kind::Camera
        | Kind::Material
        | Kind::Light
        | Kind::Command
        | Kind::Pose
        | Kind::Object => kind.name().to_owned(),
        kind => format!("{} signal", kind.name()),
    }
}

/// The node in a Lua value.
pub(crate) fn node_in(value: &Value) -> Option<Node> {
    match value {
        Value::UserData(data) => data.borrow::<Node>().ok().map(|node| node.clone()),
        _ => None,
    }
}

impl UserData for Node {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, TYPE);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        type This = UserDataRef<Node>;
        methods.add_meta_function(MetaMethod::Index, |lua, (this, name): (This, Value)| {
            method(lua, &this, name)
        });
        methods.add_meta_function(MetaMethod::NewIndex, |_, (this, name): (This, Value)| {
            let name = name.to_string().unwrap_or_default();
            Err::<(), _>(Error::runtime(format!(
                "a {} has no field {name} to set",
                kind_name(this.kind())
            )))
        });
        methods.add_meta_function(MetaMethod::Call, |_, (this, rest): (This, MultiValue)| {
            // Operators without inputs are nodes themselves; calling one gives it again.
            let graph = this.shared().graph.try_borrow().map_err(Error::runtime)?;
            let is_plain = graph
                .spec(this.id())
                .is_some_and(|spec| spec.inputs.is_empty());
            match is_plain && rest.is_empty() {
                true => Ok(this.clone()),
                false => Err(Error::runtime(format!(
                    "this is a {}, not a function",
                    kind_name(this.kind())
                ))),
            }
        });
        methods.add_meta_function(MetaMethod::ToString, |_, this: This| {
            let kind = kind_name(this.kind());
            Ok(this
                .operator()
                .map(|name| format!("{kind} {name}"))
                .unwrap_or(kind))
        });
        methods.add_meta_function(MetaMethod::Eq, |_, (a, b): (Value, Value)| {
            Ok(node_in(&a).is_some() && node_in(&a) == node_in(&b))
        });
        methods.add_meta_function(MetaMethod::Len, |_, this: This| {
            Err::<(), _>(Error::runtime(format!(
                "a {} has no length",
                kind_name(this.kind())
            )))
        });
        methods.add_meta_function(MetaMethod::Concat, |lua, (a, b): (Value, Value)| {
            concat(lua, a, b)
        });
        for name in [MetaMethod::Lt, MetaMethod::Le] {
            methods.add_meta_function(name, |_, _: MultiValue| {
                Err::<(), _>(Error::runtime(NO_COMPARISON))
            });
        }
        for (name, operator) in ARITHMETIC {
            methods.add_meta_function(name, move |lua, (a, b): (Value, Value)| {
                arithmetic(lua, operator, a, b)
            });
        }
        methods.add_meta_function(MetaMethod::Unm, |lua, this: Value| {
            arithmetic(lua, "neg", this, Value::Nil)
        });
    }
}

/// What the comparison of a node says; also put in place of Luau's own words for `time > 3`.
pub(crate) const NO_COMPARISON: &str = "a signal can't be compared in Lua: write a:gt(b) or a:lt(b) for a signal, a:value() for its number now";

/// The operators of a kind that Lua's signs stand for.
const ARITHMETIC: [(MetaMethod, &str); 7] = [
    (MetaMethod::Add, "add"),
    (MetaMethod::Sub, "sub"),
    (MetaMethod::Mul, "mul"),
    (MetaMethod::Div, "div"),
    (MetaMethod::Mod, "mod"),
    (MetaMethod::Pow, "pow"),
    (MetaMethod::IDiv, "floor"),
];

/// `a .. b` with a node on one side at least: texts become one text.
fn concat(lua: &Lua, a: Value, b: Value) -> mlua::Result<Node> {
    let sides = [&a, &b].map(node_in);
    let Some(node) = sides.iter().flatten().next().cloned() else {
        return Err(Error::runtime("expected a text"));
    };
    for side in sides.iter().flatten() {
        match side.kind() {
            Kind::Text | Kind::Choice => {}
            Kind::Image => return Err(Error::runtime("a picture is no text")),
            kind => {
                let text = "is no text; write :to_text() for a number, :value() for what it is now";
                return Err(Error::runtime(format!("a {} {text}", kind_name(kind))));
            }
        }
    }
    let part = |side: Value| match &side {
        Value::Integer(_) | Value::Number(_) => side
            .to_string()
            .and_then(|text| lua.create_string(text).map(Value::String)),
        _ => Ok(side),
    };
    let parts = [part(a)?, part(b)?];
    construct(
        lua,
        node.shared(),
        &spec(&node, "text.concat")?,
        parts.into_iter().collect(),
    )
}

fn spec(node: &Node, name: &str) -> mlua::Result<Rc<Spec>> {
    let library = node.shared().library.borrow();
    let found = library.get(name).cloned();
    found.ok_or_else(|| Error::runtime(format!("there is no operator {name}")))
}

/// `a + b` with a node on one side at least: the operator of the kind that takes both sides.
fn arithmetic(lua: &Lua, operator: &str, a: Value, b: Value) -> mlua::Result<Node> {
    let sides = [&a, &b].map(node_in);
    let Some(node) = sides.iter().flatten().next().cloned() else {
        return Err(Error::runtime(format!("{operator}: expected a signal")));
    };
    let mut kind = Kind::Number;
    for side in sides.iter().flatten() {
        let (of, name) = (side.kind(), kind_name(side.kind()));
        if of == Kind::Image {
            return Err(Error::runtime(format!(
                "num.{operator}: a {name} isn't a number; pictures combine with :add(), :mult(), :blend()…"
            )));
        }
        kind = kind.common(of).ok_or_else(|| {
            let other = if kind == Kind::Number {
                "number".into()
            } else {
                kind_name(kind)
            };
            Error::runtime(format!(
                "{operator}: a {other} and a {name} don't go together"
            ))
        })?;
    }
    let full = format!("{}.{operator}", kind.namespace().unwrap_or("num"));
    let missing = || {
        let text = format!("a {} has no {operator}", kind_name(kind));
        Error::runtime(text)
    };
    let args = match operator {
        "neg" => vec![a],
        "floor" => {
            let quotient = arithmetic(lua, "div", a, b)?;
            vec![lua.create_userdata(quotient).map(Value::UserData)?]
        }
        _ => vec![a, b],
    };
    let spec = spec(&node, &full).map_err(|_| missing())?;
    construct(lua, node.shared(), &spec, args.into_iter().collect())
}

/// The method of that name for what the node gives.
fn method(lua: &Lua, this: &Node, name: Value) -> mlua::Result<Value> {
    let Value::String(key) = &name else {
        return Err(Error::runtime(format!(
            "a {} has methods, no {}",
            kind_name(this.kind()),
            got(&name)
        )));
    };
    let methods: Table = lua.named_registry_value(METHODS)?;
    let methods: Table = methods.raw_get(this.kind().name())?;
    let found: Value = methods.raw_get(key)?;
    if !found.is_nil() {
        return Ok(found);
    }
    let key = key.to_string_lossy();
    let declared = this.shared().scope().ok();
    if let Some(spec) = declared.and_then(|scope| scope.method(this.kind(), &key)) {
        return constructor(lua, this.shared(), &spec).map(Value::Function);
    }
    let mut known = Vec::new();
    for pair in methods.pairs::<String, Value>() {
        known.push(pair?.0);
    }
    known.sort();
    let hint = match nearest(&key, known.iter().map(String::as_str)).or_else(|| spelling(&key)) {
        Some(near) => format!("; did you mean {near}?"),
        None if known.is_empty() => String::new(),
        None => format!("; it has {}", known.join(", ")),
    };
    Err(Error::runtime(format!(
        "a {} has no method {key}{hint}",
        kind_name(this.kind())
    )))
}

/// Names that are another dialect's for ours.
fn spelling(name: &str) -> Option<&'static str> {
    Some(match name {
        "colour" => "color",
        "multiply" | "mul" => "mult",
        "repeat" => "tile",
        _ => return None,
    })
}
