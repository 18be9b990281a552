//! What happens in a window, in the units of the show.

use winit::keyboard::{Key, NamedKey};

use crate::value::Size;

/// Something that happened in the window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowInput {
    /// The pointer is there: 0 to 1 from left to right and from bottom to top.
    Pointer {
        /// Across.
        x: f64,
        /// Up.
        y: f64,
    },
    /// A mouse button went down or up.
    Button {
        /// Whether it is held now.
        is_down: bool,
    },
    /// A key went down or up.
    Key {
        /// A letter or digit, or a name such as `space` or `left`.
        name: String,
        /// Whether it is held now.
        is_down: bool,
    },
    /// Somebody works elsewhere: releases of keys and buttons won't be seen.
    FocusLost,
}

/// A position in physical pixels from the top left, as 0 to 1 from the bottom left; exact at the outermost pixels.
pub(super) fn place(pixel: (f64, f64), size: Size) -> (f64, f64) {
    let across = |at: f64, side: u32| (at / f64::from(side.max(2) - 1)).clamp(0.0, 1.0);
    (
        across(pixel.0, size.width),
        1.0 - across(pixel.1, size.height),
    )
}

/// The name that a sketch knows a key by.
pub(super) fn key_name(key: &Key) -> Option<String> {
    match key {
        Key::Character(text) => Some(text.to_lowercase()),
        Key::Named(NamedKey::Space) => Some("space".into()),
        Key::Named(named) => {
            let name = format!("{named:?}").to_lowercase();
            Some(
                name.strip_prefix("arrow")
                    .map(str::to_owned)
                    .unwrap_or(name),
            )
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_a_window_are_exact_at_every_scale() {
        for scale in [1.0, 1.25, 2.0] {
            let side = |logical: f64| (logical * scale) as u32;
            let size = Size::new(side(640.0), side(360.0));
            let (right, bottom) = (f64::from(size.width - 1), f64::from(size.height - 1));
            assert_eq!(place((0.0, 0.0), size), (0.0, 1.0));
            assert_eq!(place((right, 0.0), size), (1.0, 1.0));
            assert_eq!(place((0.0, bottom), size), (0.0, 0.0));
            assert_eq!(place((right, bottom), size), (1.0, 0.0));
            assert_eq!(place((right / 2.0, bottom / 2.0), size), (0.5, 0.5));
        }
    }

    #[test]
    fn a_pointer_outside_the_window_stays_at_its_border() {
        assert_eq!(place((-5.0, 900.0), Size::new(100, 100)), (0.0, 0.0));
        assert_eq!(place((0.0, 0.0), Size::new(1, 1)), (0.0, 1.0));
    }

    #[test]
    fn keys_have_the_names_that_sketches_use() {
        assert_eq!(
            key_name(&Key::Named(NamedKey::ArrowLeft)).as_deref(),
            Some("left")
        );
        assert_eq!(
            key_name(&Key::Named(NamedKey::Space)).as_deref(),
            Some("space")
        );
        assert_eq!(key_name(&Key::Character("A".into())).as_deref(), Some("a"));
    }
}
