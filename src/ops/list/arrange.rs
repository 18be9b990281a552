//! Lists in another order or length.

use std::ops::Range;
use std::sync::Arc;

use super::{MOST, between, spread};
use crate::graph::{Cx, GraphError, Update};
use crate::value::Many;
use crate::{formula, operator};

formula! {
    /// A list of another length along the same line: what lies between two numbers is on the way from one to the other.
    ///
    /// The ends stay; nothing stays nothing.
    Resample "list.resample" -> Arc<[f64]> {
        /// The list.
        list: Arc<[f64]> = [];
        /// How many numbers, at most 10000.
        count: i64 = 8, 0.0..=64.0;
    } = match list.len() {
        0 => list,
        len => spread(count, |u| {
            let at = u * (len - 1) as f64;
            let left = at as usize;
            between(list[left], list[(left + 1).min(len - 1)], at.fract())
        }),
    }
}

formula! {
    /// A list from its end to its beginning.
    Reverse "list.reverse" -> Arc<[f64]> {
        /// The list.
        list: Arc<[f64]> = [];
    } = list.iter().rev().copied().collect()
}

formula! {
    /// A list moved along itself: what leaves at the end comes in at the beginning.
    Rotate "list.rotate" -> Arc<[f64]> {
        /// The list.
        list: Arc<[f64]> = [];
        /// How many places each number moves towards the end; a fraction is dropped, negative moves back.
        by: f64 = 1.0;
    } = {
        let by = by.trunc().rem_euclid(list.len().max(1) as f64) as usize;
        let (stays, comes) = list.split_at(list.len() - by);
        [comes, stays].concat().into()
    }
}

formula! {
    /// The part of a list between two places, both included.
    Slice "list.slice" -> Arc<[f64]> {
        /// The list.
        list: Arc<[f64]> = [];
        /// The first place, counted from 1; negative counts from the end.
        from: f64 = 1.0;
        /// The last place, counted from 1; negative counts from the end, so that -1 is the last one.
        to: f64 = -1.0;
    } = list[span(from, to, list.len())].into()
}

formula! {
    /// A list from the smallest number to the largest.
    Sort "list.sort" -> Arc<[f64]> {
        /// The list.
        list: Arc<[f64]> = [];
    } = {
        let mut sorted = list.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.into()
    }
}

operator! {
    /// Lists after one another, up to 10000 numbers.
    Join "list.join" -> Arc<[f64]> {
        /// The lists.
        lists: Many<Arc<[f64]>> = Many::none();
    }
}

impl Update for Join {
    type Output = Arc<[f64]>;
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Arc<[f64]>, GraphError> {
        let mut joined = Vec::new();
        for at in 0..cx.count(self.lists) {
            joined.extend_from_slice(&cx.nth(self.lists, at)?);
        }
        joined.truncate(MOST);
        Ok(joined.into())
    }
}

/// The positions between two places, both included, counted from 1 or, negative, from the end; fractions are dropped.
pub(in crate::ops) fn span(from: f64, to: f64, count: usize) -> Range<usize> {
    let count = count as f64;
    let place = |at: f64| match at.trunc() {
        at if at < 0.0 => count + 1.0 + at,
        at => at,
    };
    let (from, to) = (place(from).max(1.0), place(to).min(count));
    match from <= to {
        true => from as usize - 1..to as usize,
        false => 0..0,
    }
}
