//! One colour everywhere.

struct Params {
    /// Red. [0, 0..1]
    r: f32,
    /// Green. [0, 0..1]
    g: f32,
    /// Blue. [0, 0..1]
    b: f32,
    /// Alpha: 0 is transparent. [1, 0..1]
    a: f32,
}

fn solid(p: vec2f, params: Params) -> vec4f {
    return vec4f(params.r, params.g, params.b, params.a);
}
