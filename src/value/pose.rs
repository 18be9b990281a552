//! The joints of a figure.

use std::sync::Arc;

/// Where a joint is, relative to the one above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Names from the root down, such as `hips/spine/neck`.
    pub path: Arc<str>,
    /// In metres.
    pub translation: [f32; 3],
    /// A unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Factor along each axis.
    pub scale: [f32; 3],
}

/// The joints of a figure at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Each joint once, parents before children.
    pub joints: Vec<Joint>,
}

impl Pose {
    pub(super) fn is_finite(&self) -> bool {
        self.joints.iter().all(|joint| {
            let Joint {
                translation,
                rotation,
                scale,
                ..
            } = joint;
            let numbers = translation.iter().chain(rotation).chain(scale);
            numbers.into_iter().all(|n| n.is_finite())
        })
    }
}
