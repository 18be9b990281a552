//! Red from left to right, green from bottom to top, blue in time.

struct Params {
    /// How fast blue comes and goes, in radians per second. [0, -10..10, rate]
    speed: f32,
}

fn gradient(p: vec2f, params: Params) -> vec4f {
    return vec4f(p, sin(params.speed), 1.0);
}
