//! Turns light into dark and colours into their opposites; alpha stays.

struct Params {
    /// How much, 0 to 1. [1, 0..1]
    amount: f32,
}

fn invert(c: vec4f, params: Params) -> vec4f {
    return vec4f(mix(c.rgb, 1.0 - c.rgb, params.amount), c.a);
}
