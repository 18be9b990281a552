//! What an operator is, and the one macro that declares it.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::{Cx, Formula, GraphError};
use crate::value::{Kind, Port, Value};

/// A typed input of an operator: a position that remembers what it carries.
pub struct Input<T> {
    pub(super) index: usize,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Input<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Input<T> {}

impl<T> Input<T> {
    #[doc(hidden)]
    pub fn next(positions: &mut std::ops::RangeFrom<usize>) -> Self {
        Self {
            index: positions.next().unwrap_or_default(),
            kind: PhantomData,
        }
    }
}

/// Everything known about one input: enough for constructors, errors, help, completion and documentation.
#[derive(Clone, Debug)]
pub struct InputSpec {
    /// The name that scripts use.
    pub name: String,
    /// What it takes.
    pub kind: Kind,
    /// What it has when nothing is given.
    pub default: Value,
    /// The range that makes sense, for faders and documentation; other values are allowed.
    pub range: Option<RangeInclusive<f64>>,
    /// The names it can be, for a choice.
    pub choices: Vec<String>,
    /// Whether it is a speed that arrives integrated over local time.
    pub is_rate: bool,
    /// Whether it takes any number of values in order.
    pub is_many: bool,
    /// Whether it may be of another kind than the other inputs of any kind.
    pub is_free: bool,
    /// Whether it may be left out, which is another thing than having its default.
    pub is_optional: bool,
    /// What it means.
    pub doc: String,
}

impl InputSpec {
    /// An input of the kind that a Rust type travels as.
    pub fn of<T: Port>(
        name: &str,
        default: T,
        range: Option<RangeInclusive<f64>>,
        doc: String,
    ) -> Self {
        Self {
            name: name.into(),
            kind: T::KIND,
            default: default.into_value(),
            range,
            choices: T::CHOICES.iter().map(|c| (*c).to_owned()).collect(),
            is_rate: T::IS_RATE,
            is_free: T::IS_FREE,
            is_many: T::IS_MANY,
            is_optional: T::IS_OPTIONAL,
            doc,
        }
    }
}

/// What a node's behaviour comes to: a function of what it may ask.
pub type Call = fn(&mut Cx<'_>) -> Result<Value, GraphError>;

/// A node's behaviour.
pub enum Make {
    /// A function of inputs and context, shared by all nodes.
    Plain(Call),
    /// A formula, which pulls every input and reads nothing else: as such a function, and of inputs that are known.
    Formula(Call, Formula),
    /// Something of each node's own, made here.
    Own(Box<dyn Fn() -> Box<dyn Operator>>),
}

/// Everything known about one operator, whoever declared it: Rust, a shader file or a script.
pub struct Spec {
    /// Its full name, such as `osc` or `num.add`.
    pub name: String,
    /// The group it is listed under.
    pub category: String,
    /// What it does; the first line is the summary.
    pub doc: String,
    /// What it takes, in the order of positional arguments.
    pub inputs: Vec<InputSpec>,
    /// What it gives; `any` is the kind of what its inputs of any kind are given.
    pub output: Kind,
    /// Whether it has state that advances once per frame.
    pub is_stepped: bool,
    /// A node's behaviour.
    pub make: Make,
}

impl Spec {
    /// The last segment of the name, which is its name as a method.
    pub fn short_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// Whether it keeps something for each path of override scopes: state, or where its rates are.
    pub(super) fn keeps(&self) -> bool {
        self.is_stepped || self.inputs.iter().any(|input| input.is_rate)
    }

    /// The summary: the first line of the documentation.
    pub fn summary(&self) -> &str {
        self.doc.lines().next().unwrap_or_default()
    }
}

impl std::fmt::Debug for Spec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Spec({})", self.name)
    }
}

/// A node's behaviour and state, as the graph holds it.
pub trait Operator {
    /// Computes the output.
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError>;

    /// A copy of the state, for an operator whose code another version of the sketch replaces; `None` where the
    /// operator itself goes on.
    fn state(&self) -> Option<Box<dyn Any>> {
        None
    }

    /// Goes on from the state of the operator that this one replaces.
    fn restore(&mut self, state: Box<dyn Any>) {
        let _ = state;
    }
}

/// The part of a built-in operator that a person writes.
pub trait Update {
    /// What it gives.
    type Output: Port;
    /// Computes the output from inputs and context.
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Self::Output, GraphError>;
}

impl<T: Update> Operator for T {
    fn update(&mut self, cx: &mut Cx<'_>) -> Result<Value, GraphError> {
        Update::update(self, cx).map(Port::into_value)
    }
}

/// One declaration made by [`operator!`](crate::operator).
pub struct BuiltIn(pub fn() -> Spec);
inventory::collect!(BuiltIn);

/// Declares an operator: its name in scripts, output, documentation, inputs and state, in one place.
///
/// An input is `name: type = default;` or `name: type = default, range;`, each with a doc comment. Fields under
/// `state` start at their default, are kept once per path of override scopes, and make the operator step once per
/// frame. What it computes stands next to it as an `impl Update`.
#[macro_export]
macro_rules! operator {
    (
        $(#[doc = $doc:literal])*
        $name:ident $lua:literal -> $output:ty {
            $(
                $(#[doc = $idoc:literal])*
                $input:ident : $type:ty = $default:expr $(, $range:expr)? ;
            )*
        }
        $(state { $($field:ident : $ftype:ty),* $(,)? })?
    ) => {
        $crate::operator! {
            @declare $crate::operator!(@make $name { $($input),* } $($($field)*)?),
            $(#[doc = $doc])*
            $name $lua -> $output {
                $($(#[doc = $idoc])* $input : $type = $default $(, $range)? ;)*
            }
            $(state { $($field : $ftype),* })?
        }
    };
    (
        @declare $make:expr,
        $(#[doc = $doc:literal])*
        $name:ident $lua:literal -> $output:ty {
            $($(#[doc = $idoc:literal])* $input:ident : $type:ty = $default:expr $(, $range:expr)? ;)*
        }
        $(state { $($field:ident : $ftype:ty),* })?
    ) => {
        $(#[doc = $doc])*
        pub struct $name {
            $($(#[doc = $idoc])* $input: $crate::graph::Input<$type>,)*
            $($($field: $ftype,)*)?
        }

        ::inventory::submit! {
            $crate::graph::BuiltIn(|| $crate::graph::Spec {
                name: $lua.into(),
                category: module_path!().rsplit("::").next().unwrap_or_default().into(),
                doc: $crate::graph::doc(&[$($doc),*]),
                inputs: vec![$($crate::graph::InputSpec::of::<$type>(
                    stringify!($input),
                    <$type>::from($default),
                    $crate::operator!(@range $($range)?),
                    $crate::graph::doc(&[$($idoc),*]),
                )),*],
                output: <$output as $crate::value::Port>::KIND,
                is_stepped: $crate::operator!(@stepped $($($field)*)?),
                make: $make,
            })
        }
    };
    (@new $name:ident { $($input:ident),* } $($field:ident)*) => {{
        #[allow(unused_mut, unused_variables, reason = "an operator may have no inputs")]
        let mut next = 0..;
        $name {
            $($input: $crate::graph::Input::next(&mut next),)*
            $($field: Default::default(),)*
        }
    }};
    (@make $name:ident { $($input:ident),* }) => {
        $crate::graph::Make::Plain(|cx| {
            let mut operator = $crate::operator!(@new $name { $($input),* });
            $crate::graph::Operator::update(&mut operator, cx)
        })
    };
    (@make $name:ident { $($input:ident),* } $($field:ident)+) => {
        $crate::graph::Make::Own(Box::new(|| {
            Box::new($crate::operator!(@new $name { $($input),* } $($field)+))
        }))
    };
    (@range) => { None };
    (@range $range:expr) => { Some($range) };
    (@stepped) => { false };
    (@stepped $($field:ident)+) => { true };
}

/// Declares an operator that is a formula of its inputs, as [`operator!`](crate::operator) does, and what it
/// computes with it: the inputs are pulled in order and stand in the formula under their names. `= |cx| …` also
/// reads the context, and may return an error.
#[macro_export]
macro_rules! formula {
    (
        $(#[doc = $doc:literal])*
        $name:ident $lua:literal -> $output:ty {
            $($(#[doc = $idoc:literal])* $input:ident : $type:ty = $default:expr $(, $range:expr)? ;)*
        } = |$cx:ident| $body:expr
    ) => {
        $crate::operator! {
            $(#[doc = $doc])*
            $name $lua -> $output {
                $($(#[doc = $idoc])* $input : $type = $default $(, $range)? ;)*
            }
        }

        impl $crate::graph::Update for $name {
            type Output = $output;
            fn update(&mut self, $cx: &mut $crate::graph::Cx<'_>) -> Result<$output, $crate::graph::GraphError> {
                $(let $input = $cx.get(self.$input)?;)*
                Ok($body)
            }
        }
    };
    (
        $(#[doc = $doc:literal])*
        $name:ident $lua:literal -> $output:ty {
            $($(#[doc = $idoc:literal])* $input:ident : $type:ty = $default:expr $(, $range:expr)? ;)*
        } = $body:expr
    ) => {
        $crate::operator! {
            @declare $crate::graph::Make::Formula(
                |cx| {
                    let $name { $($input),* } = $crate::operator!(@new $name { $($input),* });
                    $(let $input = cx.get($input)?;)*
                    Ok(<$output as $crate::value::Port>::into_value($body))
                },
                $crate::graph::Formula::new::<$output>(
                    |known| {
                        let $name { $($input),* } = $crate::operator!(@new $name { $($input),* });
                        $(let $input = known.get($input)?;)*
                        Some($body)
                    },
                    |known| {
                        let $name { $($input),* } = $crate::operator!(@new $name { $($input),* });
                        $(let $input = known.get($input)?;)*
                        Some(<$output as $crate::value::Port>::into_value($body))
                    },
                ),
            ),
            $(#[doc = $doc])*
            $name $lua -> $output {
                $($(#[doc = $idoc])* $input : $type = $default $(, $range)? ;)*
            }
        }
    };
}

/// The text of a doc comment from its lines.
pub fn doc(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|l| l.strip_prefix(' ').unwrap_or(l))
        .collect::<Vec<_>>()
        .join("\n")
}
