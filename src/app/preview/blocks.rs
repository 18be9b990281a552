//! A picture as text: two pixels in each cell, one in its foreground and one in its background.

use std::fmt::Write;
use std::sync::LazyLock;

use crate::value::Size;

/// Code values of 8 bits as linear light in 0..=1 (sRGB, IEC 61966-2-1).
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|code| {
        let code = code as f32 / 255.0;
        if code <= 0.04045 {
            code / 12.92
        } else {
            ((code + 0.055) / 1.055).powf(2.4)
        }
    })
});

fn code(linear: f32) -> u8 {
    let code = if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (code * 255.0).round() as u8
}

/// The largest picture of the shape of `size` that fits `cols` cells across and `rows` cells down, as the cells it
/// takes; none when there is no room. A cell counts as one pixel across and two down.
pub fn fit(size: Size, cols: u16, rows: u16) -> Option<(u16, u16)> {
    let (across, down) = (f64::from(cols), f64::from(rows) * 2.0);
    let scale = (across / f64::from(size.width)).min(down / f64::from(size.height));
    let pixels = |side: u32| (f64::from(side) * scale).round().max(1.0);
    let (width, height) = (
        pixels(size.width) as u16,
        (pixels(size.height) / 2.0).ceil() as u16,
    );
    (cols > 0 && rows > 0).then_some((width.min(cols), height.min(rows)))
}

/// The picture as `rows` lines of `cols` half blocks in 24-bit colour, with `\n` between them. `rgba` has 4 bytes a
/// pixel, the top row first; alpha is not looked at, and pixels that are missing are black. Each half block shows
/// the mean light of the pixels it covers.
pub fn half_blocks(size: Size, rgba: &[u8], cols: u16, rows: u16) -> String {
    let small = shrink(size, rgba, usize::from(cols), usize::from(rows) * 2);
    let mut text = String::with_capacity(usize::from(cols) * usize::from(rows) * 24);
    for (row, pair) in small.chunks(usize::from(cols.max(1)) * 2).enumerate() {
        if row > 0 {
            text.push('\n');
        }
        let (upper, lower) = pair.split_at(usize::from(cols));
        let mut last = (None, None);
        for (upper, lower) in upper.iter().zip(lower) {
            colour(&mut text, '3', *upper, &mut last.0);
            colour(&mut text, '4', *lower, &mut last.1);
            text.push('▀');
        }
        text.push_str("\x1b[0m");
    }
    text
}

fn colour(text: &mut String, ground: char, rgb: [u8; 3], last: &mut Option<[u8; 3]>) {
    if *last != Some(rgb) {
        *last = Some(rgb);
        // Writing to a string can't fail.
        let _ = write!(text, "\x1b[{ground}8;2;{};{};{}m", rgb[0], rgb[1], rgb[2]);
    }
}

/// The mean light over each of `width` by `height` boxes.
fn shrink(size: Size, rgba: &[u8], width: usize, height: usize) -> Vec<[u8; 3]> {
    let (across, down) = (size.width as usize, size.height as usize);
    let span = |at: usize, of: usize, pixels: usize| {
        let start = at * pixels / of;
        start..((at + 1) * pixels).div_ceil(of).max(start + 1)
    };
    let mut small = Vec::with_capacity(width * height);
    for y in 0..height {
        let rows = span(y, height, down);
        for x in 0..width {
            let columns = span(x, width, across);
            let count = (rows.len() * columns.len()) as f32;
            let mut light = [0.0_f32; 3];
            for row in rows.clone() {
                let start = (row * across + columns.start) * 4;
                let pixels = rgba
                    .get(start..start + columns.len() * 4)
                    .unwrap_or_default();
                for pixel in pixels.chunks_exact(4) {
                    (0..3)
                        .for_each(|channel| light[channel] += LINEAR[usize::from(pixel[channel])]);
                }
            }
            small.push(light.map(|sum| code(sum / count)));
        }
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: [u8; 4] = [255, 0, 0, 255];
    const BLUE: [u8; 4] = [0, 0, 255, 255];

    #[test]
    fn a_cell_shows_two_pixels() {
        let text = half_blocks(Size::new(1, 2), &[RED, BLUE].concat(), 1, 1);
        assert_eq!(text, "\x1b[38;2;255;0;0m\x1b[48;2;0;0;255m▀\x1b[0m");
    }

    #[test]
    fn equal_colours_are_said_once_in_a_line() {
        let text = half_blocks(Size::new(2, 4), &RED.repeat(8), 2, 2);
        let line = "\x1b[38;2;255;0;0m\x1b[48;2;255;0;0m▀▀\x1b[0m";
        assert_eq!(text, format!("{line}\n{line}"));
    }

    #[test]
    fn the_mean_is_one_of_light() {
        let black_and_white = [[0, 0, 0, 255], [255; 4]].concat().repeat(2);
        let text = half_blocks(Size::new(2, 2), &black_and_white, 1, 1);
        assert_eq!(text, "\x1b[38;2;188;188;188m\x1b[48;2;188;188;188m▀\x1b[0m");
    }

    #[test]
    fn every_code_value_survives() {
        for value in 0..=255 {
            assert_eq!(code(LINEAR[usize::from(value)]), value);
        }
    }

    #[test]
    fn a_small_picture_is_enlarged() {
        let text = half_blocks(Size::new(1, 1), &RED, 3, 2);
        assert_eq!(text.matches('▀').count(), 6);
        assert_eq!(text.matches("255;0;0").count(), 4);
    }

    #[test]
    fn missing_pixels_are_black() {
        let text = half_blocks(Size::new(2, 2), &RED, 1, 1);
        assert!(text.contains('▀'), "{text}");
        assert_eq!(half_blocks(Size::new(2, 2), &[], 0, 0), "");
    }

    #[test]
    fn the_shape_is_kept() {
        assert_eq!(fit(Size::new(1280, 720), 100, 40), Some((100, 28)));
        assert_eq!(fit(Size::new(1280, 720), 100, 10), Some((36, 10)));
        assert_eq!(fit(Size::new(1, 16384), 80, 20), Some((1, 20)));
        assert_eq!(fit(Size::new(16384, 1), 80, 20), Some((80, 1)));
        assert_eq!(fit(Size::new(10, 10), 0, 20), None);
    }
}
