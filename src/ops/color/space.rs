//! Colours in other spaces. Numbers are of 64 bits here, so that a way there and back loses nothing that shows.

use std::f64::consts::TAU;

/// From what a screen is sent to light: IEC 61966-2-1 (sRGB), mirrored below 0.
pub(super) fn decoded(code: f64) -> f64 {
    let size = code.abs();
    let light = match size <= 0.04045 {
        true => size / 12.92,
        false => ((size + 0.055) / 1.055).powf(2.4),
    };
    light.copysign(code)
}

/// From light to what a screen is sent.
pub(super) fn encoded(light: f64) -> f64 {
    let size = light.abs();
    let code = match size <= 0.0031308 {
        true => size * 12.92,
        false => 1.055 * size.powf(1.0 / 2.4) - 0.055,
    };
    code.copysign(light)
}

/// Lightness, and how far a colour is towards red and yellow. Björn Ottosson, A perceptual color space for image
/// processing, 2020.
pub(super) fn oklab_from_light([r, g, b]: [f64; 3]) -> [f64; 3] {
    let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
    let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
    let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
    [
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
}

/// The way back.
pub(super) fn light_from_oklab([lightness, a, b]: [f64; 3]) -> [f64; 3] {
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.2914855480 * b).powi(3);
    [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
}

/// Lightness, chroma, and hue in turns; a grey has the hue 0.
pub(super) fn oklch(srgb: [f64; 3]) -> [f64; 3] {
    let [lightness, a, b] = oklab_from_light(srgb.map(decoded));
    let chroma = a.hypot(b);
    if chroma < 1e-6 {
        return [lightness, 0.0, 0.0];
    }
    [lightness, chroma, (b.atan2(a) / TAU).rem_euclid(1.0)]
}

/// The colour of that lightness, chroma and hue in turns. Where a screen can't show it, its chroma is made as small
/// as it must be, so that lightness and hue stay.
pub(super) fn shown([lightness, chroma, hue]: [f64; 3]) -> [f64; 3] {
    let lightness = lightness.clamp(0.0, 1.0);
    let chroma = match lightness {
        0.0 | 1.0 => 0.0,
        _ => chroma.clamp(0.0, 0.4),
    };
    let (sin, cos) = (hue.fract() * TAU).sin_cos();
    let with = |chroma: f64| light_from_oklab([lightness, chroma * cos, chroma * sin]);
    // What rounding puts outside is no reason to change a colour.
    let is_shown = |light: [f64; 3]| light.iter().all(|n| (-1e-5..=1.0 + 1e-5).contains(n));
    let mut light = with(chroma);
    if !is_shown(light) {
        let (mut low, mut high) = (0.0, chroma);
        for _ in 0..20 {
            let middle = (low + high) / 2.0;
            match is_shown(with(middle)) {
                true => low = middle,
                false => high = middle,
            }
        }
        light = with(low);
    }
    light.map(|n| encoded(n.clamp(0.0, 1.0)))
}

/// From hue in turns, saturation and value. Alvy Ray Smith, Color Gamut Transform Pairs, 1978.
pub(super) fn srgb_from_hsv([hue, saturation, value]: [f64; 3]) -> [f64; 3] {
    [5.0, 3.0, 1.0].map(|channel| {
        let k = (channel + hue.rem_euclid(1.0) * 6.0) % 6.0;
        value - value * saturation * k.min(4.0 - k).clamp(0.0, 1.0)
    })
}

/// Hue in turns, saturation and value; what is below 0 counts as 0, and a grey has the hue 0.
pub(super) fn hsv(srgb: [f64; 3]) -> [f64; 3] {
    let [r, g, b] = srgb.map(|n| n.max(0.0));
    let value = r.max(g).max(b);
    let range = value - r.min(g).min(b);
    if range == 0.0 {
        return [0.0, 0.0, value];
    }
    let sixths = if value == r {
        (g - b) / range
    } else if value == g {
        2.0 + (b - r) / range
    } else {
        4.0 + (r - g) / range
    };
    [(sixths / 6.0).rem_euclid(1.0), range / value, value]
}
