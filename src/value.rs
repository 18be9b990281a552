//! The values that flow along connections: data only, no graphics device, no script.

mod image;

use std::fmt;
use std::sync::Arc;

pub use image::{Composition, Draw, Image, PixelFunction, Size};

/// A value of one of the [`Kind`]s.
///
/// Equality is by bits, so that a remembered NaN stays remembered.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(f64),
    /// True or false.
    Bool(bool),
    /// Text, or one of a fixed set of names.
    Text(Arc<str>),
    /// Two numbers.
    Vec2([f32; 2]),
    /// Three numbers.
    Vec3([f32; 3]),
    /// Four numbers.
    Vec4([f32; 4]),
    /// Straight red, green, blue and alpha, display-referred, nominally 0 to 1.
    Color([f32; 4]),
    /// A picture as a description.
    Image(Image),
}

impl Value {
    /// What kind of value this is; a choice travels as text.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Number(_) => Kind::Number,
            Self::Bool(_) => Kind::Bool,
            Self::Text(_) => Kind::Text,
            Self::Vec2(_) => Kind::Vec2,
            Self::Vec3(_) => Kind::Vec3,
            Self::Vec4(_) => Kind::Vec4,
            Self::Color(_) => Kind::Color,
            Self::Image(_) => Kind::Image,
        }
    }

    /// The same value as another kind, where that loses nothing: a number fills a vector or a grey colour.
    pub fn convert(&self, kind: Kind) -> Option<Value> {
        let Self::Number(n) = *self else {
            let same = self.kind() == kind || (kind == Kind::Choice && self.kind() == Kind::Text);
            return same.then(|| self.clone());
        };
        let n = n as f32;
        Some(match kind {
            Kind::Number => self.clone(),
            Kind::Vec2 => Self::Vec2([n; 2]),
            Kind::Vec3 => Self::Vec3([n; 3]),
            Kind::Vec4 => Self::Vec4([n; 4]),
            Kind::Color => Self::Color([n, n, n, 1.0]),
            _ => return None,
        })
    }

    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Number(n) => n.is_finite(),
            Self::Vec2(v) => v.iter().all(|n| n.is_finite()),
            Self::Vec3(v) => v.iter().all(|n| n.is_finite()),
            Self::Vec4(v) | Self::Color(v) => v.iter().all(|n| n.is_finite()),
            Self::Bool(_) | Self::Text(_) | Self::Image(_) => true,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        fn bits<const N: usize>(a: &[f32; N], b: &[f32; N]) -> bool {
            a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
        }
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Vec2(a), Self::Vec2(b)) => bits(a, b),
            (Self::Vec3(a), Self::Vec3(b)) => bits(a, b),
            (Self::Vec4(a), Self::Vec4(b)) | (Self::Color(a), Self::Color(b)) => bits(a, b),
            (Self::Image(a), Self::Image(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, v: &[f32]| {
            let v: Vec<String> = v.iter().map(f32::to_string).collect();
            write!(f, "{{{}}}", v.join(", "))
        };
        match self {
            Self::Number(n) => write!(f, "{n}"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Text(t) => write!(f, "\"{t}\""),
            Self::Vec2(v) => list(f, v),
            Self::Vec3(v) => list(f, v),
            Self::Vec4(v) | Self::Color(v) => list(f, v),
            Self::Image(image) => write!(f, "{image:?}"),
        }
    }
}

/// What a port carries; fixed when the operator is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A number.
    Number,
    /// True or false.
    Bool,
    /// Text.
    Text,
    /// Two numbers.
    Vec2,
    /// Three numbers.
    Vec3,
    /// Four numbers.
    Vec4,
    /// Straight red, green, blue and alpha.
    Color,
    /// A picture.
    Image,
    /// One of a fixed set of names.
    Choice,
}

impl Kind {
    /// Its name in messages and documentation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Bool => "boolean",
            Self::Text => "string",
            Self::Vec2 => "vec2",
            Self::Vec3 => "vec3",
            Self::Vec4 => "vec4",
            Self::Color => "colour",
            Self::Image => "picture",
            Self::Choice => "choice",
        }
    }

    /// The namespace whose operators are methods of this kind; pictures own the names without one.
    pub fn namespace(self) -> Option<&'static str> {
        match self {
            Self::Image => None,
            Self::Number => Some("num"),
            Self::Bool => Some("bool"),
            Self::Text | Self::Choice => Some("text"),
            Self::Vec2 | Self::Vec3 | Self::Vec4 => Some("vec"),
            Self::Color => Some("color"),
        }
    }

    /// Whether a value of kind `from` may be given where this kind is wanted.
    pub fn accepts(self, from: Kind) -> bool {
        self == from
            || matches!(
                (self, from),
                (
                    Self::Vec2 | Self::Vec3 | Self::Vec4 | Self::Color,
                    Self::Number
                ) | (Self::Choice, Self::Text)
            )
    }
}

/// A Rust type that travels as a [`Value`].
pub trait Port: Sized + 'static {
    /// The kind it travels as.
    const KIND: Kind;
    /// The names it can be, for a choice.
    const CHOICES: &'static [&'static str] = &[];
    /// Whether it is a speed, which arrives integrated over time.
    const IS_RATE: bool = false;
    /// Reads it from a value of its kind.
    fn from_value(value: &Value) -> Option<Self>;
    /// Makes a value of it.
    fn into_value(self) -> Value;
}

macro_rules! port {
    ($($type:ty => $kind:ident),* $(,)?) => {$(
        impl Port for $type {
            const KIND: Kind = Kind::$kind;
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::$kind(v) => Some(v.clone()),
                    _ => None,
                }
            }
            fn into_value(self) -> Value {
                Value::$kind(self)
            }
        }
    )*};
}

port!(f64 => Number, bool => Bool, Arc<str> => Text, [f32; 2] => Vec2, [f32; 3] => Vec3, [f32; 4] => Vec4, Image => Image);

/// A straight colour: red, green, blue and alpha, nominally 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color(pub [f32; 4]);

impl Port for Color {
    const KIND: Kind = Kind::Color;
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Color(v) => Some(Self(*v)),
            _ => None,
        }
    }
    fn into_value(self) -> Value {
        Value::Color(self.0)
    }
}

/// A speed in units per second. An operator that gets one receives its integral over local time, so that a
/// change of speed bends the motion and never makes it leap; while it is constant the integral is `time * speed`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate(pub f64);

impl Port for Rate {
    const KIND: Kind = Kind::Number;
    const IS_RATE: bool = true;
    fn from_value(value: &Value) -> Option<Self> {
        f64::from_value(value).map(Self)
    }
    fn into_value(self) -> Value {
        Value::Number(self.0)
    }
}

/// Declares a set of names that an input can be one of.
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident $lua:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$vmeta])* $variant),* }

        impl $crate::value::Port for $name {
            const KIND: $crate::value::Kind = $crate::value::Kind::Choice;
            const CHOICES: &'static [&'static str] = &[$($lua),*];
            fn from_value(value: &$crate::value::Value) -> Option<Self> {
                match value {
                    $crate::value::Value::Text(text) => match &**text {
                        $($lua => Some(Self::$variant),)*
                        _ => None,
                    },
                    _ => None,
                }
            }
            fn into_value(self) -> $crate::value::Value {
                $crate::value::Value::Text(match self { $(Self::$variant => $lua),* }.into())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_fills_vectors_and_nothing_else_converts() {
        let n = Value::Number(0.5);
        assert_eq!(n.convert(Kind::Vec2), Some(Value::Vec2([0.5; 2])));
        assert_eq!(
            n.convert(Kind::Color),
            Some(Value::Color([0.5, 0.5, 0.5, 1.0]))
        );
        assert_eq!(n.convert(Kind::Text), None);
        assert_eq!(Value::Vec2([1.0, 2.0]).convert(Kind::Number), None);
        for kind in [
            Kind::Number,
            Kind::Vec2,
            Kind::Vec3,
            Kind::Vec4,
            Kind::Color,
            Kind::Text,
            Kind::Image,
            Kind::Bool,
        ] {
            assert_eq!(
                kind.accepts(Kind::Number),
                n.convert(kind).is_some(),
                "{kind:?}"
            );
        }
    }

    #[test]
    fn a_remembered_nan_equals_itself() {
        assert_eq!(Value::Number(f64::NAN), Value::Number(f64::NAN));
        assert_ne!(Value::Number(0.0), Value::Number(-0.0));
    }

    #[test]
    fn equal_pictures_compare_equal_without_sharing_memory() {
        let other = Image::new(Draw::Output(1));
        assert_eq!(Image::new(Draw::Output(1)), other);
        assert_ne!(Image::new(Draw::Output(0)), other);
        assert_ne!(Image::new(Draw::Output(1)).address(), other.address());
    }
}
