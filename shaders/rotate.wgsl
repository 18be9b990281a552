//! Turns a picture about its centre.

struct Params {
    /// By how much, in radians. [10, -3.1416..3.1416]
    angle: f32,
    /// How fast it turns by itself, in radians per second. [0, -10..10, rate]
    speed: f32,
}

fn rotate(p: vec2f, params: Params) -> vec2f {
    let angle = params.angle + params.speed;
    let q = p - 0.5;
    return vec2f(cos(angle) * q.x + sin(angle) * q.y, cos(angle) * q.y - sin(angle) * q.x) + 0.5;
}
