//! Coloured bands that travel to the left.
//!
//! Each channel is a sine; `offset` shifts red and blue against green.

struct Params {
    /// How many radians fit the width; larger is finer. [60, 0..200]
    frequency: f32,
    /// How fast the bands travel, in widths per second. [0.1, -2..2, rate]
    sync: f32,
    /// How far red and blue are apart from green, in radians. [0, -3.1416..3.1416]
    offset: f32,
}

fn osc(p: vec2f, params: Params) -> vec4f {
    // At frequency 0 the shift has no place to go: all channels stand at the same phase.
    let shift = params.offset / select(params.frequency, 1.0, params.frequency == 0.0);
    let x = vec3f(p.x - shift, p.x, p.x + shift) + params.sync;
    return vec4f(0.5 + 0.5 * sin(x * params.frequency), 1.0);
}
