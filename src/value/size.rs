//! Sizes of pictures, and the one rule by which every operator settles on one.

use std::fmt;

/// Width and height in pixels, each at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

impl Size {
    /// The largest side that is ever asked for, in pixels.
    pub const MAX_SIDE: u32 = 16384;

    /// A size with both sides clamped to `1..=16384`.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width: width.clamp(1, Self::MAX_SIDE),
            height: height.clamp(1, Self::MAX_SIDE),
        }
    }

    /// Width divided by height.
    pub fn aspect(self) -> f64 {
        f64::from(self.width) / f64::from(self.height)
    }

    /// The size that a picture gets, from the one that its operator wants.
    ///
    /// `wanted` in pixels: both above 0 is exactly that; any below 0 is `requested`, whatever is connected; both 0 is
    /// the size of the `input` picture, `requested` without one; one 0 follows the other in the aspect of what both 0
    /// would have given. Sides are clamped to `1..=max_side`, which is at most [`Size::MAX_SIDE`].
    pub fn resolve(wanted: [i64; 2], input: Option<Size>, requested: Size, max_side: u32) -> Size {
        let max = max_side.clamp(1, Self::MAX_SIDE);
        let side = |n: f64| n.round().clamp(1.0, f64::from(max)) as u32;
        let natural = input.unwrap_or(requested);
        let (width, height) = match wanted {
            [w, h] if w < 0 || h < 0 => (requested.width.into(), requested.height.into()),
            [0, 0] => (natural.width.into(), natural.height.into()),
            [w, 0] => (w as f64, f64::from(side(w as f64)) / natural.aspect()),
            [0, h] => (f64::from(side(h as f64)) * natural.aspect(), h as f64),
            [w, h] => (w as f64, h as f64),
        };
        Size {
            width: side(width),
            height: side(height),
        }
    }

    /// What `with_resolution` asks of what it wraps: `size` where both sides are above 0, else `self`; times
    /// `stretch` for each side, times `scale`; rounded, and clamped to `1..=16384`.
    pub fn overridden(self, size: [f64; 2], stretch: [f64; 2], scale: f64) -> Size {
        let base = match size {
            [w, h] if w > 0.0 && h > 0.0 => [w, h],
            _ => [self.width.into(), self.height.into()],
        };
        let side = |at: usize| {
            let side = (base[at] * stretch[at] * scale).round();
            side.clamp(1.0, f64::from(Self::MAX_SIDE)) as u32
        };
        Size {
            width: side(0),
            height: side(1),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_resolved_by_the_table() {
        let (hd, square) = (Size::new(1280, 720), Size::new(512, 512));
        let max = Size::MAX_SIDE;
        let table = [
            ([640, 480], Some(square), max, (640, 480)),
            ([640, 480], None, max, (640, 480)),
            ([99_999, 1], None, max, (16384, 1)),
            ([9000, 9000], None, 8192, (8192, 8192)),
            ([-1, 480], Some(square), max, (1280, 720)),
            ([0, -1], Some(square), max, (1280, 720)),
            ([-1, -1], None, max, (1280, 720)),
            ([0, 0], Some(square), max, (512, 512)),
            ([0, 0], None, max, (1280, 720)),
            ([0, 0], None, 1000, (1000, 720)),
            ([640, 0], None, max, (640, 360)),
            ([0, 90], None, max, (160, 90)),
            ([640, 0], Some(square), max, (640, 640)),
            ([0, 100], Some(square), max, (100, 100)),
            ([333, 0], None, max, (333, 187)),
            ([1, 0], None, max, (1, 1)),
            ([i64::MAX, 0], None, max, (16384, 9216)),
        ];
        for (wanted, input, max, (width, height)) in table {
            let found = Size::resolve(wanted, input, hd, max);
            let expected = Size { width, height };
            assert_eq!(found, expected, "{wanted:?} {input:?} {max}");
        }
    }

    #[test]
    fn an_override_replaces_stretches_and_scales() {
        let hd = Size::new(1280, 720);
        let one = [1.0, 1.0];
        assert_eq!(hd.overridden([0.0, 0.0], one, 0.5), Size::new(640, 360));
        assert_eq!(hd.overridden([100.0, 50.0], one, 1.0), Size::new(100, 50));
        assert_eq!(hd.overridden([100.0, 0.0], one, 1.0), hd);
        assert_eq!(
            hd.overridden([0.0; 2], [2.0, 0.5], 1.0),
            Size::new(2560, 360)
        );
        assert_eq!(hd.overridden([0.0; 2], one, 0.0), Size::new(1, 1));
        assert_eq!(hd.overridden([0.0; 2], one, 1e9), Size::new(16384, 16384));
    }
}
