//! Multiplies with another picture, so that its dark parts stay dark.

struct Params {
    /// How much of the product, 0 to 1. [1, 0..1]
    amount: f32,
}

fn mult(c: vec4f, d: vec4f, params: Params) -> vec4f {
    return mix(c, c * d, params.amount);
}
