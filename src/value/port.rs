//! Rust types that travel as values.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{
    Camera, Command, Curve, Gradient, Image, Kind, Light, Mat4, Material, Mesh, Object, Points,
    Pose, Value,
};

/// A Rust type that travels as a [`Value`].
pub trait Port: Sized + 'static {
    /// The kind it travels as.
    const KIND: Kind;
    /// The names it can be, for a choice.
    const CHOICES: &'static [&'static str] = &[];
    /// Whether it is a speed, which arrives integrated over time.
    const IS_RATE: bool = false;
    /// Whether an input of it may be of another kind than the operator's other inputs of any kind.
    const IS_FREE: bool = false;
    /// Whether an input of it takes any number of values in order.
    const IS_MANY: bool = false;
    /// What it is where nothing is given, for an input that may be left out.
    fn unset() -> Option<Self> {
        None
    }
    /// Whether such an input may be left out.
    const IS_OPTIONAL: bool = false;
    /// Reads it from a value of its kind, or of one that loses nothing on the way.
    fn from_value(value: &Value) -> Option<Self>;
    /// Makes a value of it.
    fn into_value(self) -> Value;
}

macro_rules! port {
    ($($type:ty => $kind:ident),* $(,)?) => {$(
        impl Port for $type {
            const KIND: Kind = Kind::$kind;
            #[inline]
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::$kind(v) => Some(v.clone()),
                    other => match other.convert(Kind::$kind) {
                        Some(Value::$kind(v)) => Some(v),
                        _ => None,
                    },
                }
            }
            fn into_value(self) -> Value {
                Value::$kind(self)
            }
        }
    )*};
}

port! {
    f64 => Number, i64 => Int, bool => Bool, Arc<str> => Text,
    [f32; 2] => Vec2, [f32; 3] => Vec3, [f32; 4] => Vec4, Arc<Mat4> => Mat4,
    Arc<[f64]> => List, Arc<Gradient> => Gradient, Arc<Curve> => Curve, Image => Image,
    Arc<Mesh> => Mesh, Arc<Points> => Points, Arc<Camera> => Camera, Arc<Material> => Material,
    Arc<Light> => Light, Arc<Command> => Command, Arc<Pose> => Pose, Object => Object,
}

macro_rules! wrapped {
    ($($(#[doc = $doc:literal])* $name:ident($kind:ident);)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(pub [f32; 4]);

        impl Port for $name {
            const KIND: Kind = Kind::$kind;
            fn from_value(value: &Value) -> Option<Self> {
                match value.convert(Kind::$kind) {
                    Some(Value::$kind(v)) => Some(Self(v)),
                    _ => None,
                }
            }
            fn into_value(self) -> Value {
                Value::$kind(self.0)
            }
        }
    )*};
}

wrapped! {
    /// A straight colour: red, green, blue and alpha, nominally 0 to 1.
    Color(Color);
    /// A rotation as x, y, z, w.
    Quaternion(Quaternion);
}

/// Whatever is connected, as it is.
impl Port for Value {
    const KIND: Kind = Kind::Any;
    fn from_value(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
    fn into_value(self) -> Value {
        self
    }
}

/// Whatever is connected, of another kind than the operator's other inputs of any kind if need be.
#[derive(Clone, Debug, PartialEq)]
pub struct Anything(pub Value);

impl From<Value> for Anything {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl Port for Anything {
    const KIND: Kind = Kind::Any;
    const IS_FREE: bool = true;
    fn from_value(value: &Value) -> Option<Self> {
        Some(Self(value.clone()))
    }
    fn into_value(self) -> Value {
        self.0
    }
}

/// An input that may be left out.
impl<T: Port> Port for Option<T> {
    const KIND: Kind = T::KIND;
    const CHOICES: &'static [&'static str] = T::CHOICES;
    const IS_FREE: bool = T::IS_FREE;
    const IS_OPTIONAL: bool = true;
    fn unset() -> Option<Self> {
        Some(None)
    }
    fn from_value(value: &Value) -> Option<Self> {
        T::from_value(value).map(Some)
    }
    fn into_value(self) -> Value {
        self.map_or_else(|| Value::empty(T::KIND), T::into_value)
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

/// Marks an input that takes any number of values in order, each a `T`. It is declared as `Many::none()`; who reads
/// it asks how many there are and pulls them one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Many<T>(PhantomData<T>);

impl<T> Many<T> {
    /// None of them.
    pub fn none() -> Self {
        Self(PhantomData)
    }
}

impl<T: Port> Port for Many<T> {
    const KIND: Kind = T::KIND;
    const CHOICES: &'static [&'static str] = T::CHOICES;
    const IS_FREE: bool = T::IS_FREE;
    const IS_MANY: bool = true;
    fn from_value(_: &Value) -> Option<Self> {
        Some(Self::none())
    }
    fn into_value(self) -> Value {
        Value::empty(T::KIND)
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
