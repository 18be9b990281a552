//! Numbers as text, and values of any kind in a template.

use std::sync::Arc;

use super::{MOST, bounded};
use crate::graph::{Cx, GraphError, Update};
use crate::value::{Anything, Many, Value};
use crate::{formula, operator};

/// How many decimals a number is written with at most.
const MOST_DECIMALS: usize = 12;

formula! {
    /// A number as text, rounded.
    ToText "num.to_text" -> Arc<str> {
        /// The number.
        value: f64 = 0.0;
        /// How many decimals, 0 to 12.
        decimals: i64 = 2, 0.0..=12.0;
        /// Whether zeros at the end are written too, so that the text keeps its length.
        keep_zeros: bool = false;
    } = {
        let text = decimal(value, decimals.clamp(0, MOST_DECIMALS as i64) as usize);
        match text.contains('.') && !keep_zeros {
            true => text.trim_end_matches('0').trim_end_matches('.').into(),
            false => text.into(),
        }
    }
}

/// A number with so many decimals; what is rounded to 0 has no sign.
fn decimal(n: f64, decimals: usize) -> String {
    let text = format!("{n:.decimals$}");
    match text.strip_prefix('-') {
        Some(size) if size.chars().all(|c| c == '0' || c == '.') => size.to_owned(),
        _ => text,
    }
}

operator! {
    /// A template with values in it.
    ///
    /// `{}` is each value in order, `{2}` the second one, `{1:.3}` the first one with three decimals, `{{` and `}}`
    /// are braces.
    Format "text.format" -> Arc<str> {
        /// The template.
        template: Arc<str> = "";
        /// The values, of any kinds.
        values: Many<Anything> = Many::none();
    }
}

impl Update for Format {
    type Output = Arc<str>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<str>, GraphError> {
        let template = cx.get(self.template)?;
        let count = cx.count(self.values);
        let (mut made, mut rest, mut next) = (String::new(), &*template, 0);
        while let Some(at) = rest.find(['{', '}'])
            && made.len() <= 4 * MOST
        {
            made.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(brace) = ["{{", "}}"].iter().find(|two| rest.starts_with(**two)) {
                made.push_str(&brace[1..]);
                rest = &rest[2..];
                continue;
            }
            let (field, after) = match rest.find('}') {
                Some(end) => rest.split_at(end + 1),
                None => (rest, ""),
            };
            let (place, decimals) = read(field).ok_or_else(|| {
                let expected = "expected {}, {2}, {1:.3}, {{ or }}";
                let got: String = field.chars().take(20).collect();
                GraphError::Failed(format!("text.format.template: {expected}, got {got}"))
            })?;
            let place = place.unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            if place >= count {
                let text = format!(
                    "text.format.values: expected a value {} for {field}, got {count} of them",
                    place + 1
                );
                return Err(GraphError::Failed(text));
            }
            let Anything(value) = cx.nth(self.values, place)?;
            made.push_str(&written(&value, decimals).ok_or_else(|| {
                let got = format!("{} {value}", value.kind().name());
                let text = format!("text.format.values: expected a number for {field}, got {got}");
                GraphError::Failed(text)
            })?);
            rest = after;
        }
        made.push_str(rest);
        Ok(bounded(made))
    }
}

/// The place from 0 and the decimals that a field of a template asks for, if it is one.
fn read(field: &str) -> Option<(Option<usize>, Option<usize>)> {
    let field = field.strip_prefix('{')?.strip_suffix('}')?;
    let (place, decimals) = match field.split_once(":.") {
        Some((place, decimals)) => (place, Some(decimals)),
        None => (field, None),
    };
    let place = match place {
        "" => None,
        place => Some(whole(place)?.checked_sub(1)?),
    };
    let decimals = match decimals {
        None => None,
        Some(decimals) => Some(whole(decimals).filter(|n| *n <= MOST_DECIMALS)?),
    };
    Some((place, decimals))
}

fn whole(digits: &str) -> Option<usize> {
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| digits.parse().ok()).flatten()
}

/// A value as it stands in text; what is no number has no decimals.
fn written(value: &Value, decimals: Option<usize>) -> Option<String> {
    match (value, decimals) {
        (Value::Text(text), None) => Some(text.to_string()),
        (value, None) => Some(value.to_string()),
        (Value::Number(n), Some(decimals)) => Some(decimal(*n, decimals)),
        (Value::Int(n), Some(decimals)) => Some(decimal(*n as f64, decimals)),
        _ => None,
    }
}
