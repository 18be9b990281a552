//! Makes a picture larger or smaller about a point.

struct Params {
    /// How many times larger. [1.5, 0.1..10]
    amount: f32,
    /// How many times larger again across. [1, 0.1..10]
    x_mult: f32,
    /// How many times larger again up. [1, 0.1..10]
    y_mult: f32,
    /// The point that stays, from the left. [0.5, 0..1]
    offset_x: f32,
    /// The point that stays, from the bottom. [0.5, 0..1]
    offset_y: f32,
}

fn scale(p: vec2f, params: Params) -> vec2f {
    let o = vec2f(params.offset_x, params.offset_y);
    let by = params.amount * vec2f(params.x_mult, params.y_mult);
    // A size of 0 would divide by it: the picture is then its point o.
    return (p - o) / select(by, vec2f(1e30), by == vec2f(0.0)) + o;
}
