//! Mixes with another picture.

struct Params {
    /// How much of the other, 0 to 1. [0.5, 0..1]
    amount: f32,
}

fn blend(c: vec4f, d: vec4f, params: Params) -> vec4f {
    return mix(c, d, params.amount);
}
