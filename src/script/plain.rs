//! Plain data of a script, outside Lua: what state is copied through, so that it holds no code.

use mlua::{Lua, Table, Value};

/// How deep tables within tables are copied.
const DEEPEST: usize = 16;
/// How many values are copied in all.
const MOST: usize = 100_000;

/// A value without functions, nodes or anything else that belongs to one version of a sketch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Plain {
    Bool(bool),
    Number(f64),
    Text(Vec<u8>),
    Vector([f32; 3]),
    Table(Vec<(Plain, Plain)>),
}

impl Plain {
    /// Copies a table with what is plain in it. What is deeper than 16 tables, or beyond 100,000 values, stays
    /// behind, and so does a table within itself.
    pub(crate) fn of_table(table: &Table) -> Self {
        Self::copy(table, DEEPEST, &mut { MOST })
    }

    /// The same with the fields that it lacks of another table.
    pub(crate) fn or(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Table(mut pairs), Self::Table(more)) => {
                for (key, value) in more {
                    if !pairs.iter().any(|(known, _)| known == key) {
                        pairs.push((key.clone(), value.clone()));
                    }
                }
                Self::Table(pairs)
            }
            (known, _) => known,
        }
    }

    /// The same without the fields of these names.
    pub(crate) fn without(mut self, names: &[String]) -> Self {
        if let Self::Table(pairs) = &mut self {
            pairs.retain(|(key, _)| !names.iter().any(|name| key.is_text(name)));
        }
        self
    }

    /// Whether it has a field of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Self::Table(pairs) => pairs.iter().any(|(key, _)| key.is_text(name)),
            _ => false,
        }
    }

    fn is_text(&self, text: &str) -> bool {
        matches!(self, Self::Text(known) if known == text.as_bytes())
    }

    fn copy(table: &Table, depth: usize, left: &mut usize) -> Self {
        let mut pairs = Vec::new();
        for (key, value) in table.pairs::<Value, Value>().flatten() {
            let one = |value: &Value, left: &mut usize| {
                *left = left.checked_sub(1)?;
                Some(match value {
                    Value::Boolean(b) => Self::Bool(*b),
                    Value::Integer(n) => Self::Number(*n as f64),
                    Value::Number(n) => Self::Number(*n),
                    Value::String(text) => Self::Text(text.as_bytes().to_vec()),
                    Value::Vector(v) => Self::Vector([v.x(), v.y(), v.z()]),
                    Value::Table(table) if depth > 1 => Self::copy(table, depth - 1, left),
                    _ => return None,
                })
            };
            if let (Some(key), Some(value)) = (one(&key, left), one(&value, left)) {
                pairs.push((key, value));
            }
        }
        Self::Table(pairs)
    }

    /// The value in Lua, new each time.
    pub(crate) fn to_lua(&self, lua: &Lua) -> mlua::Result<Value> {
        Ok(match self {
            Self::Bool(b) => Value::Boolean(*b),
            Self::Number(n) => Value::Number(*n),
            Self::Text(text) => Value::String(lua.create_string(text)?),
            Self::Vector([x, y, z]) => Value::Vector(mlua::Vector::new(*x, *y, *z)),
            Self::Table(pairs) => {
                let table = lua.create_table()?;
                for (key, value) in pairs {
                    table.raw_set(key.to_lua(lua)?, value.to_lua(lua)?)?;
                }
                Value::Table(table)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]
    use super::*;

    #[test]
    fn plain_data_is_copied_and_code_stays_behind() {
        let lua = Lua::new();
        let code = "local t = { 1, 'two', { x = true, f = print } } t[4] = t t[print] = 1 return t";
        let table: Table = lua.load(code).eval().unwrap();
        table.raw_set(4, Value::Nil).unwrap();
        let copy = Plain::of_table(&table);
        let expected = Plain::Table(vec![
            (Plain::Number(1.0), Plain::Number(1.0)),
            (Plain::Number(2.0), Plain::Text(b"two".to_vec())),
            (
                Plain::Number(3.0),
                Plain::Table(vec![(Plain::Text(b"x".to_vec()), Plain::Bool(true))]),
            ),
        ]);
        assert_eq!(copy, expected);
        let Value::Table(again) = copy.to_lua(&lua).unwrap() else {
            panic!("a table")
        };
        assert_eq!(Plain::of_table(&again), expected);
    }

    #[test]
    fn a_table_within_itself_ends() {
        let lua = Lua::new();
        let table: Table = lua.load("local t = {} t.t = t return t").eval().unwrap();
        let mut depth = 0;
        let mut copy = &Plain::of_table(&table);
        while let Plain::Table(pairs) = copy
            && let Some((_, inner)) = pairs.first()
        {
            (copy, depth) = (inner, depth + 1);
        }
        assert_eq!(depth, DEEPEST - 1);
    }
}
