//! Text, of at most 10000 characters: put together, taken apart and asked about. Characters are those of Unicode.

use std::sync::Arc;

use super::list::{arrange::span, nth};
use crate::graph::{Cx, GraphError, Update};
use crate::value::Many;
use crate::{formula, operator};

pub mod format;

#[cfg(test)]
mod tests;

/// How many characters a text has at most.
const MOST: usize = 10_000;

/// As much of a text as is allowed.
fn bounded(text: String) -> Arc<str> {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => text[..end].into(),
        None => text.into(),
    }
}

formula! {
    /// A text.
    Of "text.of" -> Arc<str> {
        /// The text.
        text: Arc<str> = "";
    } = text
}

operator! {
    /// Texts after one another.
    Concat "text.concat" -> Arc<str> {
        /// The texts.
        texts: Many<Arc<str>> = Many::none();
        /// What stands between two of them.
        separator: Arc<str> = "";
    }
}

impl Update for Concat {
    type Output = Arc<str>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<str>, GraphError> {
        let separator = cx.get(self.separator)?;
        let texts = (0..cx.count(self.texts)).map(|at| cx.nth(self.texts, at));
        let texts: Vec<Arc<str>> = texts.collect::<Result<_, _>>()?;
        Ok(bounded(texts.join(&separator)))
    }
}

formula! {
    /// One line of a text; nothing where the text is empty.
    PickLine "text.pick_line" -> Arc<str> {
        /// The text.
        text: Arc<str> = "";
        /// Which line, counted from 1, empty ones included; a fraction is dropped, and after the last one comes the
        /// first again.
        index: f64 = 1.0;
    } = {
        let line = nth(index, text.lines().count()).and_then(|at| text.lines().nth(at));
        line.unwrap_or_default().into()
    }
}

formula! {
    /// A text in capital letters.
    Upper "text.upper" -> Arc<str> {
        /// The text.
        text: Arc<str> = "";
    } = bounded(text.to_uppercase())
}

formula! {
    /// A text in small letters.
    Lower "text.lower" -> Arc<str> {
        /// The text.
        text: Arc<str> = "";
    } = bounded(text.to_lowercase())
}

formula! {
    /// How many characters a text has.
    Length "text.length" -> i64 {
        /// The text.
        text: Arc<str> = "";
    } = text.chars().count() as i64
}

formula! {
    /// The part of a text between two characters, both included.
    Slice "text.slice" -> Arc<str> {
        /// The text.
        text: Arc<str> = "";
        /// The first character, counted from 1; negative counts from the end.
        from: f64 = 1.0;
        /// The last character, counted from 1; negative counts from the end, so that -1 is the last one.
        to: f64 = -1.0;
    } = {
        let span = span(from, to, text.chars().count());
        let part = text.chars().skip(span.start).take(span.len());
        part.collect::<String>().into()
    }
}

formula! {
    /// Whether two texts are the same, letter for letter.
    IsEqual "text.is_equal" -> bool {
        /// One text.
        a: Arc<str> = "";
        /// The other text.
        b: Arc<str> = "";
    } = a == b
}

formula! {
    /// Whether a text has another one in it; every text has the empty one.
    Has "text.has" -> bool {
        /// The text.
        text: Arc<str> = "";
        /// What is looked for, letter for letter.
        part: Arc<str> = "";
    } = text.contains(&*part)
}
