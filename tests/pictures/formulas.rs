//! What each per-pixel function is by its formula, in f64, for a description of a picture.

use gobo::value::{Draw, Image};

/// Pi as the reference engine writes it.
#[allow(clippy::approx_constant, reason = "part of how its pictures look")]
const PI: f64 = 3.1416;

type Point = [f64; 2];
type Colour = [f64; 4];

/// The colour of a described picture at a point; (0, 0) is bottom left.
pub(crate) fn colour(image: &Image, p: Point) -> Colour {
    let Draw::Pixel {
        function,
        numbers,
        images,
    } = image.draw()
    else {
        panic!("only functions have formulas")
    };
    let n: Vec<f64> = numbers.iter().map(|n| f64::from(*n)).collect();
    let at = |index: usize, p: Point| colour(&images[index], p);
    let zip =
        |a: Colour, b: Colour, f: &dyn Fn(f64, f64) -> f64| std::array::from_fn(|i| f(a[i], b[i]));
    let mix = |a: Colour, b: Colour, by: f64| zip(a, b, &|a, b| a * (1.0 - by) + b * by);
    let modulo = |a: f64, b: f64| a - b * (a / b).floor();
    let fract = |v: f64| v - v.floor();
    let step = |edge: f64, v: f64| if v < edge { 0.0 } else { 1.0 };
    let [x, y] = p;
    match function.name.as_str() {
        "solid" => [n[0], n[1], n[2], n[3]],
        "gradient" => [x, y, n[0].sin(), 1.0],
        "osc" => {
            let wave = |k: f64| 0.5 + 0.5 * ((x + k * n[2] / n[0] + n[1]) * n[0]).sin();
            [wave(-1.0), wave(0.0), wave(1.0), 1.0]
        }
        "shape" => {
            let q = [2.0 * x - 1.0, 2.0 * y - 1.0];
            let (a, r) = (q[0].atan2(q[1]) + PI, 2.0 * PI / n[0]);
            let d = ((0.5 + a / r).floor() * r - a).cos() * q[0].hypot(q[1]);
            let t = ((d - n[1]) / (n[2] + 1e-7)).clamp(0.0, 1.0);
            let grey = 1.0 - t * t * (3.0 - 2.0 * t);
            [grey, grey, grey, 1.0]
        }
        "noise" => {
            let v = simplex([x * n[0], y * n[0], n[1]]);
            [v, v, v, 1.0]
        }
        "src" => at(0, [fract(x), fract(y)]),
        "rotate" => {
            let (angle, q) = (n[0] + n[1], [x - 0.5, y - 0.5]);
            let (sin, cos) = angle.sin_cos();
            at(
                0,
                [cos * q[0] + sin * q[1] + 0.5, cos * q[1] - sin * q[0] + 0.5],
            )
        }
        "scale" => at(
            0,
            [
                (x - n[3]) / (n[0] * n[1]) + n[3],
                (y - n[4]) / (n[0] * n[2]) + n[4],
            ],
        ),
        "kaleid" => {
            let (q, wedge) = ([x - 0.5, y - 0.5], 2.0 * PI / n[0]);
            let a = (modulo(q[1].atan2(q[0]), wedge) - wedge / 2.0).abs();
            let r = q[0].hypot(q[1]);
            at(0, [r * a.cos(), r * a.sin()])
        }
        "tile" => {
            let mut q = [x * n[0], y * n[1]];
            q[0] += step(1.0, modulo(q[1], 2.0)) * n[2];
            q[1] += step(1.0, modulo(q[0], 2.0)) * n[3];
            at(0, [fract(q[0]), fract(q[1])])
        }
        "scroll" => at(0, [fract(x + n[0] + n[2]), fract(y + n[1] + n[3])]),
        "modulate" => {
            let d = at(1, p);
            at(0, [x + d[0] * n[0], y + d[1] * n[0]])
        }
        "invert" => {
            let c = at(0, p);
            let i = mix(c, [1.0 - c[0], 1.0 - c[1], 1.0 - c[2], c[3]], n[0]);
            [i[0], i[1], i[2], c[3]]
        }
        "color" => zip(at(0, p), [n[0], n[1], n[2], n[3]], &|c, k| {
            if k >= 0.0 { k * c } else { (1.0 - c) * k.abs() }
        }),
        "add" => mix(at(0, p), zip(at(0, p), at(1, p), &|c, d| c + d), n[0]),
        "blend" => mix(at(0, p), at(1, p), n[0]),
        "mult" => mix(at(0, p), zip(at(0, p), at(1, p), &|c, d| c * d), n[0]),
        "over" => {
            let (c, d) = (at(0, p), at(1, p));
            let a = d[3] + c[3] * (1.0 - d[3]);
            let rgb = |i: usize| (d[i] * d[3] + c[i] * c[3] * (1.0 - d[3])) / a;
            match a {
                0.0 => [0.0; 4],
                a => [rgb(0), rgb(1), rgb(2), a],
            }
        }
        "lighten" => zip(at(0, p), at(1, p), &f64::max),
        "expose" => {
            let (c, d) = (at(0, p), at(1, p));
            let a = c[3] * (1.0 - n[0]) + d[3] * n[0];
            let rgb = |i: usize| {
                let sum = light(c[i]) * c[3] * (1.0 - n[0]) + light(d[i]) * d[3] * n[0];
                display(sum / a)
            };
            match a {
                0.0 => [0.0; 4],
                a => [rgb(0), rgb(1), rgb(2), a],
            }
        }
        other => panic!("there is no formula for {other}: add it here"),
    }
}

/// Linear light of a display-referred number by IEC 61966-2-1, mirrored below 0.
pub(crate) fn light(v: f64) -> f64 {
    let a = v.abs();
    v.signum()
        * match a <= 0.04045 {
            true => a / 12.92,
            false => ((a + 0.055) / 1.055).powf(2.4),
        }
}

fn display(v: f64) -> f64 {
    let a = v.abs();
    v.signum()
        * match a <= 0.0031308 {
            true => a * 12.92,
            false => 1.055 * a.powf(1.0 / 2.4) - 0.055,
        }
}

/// Simplex noise in three dimensions by its definition: the four corners of the skewed cell, each with a gradient
/// from the permutation x -> (34x + 1)x mod 289 on 7 by 7 points of an octahedron, kernel 0.6 - r², gain 42.
fn simplex(v: [f64; 3]) -> f64 {
    let permute = |x: f64| (34.0 * x + 1.0) * x % 289.0;
    let skew: f64 = v.iter().sum::<f64>() / 3.0;
    let cell = v.map(|c| (c + skew).floor());
    let unskew: f64 = cell.iter().sum::<f64>() / 6.0;
    let origin: [f64; 3] = std::array::from_fn(|i| v[i] - cell[i] + unskew);
    // The path from the first corner to the last goes along the largest coordinate first.
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| origin[*b].total_cmp(&origin[*a]));
    let mut corner = [0.0; 3];
    let mut sum = 0.0;
    for index in 0..4 {
        if index > 0 {
            corner[order[index - 1]] = 1.0;
        }
        let offset: [f64; 3] = std::array::from_fn(|i| origin[i] - corner[i] + index as f64 / 6.0);
        let cell = cell.map(|c| c.rem_euclid(289.0));
        let hash = permute(
            permute(permute(cell[2] + corner[2]) + cell[1] + corner[1]) + cell[0] + corner[0],
        );
        let j = hash % 49.0;
        let (row, column) = ((j / 7.0).floor(), j % 7.0);
        let at = |k: f64| k * 2.0 / 7.0 + 0.5 / 7.0 - 1.0;
        let (mut gx, mut gy) = (at(row), at(column));
        let gz = 1.0 - gx.abs() - gy.abs();
        if gz <= 1e-9 {
            (gx, gy) = (gx - (2.0 * gx.floor() + 1.0), gy - (2.0 * gy.floor() + 1.0));
        }
        // The common variant takes two terms of the series of 1/sqrt, which is part of how it looks.
        let norm = 1.79284291400159 - 0.85373472095314 * (gx * gx + gy * gy + gz * gz);
        let kernel = (0.6 - offset.iter().map(|o| o * o).sum::<f64>()).max(0.0);
        sum += kernel.powi(4) * (gx * offset[0] + gy * offset[1] + gz * offset[2]) * norm;
    }
    42.0 * sum
}
