//! Mixes with another picture in linear light, as film does that both fall on.

struct Params {
    /// How much of the other, 0 to 1. [0.5, 0..1]
    amount: f32,
}

/// Linear light by the curve of IEC 61966-2-1, mirrored below 0.
fn expose_light(c: vec3f) -> vec3f {
    let a = abs(c);
    return sign(c) * select(pow((a + 0.055) / 1.055, vec3f(2.4)), a / 12.92, a <= vec3f(0.04045));
}

fn expose_display(c: vec3f) -> vec3f {
    let a = abs(c);
    return sign(c) * select(1.055 * pow(a, vec3f(1.0 / 2.4)) - 0.055, a * 12.92, a <= vec3f(0.0031308));
}

fn expose(c: vec4f, d: vec4f, params: Params) -> vec4f {
    let a = mix(c.a, d.a, params.amount);
    let light = mix(expose_light(c.rgb) * c.a, expose_light(d.rgb) * d.a, params.amount);
    return vec4f(expose_display(light / select(a, 1.0, a == 0.0)), a);
}
