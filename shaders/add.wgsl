//! Adds another picture's light.

struct Params {
    /// How much of the sum, 0 to 1. [1, 0..1]
    amount: f32,
}

fn add(c: vec4f, d: vec4f, params: Params) -> vec4f {
    return mix(c, c + d, params.amount);
}
