//! From Lua values to what an input takes.

use mlua::{Function, Table, Value as LuaValue};

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
    constant(input, value).map(Given::Constant)
}

/// A value of an input's kind, as a function that is an argument returns one.
pub(crate) fn constant(input: &InputSpec, value: &LuaValue) -> Result<Value, String> {
    let found = match (value, input.kind) {
        (LuaValue::Boolean(b), Kind::Bool) => Some(Value::Bool(*b)),
        (LuaValue::String(text), Kind::Color) => {
            let text = text.to_string_lossy();
            let color = color(&text);
            let color = color.ok_or_else(|| {
                format!("expected a colour such as \"#ff8800\", got string \"{text}\"")
            })?;
            Some(Value::Color(color))
        }
        (LuaValue::String(text), Kind::Text) => Some(Value::Text(text.to_string_lossy().into())),
        (LuaValue::String(text), Kind::Choice) => Some(choice(input, &text.to_string_lossy())?),
        (LuaValue::Table(list), kind) => {
            return numbers(kind, list).ok_or_else(|| wrong(input, value));
        }
        (LuaValue::Vector(v), Kind::Vec3) => Some(Value::Vec3([v.x(), v.y(), v.z()])),
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

/// The number in a Lua value; text that looks like one is none.
pub(crate) fn number(value: &LuaValue) -> Option<f64> {
    match value {
        LuaValue::Number(n) => Some(*n),
        LuaValue::Integer(n) => Some(*n as f64),
        _ => None,
    }
}

/// A list of numbers as a vector or colour.
fn numbers(kind: Kind, list: &Table) -> Option<Value> {
    let mut numbers = Vec::new();
    for item in list.sequence_values::<LuaValue>().take(5) {
        let number = number(&item.ok()?)? as f32;
        numbers.push(number);
    }
    let found = match (kind, numbers.as_slice()) {
        (Kind::Vec2, &[x, y]) => Value::Vec2([x, y]),
        (Kind::Vec3, &[x, y, z]) => Value::Vec3([x, y, z]),
        (Kind::Vec4, &[x, y, z, w]) => Value::Vec4([x, y, z, w]),
        (Kind::Color, &[r, g, b]) => Value::Color([r, g, b, 1.0]),
        (Kind::Color, &[r, g, b, a]) => Value::Color([r, g, b, a]),
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
        Kind::Vec2 | Kind::Vec3 | Kind::Vec4 => {
            let count = match input.kind {
                Kind::Vec2 => 2,
                Kind::Vec3 => 3,
                _ => 4,
            };
            format!("a list of {count} numbers")
        }
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
