//! Multiplies each channel; a negative amount multiplies what the channel lacks instead.

struct Params {
    /// Red. [1, -1..1]
    r: f32,
    /// Green. [1, -1..1]
    g: f32,
    /// Blue. [1, -1..1]
    b: f32,
    /// Alpha. [1, -1..1]
    a: f32,
}

fn color(c: vec4f, params: Params) -> vec4f {
    let by = vec4f(params.r, params.g, params.b, params.a);
    return select((1.0 - c) * abs(by), c * by, by >= vec4f(0.0));
}
