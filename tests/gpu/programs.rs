//! Programs written by hand, as the shader layer would fuse them.

use std::sync::Arc;

use gobo::shader::Program;

const VERTEX: &str = "
struct Corner { @builtin(position) position: vec4f, @location(0) p: vec2f }
@vertex fn vertex(@builtin(vertex_index) i: u32) -> Corner {
    let p = vec2f(f32((i << 1u) & 2u), f32(i & 2u));
    return Corner(vec4f(p * 2.0 - 1.0, 0.0, 1.0), p);
}
";

/// A program with a fragment stage of its own and the common vertex stage below it.
pub(crate) fn program(key: u128, numbers: usize, textures: usize, fragment: &str) -> Arc<Program> {
    Arc::new(Program {
        key,
        wgsl: format!("{fragment}{VERTEX}"),
        numbers,
        textures,
    })
}

/// Fills with the colour that its four numbers give.
pub(crate) fn solid() -> Arc<Program> {
    program(
        1,
        4,
        0,
        "struct Numbers { r: f32, g: f32, b: f32, a: f32 }
@group(0) @binding(0) var<uniform> numbers: Numbers;
@fragment fn fragment(c: Corner) -> @location(0) vec4f { return vec4f(numbers.r, numbers.g, numbers.b, numbers.a); }",
    )
}

/// Shows what it reads, `add` brighter in red.
pub(crate) fn brighter() -> Arc<Program> {
    program(
        2,
        1,
        1,
        "struct Numbers { add: f32 }
@group(0) @binding(0) var<uniform> numbers: Numbers;
@group(0) @binding(1) var samp: sampler;
@group(0) @binding(2) var past: texture_2d<f32>;
@fragment fn fragment(c: Corner) -> @location(0) vec4f {
    let color = textureSample(past, samp, vec2f(c.p.x, 1.0 - c.p.y));
    return vec4f(color.r + numbers.add, color.g, color.b, 1.0);
}",
    )
}

/// Red grows to the right, green upwards.
pub(crate) fn gradient() -> Arc<Program> {
    program(
        3,
        0,
        0,
        "@fragment fn fragment(c: Corner) -> @location(0) vec4f { return vec4f(c.p.x, c.p.y, 0.0, 1.0); }",
    )
}
