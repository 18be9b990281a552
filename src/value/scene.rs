//! What a scene is made of: data that operators pass on and only the graphics layer draws.

use std::sync::Arc;

use super::{Image, Mat4};

fn finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|n| n.is_finite())
}

/// One corner of triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// In metres.
    pub position: [f32; 3],
    /// A unit vector away from the surface.
    pub normal: [f32; 3],
    /// Where pictures are read, 0 to 1, up and to the right.
    pub uv: [f32; 2],
}

/// Triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corners.
    pub vertices: Vec<Vertex>,
    /// Three corners a triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    pub(super) fn is_finite(&self) -> bool {
        let is_finite = |v: &Vertex| finite(&v.position) && finite(&v.normal) && finite(&v.uv);
        self.vertices.iter().all(is_finite)
    }
}

/// A point with what is drawn there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// In metres.
    pub position: [f32; 3],
    /// A unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Factor of size; 1 is as declared.
    pub size: f32,
    /// Straight red, green, blue and alpha.
    pub color: [f32; 4],
}

/// Points in space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points(pub Vec<Point>);

impl Points {
    pub(super) fn is_finite(&self) -> bool {
        let is_finite = |p: &Point| {
            finite(&p.position) && finite(&p.rotation) && finite(&p.color) && p.size.is_finite()
        };
        self.0.iter().all(is_finite)
    }
}

/// How a camera maps space to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Far things are smaller; the angle of view from bottom to top in radians.
    Perspective(f32),
    /// Far things are as large as near ones; metres from bottom to top.
    Orthographic(f32),
}

/// A camera; the aspect ratio is that of the picture it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands, in metres.
    pub position: [f32; 3],
    /// What it looks at.
    pub target: [f32; 3],
    /// Which way is up in the picture.
    pub up: [f32; 3],
    /// How it maps space to the picture.
    pub projection: Projection,
    /// Nothing nearer is seen, in metres.
    pub near: f32,
    /// Nothing farther is seen, in metres.
    pub far: f32,
}

impl Default for Camera {
    /// Five metres in front of the origin, 45° of view.
    fn default() -> Self {
        Self {
            position: [0.0, 0.0, 5.0],
            target: [0.0; 3],
            up: [0.0, 1.0, 0.0],
            projection: Projection::Perspective(std::f32::consts::FRAC_PI_4),
            near: 0.1,
            far: 1000.0,
        }
    }
}

impl Camera {
    pub(super) fn is_finite(&self) -> bool {
        let (Projection::Perspective(view) | Projection::Orthographic(view)) = self.projection;
        finite(&self.position)
            && finite(&self.target)
            && finite(&self.up)
            && finite(&[view, self.near, self.far])
    }
}

/// How a surface looks, by metalness and roughness.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Straight red, green, blue and alpha.
    pub base_color: [f32; 4],
    /// 0 is cloth or plastic, 1 metal.
    pub metallic: f32,
    /// 0 is a mirror, 1 chalk.
    pub roughness: f32,
    /// Light that it gives off: red, green, blue, from 0 up.
    pub emissive: [f32; 3],
    /// A picture that multiplies the base colour.
    pub picture: Option<Image>,
}

impl Default for Material {
    /// White plastic.
    fn default() -> Self {
        Self {
            base_color: [1.0; 4],
            metallic: 0.0,
            roughness: 0.5,
            emissive: [0.0; 3],
            picture: None,
        }
    }
}

impl Material {
    pub(super) fn is_finite(&self) -> bool {
        finite(&self.base_color)
            && finite(&self.emissive)
            && finite(&[self.metallic, self.roughness])
    }
}

/// A light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Light {
    /// From infinitely far away.
    Sun {
        /// Where its light goes.
        direction: [f32; 3],
        /// Linear red, green and blue times strength.
        color: [f32; 3],
    },
    /// From one point in all directions.
    Point {
        /// Where it is, in metres.
        position: [f32; 3],
        /// Linear red, green and blue times strength at one metre.
        color: [f32; 3],
        /// Beyond this distance it lights nothing, in metres.
        range: f32,
    },
}

impl Default for Light {
    /// A white sun from above.
    fn default() -> Self {
        Self::Sun {
            direction: [0.0, -1.0, 0.0],
            color: [1.0; 3],
        }
    }
}

impl Light {
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Self::Sun { direction, color } => finite(direction) && finite(color),
            Self::Point {
                position,
                color,
                range,
            } => finite(position) && finite(color) && range.is_finite(),
        }
    }
}

/// What to draw, as a description; the graphics layer is the only one that executes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Each in order.
    Group(Vec<Arc<Command>>),
    /// What is below, moved.
    Transform {
        /// Where it stands in what is above.
        outer_from_inner: Mat4,
        /// What is moved.
        inner: Arc<Command>,
    },
    /// A mesh.
    Mesh {
        /// Its triangles.
        mesh: Arc<Mesh>,
        /// How its surface looks.
        material: Arc<Material>,
    },
    /// A mesh at each of many points.
    Instances {
        /// Its triangles.
        mesh: Arc<Mesh>,
        /// How its surface looks.
        material: Arc<Material>,
        /// Where they stand.
        points: Arc<Points>,
    },
    /// A light for what is drawn in the same scene.
    Light(Arc<Light>),
}

impl Default for Command {
    /// Nothing.
    fn default() -> Self {
        Self::Group(Vec::new())
    }
}

impl Command {
    /// Whether its own numbers are finite; what it shares was checked where it was made.
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Self::Transform {
                outer_from_inner, ..
            } => finite(outer_from_inner),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn equal_scenes_compare_equal_without_sharing_memory() {
        let scene = |roughness: f32| {
            let material = Material {
                roughness,
                ..Material::default()
            };
            Value::Command(Arc::new(Command::Mesh {
                mesh: Arc::default(),
                material: Arc::new(material),
            }))
        };
        assert_eq!(scene(0.5), scene(0.5));
        assert_ne!(scene(0.5), scene(0.6));
    }

    #[test]
    fn what_is_not_finite_is_found_in_every_part() {
        let nan = f32::NAN;
        let camera = Camera {
            projection: Projection::Orthographic(nan),
            ..Camera::default()
        };
        assert!(!Value::Camera(Arc::new(camera)).is_finite());
        let material = Material {
            metallic: nan,
            ..Material::default()
        };
        assert!(!Value::Material(Arc::new(material)).is_finite());
        let light = Light::Point {
            position: [0.0; 3],
            color: [1.0; 3],
            range: nan,
        };
        assert!(!Value::Light(Arc::new(light)).is_finite());
        let vertex = Vertex {
            position: [0.0; 3],
            normal: [0.0, nan, 0.0],
            uv: [0.0; 2],
        };
        let mesh = Mesh {
            vertices: vec![vertex],
            triangles: Vec::new(),
        };
        assert!(!Value::Mesh(Arc::new(mesh)).is_finite());
    }
}
