//! Repeats a picture across and up, like tiles.

struct Params {
    /// How many times across. [3, 1..20]
    repeat_x: f32,
    /// How many times up. [3, 1..20]
    repeat_y: f32,
    /// How far every second row is shifted. [0, 0..1]
    offset_x: f32,
    /// How far every second column is shifted. [0, 0..1]
    offset_y: f32,
}

fn tile(p: vec2f, params: Params) -> vec2f {
    var q = p * vec2f(params.repeat_x, params.repeat_y);
    q.x += step(1.0, q.y - 2.0 * floor(q.y / 2.0)) * params.offset_x;
    q.y += step(1.0, q.x - 2.0 * floor(q.x / 2.0)) * params.offset_y;
    return fract(q);
}
