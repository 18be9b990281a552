//! The operators that a show can use, by name.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{BuiltIn, Spec};
use crate::value::Kind;

/// Every operator by its full name; scripts, help, completion and documentation all read this.
#[derive(Default)]
pub struct Library(BTreeMap<String, Rc<Spec>>);

impl Library {
    /// The operators declared in Rust.
    pub fn built_in() -> Self {
        let mut library = Self::default();
        for declared in inventory::iter::<BuiltIn> {
            library.add((declared.0)());
        }
        library
    }

    /// Adds an operator, in place of one with the same name.
    pub fn add(&mut self, spec: Spec) -> Rc<Spec> {
        let spec = Rc::new(spec);
        self.0.insert(spec.name.clone(), spec.clone());
        spec
    }

    /// The operator of that full name.
    pub fn get(&self, name: &str) -> Option<&Rc<Spec>> {
        self.0.get(name)
    }

    /// The operator that `value:name()` means for a value of that kind: the one of that name in the kind's
    /// namespace whose first input takes the value, else one whose first input takes any kind.
    pub fn method(&self, kind: Kind, name: &str) -> Option<&Rc<Spec>> {
        let own = match kind.namespace() {
            Some(space) => self.0.get(&format!("{space}.{name}")),
            None => self.0.get(name),
        };
        let any = || {
            [format!("any.{name}"), name.to_owned()]
                .into_iter()
                .find_map(|full| self.0.get(&full).filter(|spec| takes_any(spec)))
        };
        own.filter(|spec| is_method(spec, kind)).or_else(any)
    }

    /// The methods of a value of that kind, by name.
    pub fn methods(&self, kind: Kind) -> BTreeMap<&str, &Rc<Spec>> {
        let names = self.0.values().map(|spec| spec.short_name());
        names
            .filter_map(|name| Some((name, self.method(kind, name)?)))
            .collect()
    }

    /// All operators, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Spec>> {
        self.0.values()
    }

    /// The known name that is nearest to `name`, when one is near.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.0.keys().map(String::as_str))
    }
}

/// Whether an operator's first input takes a value of that kind.
fn is_method(spec: &Spec, kind: Kind) -> bool {
    spec.inputs
        .first()
        .is_some_and(|input| input.kind.accepts(kind))
}

/// Whether an operator's first input takes a value of any kind.
fn takes_any(spec: &Spec) -> bool {
    spec.inputs
        .first()
        .is_some_and(|input| input.kind == Kind::Any)
}

/// The candidate that is nearest to `name`, when one is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(name, c), c));
    let (distance, best) = scored.min_by_key(|(distance, c)| (*distance, c.len()))?;
    (distance <= (name.chars().count() / 3).max(1)).then_some(best)
}
