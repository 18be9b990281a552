// Copies one texture over the whole viewport, scaled; a smaller copy averages what it covers.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler: sampler;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let uv = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return Corner(vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0), uv);
}

fn averaged(uv: vec2f) -> vec4f {
    let covered = abs(vec2f(dpdx(uv.x), dpdy(uv.y)));
    let texels = covered * vec2f(textureDimensions(picture));
    let taps = clamp(vec2i(ceil(texels * 0.5)), vec2i(1), vec2i(8));
    var sum = vec4f(0.0);
    for (var y = 0; y < taps.y; y++) {
        for (var x = 0; x < taps.x; x++) {
            let offset = (vec2f(vec2i(x, y)) + 0.5) / vec2f(taps) - 0.5;
            sum += textureSampleLevel(picture, smooth_sampler, uv + offset * covered, 0.0);
        }
    }
    return sum / f32(taps.x * taps.y);
}

@fragment
fn raw(corner: Corner) -> @location(0) vec4f {
    return averaged(corner.uv);
}

@fragment
fn over_black(corner: Corner) -> @location(0) vec4f {
    let color = averaged(corner.uv);
    return vec4f(color.rgb * color.a, 1.0);
}

// For a surface that encodes what it is given: decodes, so that code values arrive as they are.
@fragment
fn over_black_decoded(corner: Corner) -> @location(0) vec4f {
    let color = averaged(corner.uv);
    let code = clamp(color.rgb * color.a, vec3f(0.0), vec3f(1.0));
    let dark = code / 12.92;
    let bright = pow((code + 0.055) / 1.055, vec3f(2.4));
    return vec4f(select(bright, dark, code <= vec3f(0.04045)), 1.0);
}
