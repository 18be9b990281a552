//! Folds a picture into a kaleidoscope.

struct Params {
    /// How many mirrored wedges. [4, 1..12]
    n_sides: f32,
}

fn kaleid(p: vec2f, params: Params) -> vec2f {
    let q = p - 0.5;
    let wedge = 6.2832 / select(params.n_sides, 1.0, params.n_sides == 0.0);
    let angle = atan2(q.y, q.x);
    let folded = abs(angle - wedge * floor(angle / wedge) - wedge / 2.0);
    return length(q) * vec2f(cos(folded), sin(folded));
}
