//! What a port carries, and which kinds may be given for which.

/// One line a kind: its name in Rust, in messages, the namespace of its methods, and its type in editors.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal $space:expr, $luau:literal;)*) => {
        /// What a port carries; fixed when the operator is declared.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind { $($(#[doc = $doc])* $kind),* }

        impl Kind {
            /// Every kind.
            pub const ALL: [Kind; kinds!(@count $($kind)*)] = [$(Kind::$kind),*];

            /// Its name in messages and documentation.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// The namespace whose operators are methods of this kind; pictures own the names without one.
            pub fn namespace(self) -> Option<&'static str> {
                match self { $(Self::$kind => $space),* }
            }

            /// The type of a node of this kind in the type file for editors.
            pub fn luau(self) -> &'static str {
                match self { $(Self::$kind => $luau),* }
            }
        }
    };
    (@count $($kind:ident)*) => { 0 $(+ { let _ = Kind::$kind; 1 })* };
}

kinds! {
    /// A number.
    Number "number" Some("num"), "Signal";
    /// A whole number.
    Int "int" Some("num"), "IntSignal";
    /// True or false.
    Bool "boolean" Some("bool"), "BoolSignal";
    /// Text.
    Text "string" Some("text"), "TextSignal";
    /// Two numbers.
    Vec2 "vec2" Some("vec2"), "Vec2Signal";
    /// Three numbers.
    Vec3 "vec3" Some("vec3"), "Vec3Signal";
    /// Four numbers.
    Vec4 "vec4" Some("vec4"), "Vec4Signal";
    /// Straight red, green, blue and alpha.
    Color "colour" Some("color"), "ColorSignal";
    /// A rotation.
    Quaternion "quaternion" Some("quat"), "QuaternionSignal";
    /// A transform of 4 by 4 numbers.
    Mat4 "mat4" Some("mat4"), "Mat4Signal";
    /// Numbers in order.
    List "list" Some("list"), "ListSignal";
    /// Colours along a line.
    Gradient "gradient" Some("ramp"), "GradientSignal";
    /// A number over time.
    Curve "curve" Some("curve"), "CurveSignal";
    /// A picture.
    Image "picture" None, "Picture";
    /// Triangles.
    Mesh "mesh" Some("mesh"), "Mesh";
    /// Points in space.
    Points "points" Some("points"), "Points";
    /// A camera.
    Camera "camera" Some("view"), "Camera";
    /// How a surface looks.
    Material "material" Some("material"), "Material";
    /// A light.
    Light "light" Some("light"), "Light";
    /// What to draw.
    Command "command" Some("draw"), "Command";
    /// The joints of a figure.
    Pose "pose" Some("pose"), "Pose";
    /// Something that only who made it can read.
    Object "object" Some("object"), "Object";
    /// One of a fixed set of names.
    Choice "choice" Some("text"), "ChoiceSignal";
    /// Whatever is connected: the output of such an operator is of the kind of its inputs.
    Any "any" Some("any"), "any";
}

impl Kind {
    /// Whether a value of kind `from` may be given where this kind is wanted; see [`Value::convert`](super::Value::convert).
    pub fn accepts(self, from: Kind) -> bool {
        use Kind::*;
        self == from
            || self == Any
            || matches!(
                (self, from),
                (Number, Int)
                    | (Vec2 | Vec3 | Vec4 | Color | List, Number | Int)
                    | (Color, Vec3 | Vec4)
                    | (Vec4, Color)
                    | (Choice, Text)
            )
    }

    /// The one of two kinds that takes values of both.
    pub fn common(self, other: Kind) -> Option<Kind> {
        if self.accepts(other) {
            Some(self)
        } else {
            other.accepts(self).then_some(other)
        }
    }
}
