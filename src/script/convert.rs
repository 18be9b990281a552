//! From Lua values to what an input takes.

use std::sync::Arc;

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::node::{Node, kind_name, node_in};
use crate::graph::{InputSpec, Spec, nearest};
use crate::value::{Kind, Value};

/// What was given for an input.
pub(crate) enum Given {
    /// A value that stays.
    Constant(Value),
    /// A node.
    Node(Node),
    /// A function of the context, which is to become a node.
    Function(Function),
    /// A list with nodes among its items, which an operator is to put together.
    Composed(&'static str, Vec<LuaValue>),
    /// Several, for an input that takes any number of values.
    Many(Vec<Given>),
}

/// Reads a Lua value as an input takes it; `constructor` knows our own functions by name.
///
/// # Errors
/// What was expected and what came, without the name of the input.
pub(crate) fn convert(
    input: &InputSpec,
    value: &LuaValue,
    constructor: impl Fn(&Function) -> Option<String>,
) -> Result<Given, String> {
    if let Some(node) = node_in(value) {
        return match input.kind.accepts(node.kind()) {
            true => Ok(Given::Node(node)),
            false => Err(wrong(input, value)),
        };
    }
    if let LuaValue::Function(function) = value {
        if let Some(name) = constructor(function) {
            return Err(format!(
                "{}: {name} is a function: write {name}()",
                wrong(input, value)
            ));
        }
        return match input.kind {
            Kind::Image => Err(wrong(input, value) + "; call it with ()"),
            _ => Ok(Given::Function(function.clone())),
        };
    }
    if let LuaValue::Table(list) = value
        && let Some((operator, items)) = composed(input.kind, list)
    {
        return Ok(Given::Composed(operator, items));
    }
    constant(input, value).map(Given::Constant)
}

/// The items of a list, nil where one is missing.
pub(crate) fn items(list: &Table) -> impl Iterator<Item = mlua::Result<LuaValue>> + '_ {
    (1..=list.raw_len()).map(|at| list.raw_get(at))
}

/// The operator that makes one value of a list with nodes among its items.
fn composed(kind: Kind, list: &Table) -> Option<(&'static str, Vec<LuaValue>)> {
    let items: Vec<LuaValue> = items(list).collect::<mlua::Result<_>>().ok()?;
    let moves = |item: &LuaValue| node_in(item).is_some() || item.is_function();
    if !takes_list(kind) || !items.iter().any(moves) {
        return None;
    }
    let operator = match (kind, items.len()) {
        (Kind::Vec2 | Kind::Any, 2) => "vec2.of",
        (Kind::Vec3 | Kind::Any, 3) => "vec3.of",
        (Kind::Vec4 | Kind::Any, 4) => "vec4.of",
        (Kind::Color, 3 | 4) => "color.rgb",
        (Kind::List | Kind::Any, _) => "list.of",
        _ => return None,
    };
    Some((operator, items))
}

/// Whether a list may stand for one value of a kind.
pub(crate) fn takes_list(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Vec2
            | Kind::Vec3
            | Kind::Vec4
            | Kind::Color
            | Kind::Quaternion
            | Kind::Mat4
            | Kind::List
            | Kind::Any
    )
}

/// A value of an input's kind, as a function that is an argument returns one.
pub(crate) fn constant(input: &InputSpec, value: &LuaValue) -> Result<Value, String> {
    let found = match (value, input.kind) {
        (LuaValue::Boolean(b), Kind::Bool | Kind::Any) => Some(Value::Bool(*b)),
        (LuaValue::String(text), Kind::Color) => {
            let text = text.to_string_lossy();
            let color = color(&text);
            let color = color.ok_or_else(|| {
                format!("expected a colour such as \"#ff8800\", got string \"{text}\"")
            })?;
            Some(Value::Color(color))
        }
        (LuaValue::String(text), Kind::Text | Kind::Any) => {
            Some(Value::Text(text.to_string_lossy().into()))
        }
        (LuaValue::String(text), Kind::Choice) => Some(choice(input, &text.to_string_lossy())?),
        (LuaValue::Table(list), kind) => {
            return numbers(kind, list).ok_or_else(|| wrong(input, value));
        }
        (LuaValue::Vector(v), Kind::Vec3 | Kind::Any) => Some(Value::Vec3([v.x(), v.y(), v.z()])),
        (LuaValue::Vector(v), Kind::Color) => Some(Value::Color([v.x(), v.y(), v.z(), 1.0])),
        (LuaValue::Number(_) | LuaValue::Integer(_), kind) => {
            let number = number(value).unwrap_or(f64::NAN);
            if !number.is_finite() {
                return Err(format!("expected a finite number, got {}", plain(number)));
            }
            Value::Number(number).convert(kind)
        }
        _ => None,
    };
    let found = found.ok_or_else(|| wrong(input, value))?;
    match found.is_finite() {
        true => Ok(found),
        false => Err(format!(
            "expected a number within ±3.4e38, got {}",
            got(value)
        )),
    }
}

/// A value as Lua holds it.
///
/// # Errors
/// A kind that Lua can't hold.
pub(crate) fn to_lua(lua: &Lua, value: &Value) -> mlua::Result<LuaValue> {
    let list = |numbers: &[f32]| {
        let numbers = numbers.iter().map(|n| f64::from(*n));
        lua.create_sequence_from(numbers).map(LuaValue::Table)
    };
    match value {
        Value::Number(n) => Ok(LuaValue::Number(*n)),
        Value::Int(n) => Ok(LuaValue::Number(*n as f64)),
        Value::Bool(b) => Ok(LuaValue::Boolean(*b)),
        Value::Text(text) => lua.create_string(&**text).map(LuaValue::String),
        Value::Vec2(v) => list(v),
        Value::Vec3(v) => list(v),
        Value::Vec4(v) | Value::Color(v) | Value::Quaternion(v) => list(v),
        Value::Mat4(m) => list(&**m),
        Value::List(numbers) => {
            let numbers = lua.create_sequence_from(numbers.iter().copied());
            numbers.map(LuaValue::Table)
        }
        other => Err(mlua::Error::runtime(format!(
            "value: a {} is nothing that Lua can hold; numbers, texts, booleans, vectors, colours and lists are",
            other.kind().name()
        ))),
    }
}

/// Whether Lua can hold values of a kind.
pub(crate) fn is_plain(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Number | Int | Bool | Text | Choice | Vec2 | Vec3 | Vec4 | Color | Quaternion | Mat4 | List
    )
}

/// The number in a Lua value; text that looks like one is none.
pub(crate) fn number(value: &LuaValue) -> Option<f64> {
    match value {
        LuaValue::Number(n) => Some(*n),
        LuaValue::Integer(n) => Some(*n as f64),
        _ => None,
    }
}

/// The most numbers that a list can have.
const LONGEST: usize = 10_000;

/// A list of numbers as a vector, colour, transform or list.
fn numbers(kind: Kind, list: &Table) -> Option<Value> {
    let mut numbers = Vec::new();
    for item in items(list).take(LONGEST + 1) {
        numbers.push(number(&item.ok()?)?);
    }
    if matches!(kind, Kind::List) || (kind == Kind::Any && !(2..=4).contains(&numbers.len())) {
        let found = Value::List(numbers.as_slice().into());
        return Some(found).filter(|found| numbers.len() <= LONGEST && found.is_finite());
    }
    let numbers: Vec<f32> = numbers.into_iter().map(|n| n as f32).collect();
    let found = match (kind, numbers.as_slice()) {
        (Kind::Vec2 | Kind::Any, &[x, y]) => Value::Vec2([x, y]),
        (Kind::Vec3 | Kind::Any, &[x, y, z]) => Value::Vec3([x, y, z]),
        (Kind::Vec4 | Kind::Any, &[x, y, z, w]) => Value::Vec4([x, y, z, w]),
        (Kind::Color, &[r, g, b]) => Value::Color([r, g, b, 1.0]),
        (Kind::Color, &[r, g, b, a]) => Value::Color([r, g, b, a]),
        (Kind::Quaternion, &[x, y, z, w]) => Value::Quaternion([x, y, z, w]),
        (Kind::Mat4, m) => Value::Mat4(Arc::new(m.try_into().ok()?)),
        _ => return None,
    };
    found.is_finite().then_some(found)
}

fn choice(input: &InputSpec, text: &str) -> Result<Value, String> {
    if input.choices.iter().any(|choice| choice == text) {
        return Ok(Value::Text(text.into()));
    }
    let hint = nearest(text, input.choices.iter().map(String::as_str));
    let hint = hint
        .map(|near| format!("; did you mean \"{near}\"?"))
        .unwrap_or_default();
    Err(format!(
        "expected one of {}, got string \"{text}\"{hint}",
        input.choices.join(", ")
    ))
}

fn wrong(input: &InputSpec, value: &LuaValue) -> String {
    let expected = match input.kind {
        Kind::Vec2 => "a list of 2 numbers".to_owned(),
        Kind::Vec3 => "a list of 3 numbers".to_owned(),
        Kind::Vec4 | Kind::Quaternion => "a list of 4 numbers".to_owned(),
        Kind::Mat4 => "a list of 16 numbers".to_owned(),
        Kind::List => "a list of numbers".to_owned(),
        Kind::Int => "a whole number".to_owned(),
        Kind::Any => "a value or a signal".to_owned(),
        Kind::Color => "a colour".to_owned(),
        Kind::Choice => format!("one of {}", input.choices.join(", ")),
        kind => kind.name().to_owned(),
    };
    format!("expected {expected}, got {}", got(value))
}

/// A Lua value in a message.
pub(crate) fn got(value: &LuaValue) -> String {
    if let Some(node) = node_in(value) {
        return kind_name(node.kind());
    }
    match value {
        LuaValue::Nil => "nil".to_owned(),
        LuaValue::Boolean(b) => format!("boolean {b}"),
        LuaValue::Number(_) | LuaValue::Integer(_) => {
            format!("number {}", plain(number(value).unwrap_or(f64::NAN)))
        }
        LuaValue::String(text) => {
            let text = text.to_string_lossy();
            let short: String = text.chars().take(40).collect();
            let more = if short.len() < text.len() { "…" } else { "" };
            format!("string \"{}{more}\"", short.escape_debug())
        }
        LuaValue::Table(table) => match table.raw_len() {
            0 => "a table".to_owned(),
            1 => "a list of 1 value".to_owned(),
            n => format!("a list of {n} values"),
        },
        LuaValue::Function(_) => "a function".to_owned(),
        LuaValue::Thread(_) => "a coroutine".to_owned(),
        LuaValue::Vector(_) => "a vector".to_owned(),
        other => format!("a {}", other.type_name()),
    }
}

/// A number as Lua prints it.
fn plain(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else {
        number.to_string()
    }
}

/// The full name of an input in messages.
pub(crate) fn input_name(spec: &Spec, input: &InputSpec) -> String {
    format!("{}.{}", spec.name, input.name)
}

/// A colour from `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa` or a name.
fn color(text: &str) -> Option<[f32; 4]> {
    let Some(digits) = text.strip_prefix('#') else {
        let (_, rgb) = NAMES
            .iter()
            .find(|(name, _)| text.eq_ignore_ascii_case(name))?;
        return color(rgb);
    };
    let digits: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits?;
    let parts: Vec<f32> = match digits.len() {
        3 | 4 => digits
            .iter()
            .map(|digit| (digit * 17) as f32 / 255.0)
            .collect(),
        6 | 8 => digits
            .chunks(2)
            .map(|pair| (pair[0] * 16 + pair[1]) as f32 / 255.0)
            .collect(),
        _ => return None,
    };
    Some([
        parts[0],
        parts[1],
        parts[2],
        parts.get(3).copied().unwrap_or(1.0),
    ])
}

/// The sixteen names of HTML 4, and three more.
const NAMES: [(&str, &str); 20] = [
    ("black", "#000000"),
    ("silver", "#c0c0c0"),
    ("gray", "#808080"),
    ("grey", "#808080"),
    ("white", "#ffffff"),
    ("maroon", "#800000"),
    ("red", "#ff0000"),
    ("purple", "#800080"),
    ("fuchsia", "#ff00ff"),
    ("green", "#008000"),
    ("lime", "#00ff00"),
    ("olive", "#808000"),
    ("yellow", "#ffff00"),
    ("navy", "#000080"),
    ("blue", "#0000ff"),
    ("teal", "#008080"),
    ("aqua", "#00ffff"),
    ("orange", "#ffa500"),
    ("pink", "#ffc0cb"),
    ("transparent", "#00000000"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_each_way_of_writing_them() {
        let cases = [
            ("#ff8000", Some([1.0, 128.0 / 255.0, 0.0, 1.0])),
            ("#f80", Some([1.0, 136.0 / 255.0, 0.0, 1.0])),
            ("#ff800080", Some([1.0, 128.0 / 255.0, 0.0, 128.0 / 255.0])),
            ("Red", Some([1.0, 0.0, 0.0, 1.0])),
            ("transparent", Some([0.0; 4])),
            ("#ff800", None),
            ("#gg0000", None),
            ("", None),
            ("ré", None),
        ];
        for (text, expected) in cases {
            assert_eq!(color(text), expected, "{text}");
        }
    }
}
