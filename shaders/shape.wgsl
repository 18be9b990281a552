//! A white regular polygon on black.

struct Params {
    /// How many sides; fractions are allowed. [3, 3..12]
    sides: f32,
    /// How large, as a part of half the picture. [0.3, 0..2]
    radius: f32,
    /// How soft the edge is. [0.01, 0..1]
    smoothing: f32,
}

fn shape(p: vec2f, params: Params) -> vec4f {
    let q = p * 2.0 - 1.0;
    let angle = atan2(q.x, q.y) + 3.1416;
    let sector = 6.2832 / select(params.sides, 1.0, params.sides == 0.0);
    let distance = cos(floor(0.5 + angle / sector) * sector - angle) * length(q);
    let edge = smoothstep(params.radius, params.radius + params.smoothing + 0.0000001, distance);
    return vec4f(vec3f(1.0 - edge), 1.0);
}
