//! Bends a picture by the red and green of another.

struct Params {
    /// How far red moves it across and green up, in widths and heights. [0.1, -1..1]
    amount: f32,
}

fn modulate(p: vec2f, d: vec4f, params: Params) -> vec2f {
    return p + d.rg * params.amount;
}
