//! Lists of numbers, of at most 10000. Where two lists meet, the shorter one starts over; a number given for a list is
//! a list of that one.

use std::sync::Arc;

use super::context::turn;
use crate::graph::{Cx, GraphError, Key, Update};
use crate::value::{Many, Value};
use crate::{choice, formula, operator};

pub mod arrange;

#[cfg(test)]
mod tests;

/// How many numbers a list holds at most.
const MOST: usize = 10_000;

operator! {
    /// A list of numbers.
    Of "list.of" -> Arc<[f64]> {
        /// The numbers.
        items: Many<f64> = Many::none();
    }
}

impl Update for Of {
    type Output = Arc<[f64]>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<[f64]>, GraphError> {
        let count = cx.count(self.items).min(MOST);
        (0..count).map(|at| cx.nth(self.items, at)).collect()
    }
}

formula! {
    /// Numbers at even distances, both ends included; a single one is where they begin.
    Range "list.range" -> Arc<[f64]> {
        /// How many, at most 10000.
        count: i64 = 8, 0.0..=64.0;
        /// The first number.
        from: f64 = 0.0;
        /// The last number.
        to: f64 = 1.0;
    } = spread(count, |u| between(from, to, u))
}

/// A list of so many items, made of the numbers from 0 to 1 at even distances.
fn spread(count: i64, f: impl Fn(f64) -> f64) -> Arc<[f64]> {
    let count = count.clamp(0, MOST as i64);
    let last = (count - 1).max(1) as f64;
    (0..count).map(|at| f(at as f64 / last)).collect()
}

choice! {
    /// What a place between two items of a list means.
    Place {
        /// The one before.
        Hold "hold",
        /// The nearer one.
        Nearest "nearest",
        /// An even way from one to the other.
        Linear "linear",
    }
}

formula! {
    /// One number of a list, by its place; 0 where the list is empty.
    Pick "list.pick" -> f64 {
        /// The list.
        list: Arc<[f64]> = [];
        /// Which one, counted from 1; after the last one comes the first again.
        index: f64 = 1.0;
        /// What a place between two of them means.
        blend: Place = Place::Hold;
    } = {
        let at = |index| nth(index, list.len()).map_or(0.0, |at| list[at]);
        match blend {
            Place::Hold => at(index),
            Place::Nearest => at((index + 0.5).floor()),
            Place::Linear => between(at(index), at(index + 1.0), index - index.floor()),
        }
    }
}

/// Numbers of one list.
macro_rules! measures {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal -> $output:ty = |$list:ident| $body:expr;)*) => {$(
        formula! {
            $(#[doc = $doc])*
            $name $lua -> $output {
                /// The list.
                $list: Arc<[f64]> = [];
            } = $body
        }
    )*};
}

measures! {
    /// The sum of all numbers of a list.
    Sum "list.sum" -> f64 = |list| sum(&list);
    /// The mean of all numbers of a list; 0 of none.
    Mean "list.mean" -> f64 = |list| sum(&list) / list.len().max(1) as f64;
    /// The smallest number of a list; 0 of none.
    Smallest "list.smallest" -> f64 = |list| list.iter().copied().reduce(f64::min).unwrap_or(0.0);
    /// The largest number of a list; 0 of none.
    Largest "list.largest" -> f64 = |list| list.iter().copied().reduce(f64::max).unwrap_or(0.0);
    /// How many numbers a list has.
    Count "list.count" -> i64 = |list| list.len() as i64;
}

fn sum(list: &[f64]) -> f64 {
    saturated(list.iter().fold(0.0, |sum, n| sum + n))
}

/// Lists from two, item by item.
macro_rules! binary {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = |$a:ident, $b:ident| $body:expr;)*) => {$(
        formula! {
            $(#[doc = $doc])*
            $name $lua -> Arc<[f64]> {
                /// Left side.
                a: Arc<[f64]> = [];
                /// Right side, a list or a number.
                b: Arc<[f64]> = [];
            } = zip(&a, &b, |$a, $b| $body)
        }
    )*};
}

binary! {
    /// The sums of two lists, item by item; the shorter list starts over.
    Add "list.add" = |a, b| a + b;
    /// The differences of two lists, item by item; the shorter list starts over.
    Sub "list.sub" = |a, b| a - b;
    /// The products of two lists, item by item; the shorter list starts over.
    Mul "list.mul" = |a, b| a * b;
    /// The quotients of two lists, item by item, 0 where the divisor is 0; the shorter list starts over.
    Div "list.div" = |a, b| if b == 0.0 { 0.0 } else { a / b };
}

formula! {
    /// Between two lists, item by item: 0 gives `a`, 1 gives `b`, and beyond goes on beyond; the shorter list starts
    /// over.
    Lerp "list.lerp" -> Arc<[f64]> {
        /// What 0 gives.
        a: Arc<[f64]> = [];
        /// What 1 gives.
        b: Arc<[f64]> = [];
        /// How far from `a` to `b`.
        amount: f64 = 0.5, 0.0..=1.0;
    } = zip(&a, &b, |a, b| between(a, b, amount))
}

/// Two lists item by item, as long as the longer one; nothing where one is empty.
fn zip(a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) -> Arc<[f64]> {
    let count = match a.is_empty() || b.is_empty() {
        true => 0,
        false => a.len().max(b.len()).min(MOST),
    };
    let items = (0..count).map(|at| saturated(f(a[at % a.len()], b[at % b.len()])));
    items.collect()
}

operator! {
    /// What a signal is for each number of a list.
    ///
    /// What it is reads `variable("item")`, the number; `variable("index")`, which counts from 0 as in `num.loop`; and
    /// `variable("u")` from 0 to 1. State is kept apart for each place.
    Map "list.map" -> Arc<[f64]> {
        /// The list.
        list: Arc<[f64]> = [];
        /// What is computed for each number.
        source: f64 = 0.0;
    }
}

impl Update for Map {
    type Output = Arc<[f64]>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<[f64]>, GraphError> {
        let list = cx.get(self.list)?;
        let count = list.len().min(MOST) as i64;
        let items = (0..count).zip(&*list).map(|(index, item)| {
            let item = (Key::Variable("item".into()), Value::Number(*item));
            turn(cx, index, count, |cx| {
                cx.sample(&[item], |cx| cx.get(self.source))
            })
        });
        items.collect()
    }
}

/// The position of what is counted from 1 and starts over after the last; none where there is nothing.
pub(super) fn nth(index: f64, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    let at = (index.floor() - 1.0).rem_euclid(count as f64);
    Some((at as usize).min(last))
}

/// A number that was too large to hold becomes the largest.
fn saturated(n: f64) -> f64 {
    n.clamp(f64::MIN, f64::MAX)
}

/// Between two numbers: 0 gives the first, 1 the second.
fn between(from: f64, to: f64, amount: f64) -> f64 {
    match amount {
        1.0 => to,
        amount => saturated(from + saturated(to - from) * amount),
    }
}
