//! Moves a picture; what leaves on one side comes back on the other.

struct Params {
    /// How far to the left, in widths. [0.5, -1..1]
    scroll_x: f32,
    /// How far down, in heights. [0.5, -1..1]
    scroll_y: f32,
    /// How fast it moves to the left by itself, in widths per second. [0, -2..2, rate]
    speed_x: f32,
    /// How fast it moves down by itself, in heights per second. [0, -2..2, rate]
    speed_y: f32,
}

fn scroll(p: vec2f, params: Params) -> vec2f {
    return fract(p + vec2f(params.scroll_x + params.speed_x, params.scroll_y + params.speed_y));
}
