//! The values that flow along connections: data only, no graphics device, no script.

mod curve;
mod easing;
mod gradient;
mod image;
mod kind;
mod object;
mod port;
mod pose;
mod scene;
mod size;

use std::fmt;
use std::sync::Arc;

pub use curve::{Curve, CurveKey};
pub use easing::Easing;
pub use gradient::{Gradient, GradientBlend, Stop};
pub use image::{Composition, Draw, Image, PixelFunction};
pub use kind::Kind;
pub use object::Object;
pub use port::{Anything, Color, Many, Port, Quaternion, Rate};
pub use pose::{Joint, Pose};
pub use scene::{Camera, Command, Light, Material, Mesh, Point, Points, Projection, Vertex};
pub use size::Size;

/// A matrix of 4 by 4, column after column.
pub type Mat4 = [f32; 16];

/// A value of one of the [`Kind`]s.
///
/// Equality is by bits for numbers, so that a remembered NaN stays remembered. Large values are shared, so cloning
/// is cheap for every kind.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Int(i64),
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
    /// A rotation as x, y, z, w.
    Quaternion([f32; 4]),
    /// A transform.
    Mat4(Arc<Mat4>),
    /// Numbers in order.
    List(Arc<[f64]>),
    /// Colours along a line.
    Gradient(Arc<Gradient>),
    /// A number over time.
    Curve(Arc<Curve>),
    /// A picture as a description.
    Image(Image),
    /// Triangles.
    Mesh(Arc<Mesh>),
    /// Points in space.
    Points(Arc<Points>),
    /// A camera.
    Camera(Arc<Camera>),
    /// How a surface looks.
    Material(Arc<Material>),
    /// A light.
    Light(Arc<Light>),
    /// What to draw, as a description.
    Command(Arc<Command>),
    /// The joints of a figure.
    Pose(Arc<Pose>),
    /// Something that only who made it can read.
    Object(Object),
}

impl Value {
    /// What kind of value this is; a choice travels as text.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Number(_) => Kind::Number,
            Self::Int(_) => Kind::Int,
            Self::Bool(_) => Kind::Bool,
            Self::Text(_) => Kind::Text,
            Self::Vec2(_) => Kind::Vec2,
            Self::Vec3(_) => Kind::Vec3,
            Self::Vec4(_) => Kind::Vec4,
            Self::Color(_) => Kind::Color,
            Self::Quaternion(_) => Kind::Quaternion,
            Self::Mat4(_) => Kind::Mat4,
            Self::List(_) => Kind::List,
            Self::Gradient(_) => Kind::Gradient,
            Self::Curve(_) => Kind::Curve,
            Self::Image(_) => Kind::Image,
            Self::Mesh(_) => Kind::Mesh,
            Self::Points(_) => Kind::Points,
            Self::Camera(_) => Kind::Camera,
            Self::Material(_) => Kind::Material,
            Self::Light(_) => Kind::Light,
            Self::Command(_) => Kind::Command,
            Self::Pose(_) => Kind::Pose,
            Self::Object(_) => Kind::Object,
        }
    }

    /// The same value as another kind, where that loses nothing; [`Kind::accepts`] says which do whatever the value
    /// is. A number also becomes a whole number when it is one.
    pub fn convert(&self, kind: Kind) -> Option<Value> {
        if self.kind() == kind || kind == Kind::Any {
            return Some(self.clone());
        }
        Some(match (self, kind) {
            (Self::Text(_), Kind::Choice) => self.clone(),
            (Self::Int(n), Kind::Number) => Self::Number(*n as f64),
            (Self::Int(n), _) => return Self::Number(*n as f64).convert(kind),
            (Self::Number(n), Kind::Int) if n.fract() == 0.0 && n.abs() < 9e15 => {
                Self::Int(*n as i64)
            }
            (Self::Number(n), Kind::Vec2) => Self::Vec2([*n as f32; 2]),
            (Self::Number(n), Kind::Vec3) => Self::Vec3([*n as f32; 3]),
            (Self::Number(n), Kind::Vec4) => Self::Vec4([*n as f32; 4]),
            (Self::Number(n), Kind::Color) => {
                let n = *n as f32;
                Self::Color([n, n, n, 1.0])
            }
            (Self::Number(n), Kind::List) => Self::List([*n].into()),
            (Self::Vec4(v), Kind::Color) => Self::Color(*v),
            (Self::Color(v), Kind::Vec4) => Self::Vec4(*v),
            (Self::Vec3([r, g, b]), Kind::Color) => Self::Color([*r, *g, *b, 1.0]),
            _ => return None,
        })
    }

    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        let all = |numbers: &[f32]| numbers.iter().all(|n| n.is_finite());
        match self {
            Self::Number(n) => n.is_finite(),
            Self::Vec2(v) => all(v),
            Self::Vec3(v) => all(v),
            Self::Vec4(v) | Self::Color(v) | Self::Quaternion(v) => all(v),
            Self::Mat4(m) => all(&**m),
            Self::List(list) => list.iter().all(|n| n.is_finite()),
            Self::Gradient(gradient) => gradient.is_finite(),
            Self::Curve(curve) => curve.is_finite(),
            Self::Mesh(mesh) => mesh.is_finite(),
            Self::Points(points) => points.is_finite(),
            Self::Camera(camera) => camera.is_finite(),
            Self::Material(material) => material.is_finite(),
            Self::Light(light) => light.is_finite(),
            Self::Command(command) => command.is_finite(),
            Self::Pose(pose) => pose.is_finite(),
            Self::Int(_) | Self::Bool(_) | Self::Text(_) | Self::Image(_) | Self::Object(_) => true,
        }
    }

    /// Whether it is of that kind and every number in it is finite.
    #[inline]
    pub fn is_of(&self, kind: Kind) -> bool {
        match (self, kind) {
            (Self::Number(n), Kind::Number) => n.is_finite(),
            _ => self.kind() == kind && self.is_finite(),
        }
    }

    /// Takes another value.
    #[inline]
    pub(crate) fn replace(&mut self, value: Value) {
        match (self, value) {
            (Self::Number(old), Self::Number(new)) => *old = new,
            (old, new) => *old = new,
        }
    }

    /// What stands for nothing of that kind: 0, false, empty, black, no rotation.
    pub fn empty(kind: Kind) -> Value {
        const IDENTITY: Mat4 = [
            1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ];
        match kind {
            Kind::Number | Kind::Any => Self::Number(0.0),
            Kind::Int => Self::Int(0),
            Kind::Bool => Self::Bool(false),
            Kind::Text | Kind::Choice => Self::Text("".into()),
            Kind::Vec2 => Self::Vec2([0.0; 2]),
            Kind::Vec3 => Self::Vec3([0.0; 3]),
            Kind::Vec4 => Self::Vec4([0.0; 4]),
            Kind::Color => Self::Color([0.0, 0.0, 0.0, 1.0]),
            Kind::Quaternion => Self::Quaternion([0.0, 0.0, 0.0, 1.0]),
            Kind::Mat4 => Self::Mat4(Arc::new(IDENTITY)),
            Kind::List => Self::List([].into()),
            Kind::Gradient => Self::Gradient(Arc::default()),
            Kind::Curve => Self::Curve(Arc::default()),
            Kind::Image => Self::Image(Image::black()),
            Kind::Mesh => Self::Mesh(Arc::default()),
            Kind::Points => Self::Points(Arc::default()),
            Kind::Camera => Self::Camera(Arc::default()),
            Kind::Material => Self::Material(Arc::default()),
            Kind::Light => Self::Light(Arc::default()),
            Kind::Command => Self::Command(Arc::default()),
            Kind::Pose => Self::Pose(Arc::default()),
            Kind::Object => Self::Object(Object::default()),
        }
    }
}

impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            _ => self.is_equal(other),
        }
    }
}

impl Value {
    fn is_equal(&self, other: &Self) -> bool {
        fn bits<const N: usize>(a: &[f32; N], b: &[f32; N]) -> bool {
            a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
        }
        fn shared<T: PartialEq + ?Sized>(a: &Arc<T>, b: &Arc<T>) -> bool {
            Arc::ptr_eq(a, b) || a == b
        }
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => shared(a, b),
            (Self::Vec2(a), Self::Vec2(b)) => bits(a, b),
            (Self::Vec3(a), Self::Vec3(b)) => bits(a, b),
            (Self::Vec4(a), Self::Vec4(b))
            | (Self::Color(a), Self::Color(b))
            | (Self::Quaternion(a), Self::Quaternion(b)) => bits(a, b),
            (Self::Mat4(a), Self::Mat4(b)) => Arc::ptr_eq(a, b) || bits(a, b),
            (Self::List(a), Self::List(b)) => shared(a, b),
            (Self::Gradient(a), Self::Gradient(b)) => shared(a, b),
            (Self::Curve(a), Self::Curve(b)) => shared(a, b),
            (Self::Image(a), Self::Image(b)) => a == b,
            (Self::Mesh(a), Self::Mesh(b)) => shared(a, b),
            (Self::Points(a), Self::Points(b)) => shared(a, b),
            (Self::Camera(a), Self::Camera(b)) => shared(a, b),
            (Self::Material(a), Self::Material(b)) => shared(a, b),
            (Self::Light(a), Self::Light(b)) => shared(a, b),
            (Self::Command(a), Self::Command(b)) => shared(a, b),
            (Self::Pose(a), Self::Pose(b)) => shared(a, b),
            (Self::Object(a), Self::Object(b)) => a == b,
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
            Self::Int(n) => write!(f, "{n}"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Text(t) => write!(f, "\"{t}\""),
            Self::Vec2(v) => list(f, v),
            Self::Vec3(v) => list(f, v),
            Self::Vec4(v) | Self::Color(v) | Self::Quaternion(v) => list(f, v),
            Self::Mat4(m) => list(f, &**m),
            Self::List(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
                write!(f, "{{{}}}", numbers.join(", "))
            }
            Self::Image(image) => write!(f, "{image:?}"),
            Self::Object(object) => write!(f, "{object:?}"),
            other => write!(f, "a {}", other.kind().name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_loses_nothing_converts_and_nothing_else_does() {
        let n = Value::Number(0.5);
        assert_eq!(n.convert(Kind::Vec2), Some(Value::Vec2([0.5; 2])));
        assert_eq!(
            n.convert(Kind::Color),
            Some(Value::Color([0.5, 0.5, 0.5, 1.0]))
        );
        assert_eq!(n.convert(Kind::Text), None);
        assert_eq!(n.convert(Kind::Int), None);
        assert_eq!(Value::Number(-3.0).convert(Kind::Int), Some(Value::Int(-3)));
        assert_eq!(
            Value::Int(2).convert(Kind::Vec2),
            Some(Value::Vec2([2.0; 2]))
        );
        assert_eq!(Value::Vec2([1.0, 2.0]).convert(Kind::Number), None);
        for from in Kind::ALL {
            let value = Value::empty(from);
            // 0 is also a whole number, and a choice travels as text.
            if matches!(from, Kind::Any | Kind::Number | Kind::Choice) {
                continue;
            }
            for to in Kind::ALL {
                assert_eq!(
                    to.accepts(from),
                    value.convert(to).is_some(),
                    "{from:?} to {to:?}"
                );
            }
        }
        for to in Kind::ALL {
            assert_eq!(to.accepts(Kind::Number), n.convert(to).is_some(), "{to:?}");
        }
    }

    #[test]
    fn nothing_of_a_kind_is_finite_equal_to_itself_and_of_that_kind() {
        for kind in Kind::ALL {
            let empty = Value::empty(kind);
            assert!(empty.is_finite() && kind.accepts(empty.kind()), "{kind:?}");
            assert_eq!(empty, Value::empty(kind), "{kind:?}");
        }
    }

    #[test]
    fn a_value_is_small() {
        assert!(size_of::<Value>() <= 24);
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
