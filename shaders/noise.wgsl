//! Grey clouds of three-dimensional simplex noise, from -1 to 1.

struct Params {
    /// How many clouds fit the width; larger is finer. [10, 0..100]
    scale: f32,
    /// How fast the clouds change, in units of noise per second. [0.1, -2..2, rate]
    offset: f32,
}

// Whole numbers are divided with half a unit to spare, since an adapter's division may fall just short.
fn noise_permute(x: vec4f) -> vec4f {
    let y = (34.0 * x + 1.0) * x;
    return y - 289.0 * floor((y + 0.5) / 289.0);
}

/// Simplex noise after Gustavson and McEwan: gradients on the octahedron, hashed by a permutation polynomial
/// modulo 289, kernel (0.6 - r²)⁴, gain 42.
fn noise_simplex(v: vec3f) -> f32 {
    let cell = floor(v + dot(v, vec3f(1.0 / 3.0)));
    let x0 = v - cell + dot(cell, vec3f(1.0 / 6.0));
    // The order of the coordinates picks the two middle corners of the simplex.
    let upper = step(x0.yzx, x0.xyz);
    let lower = 1.0 - upper;
    let i1 = min(upper.xyz, lower.zxy);
    let i2 = max(upper.xyz, lower.zxy);
    let x1 = x0 - i1 + 1.0 / 6.0;
    let x2 = x0 - i2 + 1.0 / 3.0;
    let x3 = x0 - 0.5;
    let i = cell - 289.0 * floor((cell + 0.5) / 289.0);
    let hz = noise_permute(i.z + vec4f(0.0, i1.z, i2.z, 1.0));
    let hy = noise_permute(hz + i.y + vec4f(0.0, i1.y, i2.y, 1.0));
    let hash = noise_permute(hy + i.x + vec4f(0.0, i1.x, i2.x, 1.0));
    // 49 gradients: a 7 by 7 grid over a square, folded onto an octahedron.
    let j = hash - 49.0 * floor((hash + 0.5) / 49.0);
    let column = floor((j + 0.5) / 7.0);
    let row = floor(j - 7.0 * column);
    let gx = column * (2.0 / 7.0) + (0.5 / 7.0 - 1.0);
    let gy = row * (2.0 / 7.0) + (0.5 / 7.0 - 1.0);
    let gz = 1.0 - abs(gx) - abs(gy);
    // Points on the octahedron's edge fold too, whatever an adapter's rounding makes of their 0.
    let fold = -step(gz, vec4f(0.00001));
    let fx = gx + (floor(gx) * 2.0 + 1.0) * fold;
    let fy = gy + (floor(gy) * 2.0 + 1.0) * fold;
    var g0 = vec3f(fx.x, fy.x, gz.x);
    var g1 = vec3f(fx.y, fy.y, gz.y);
    var g2 = vec3f(fx.z, fy.z, gz.z);
    var g3 = vec3f(fx.w, fy.w, gz.w);
    // First term of the inverse square root's series, accurate enough and cheap.
    let norm = 1.79284291400159 - 0.85373472095314 * vec4f(dot(g0, g0), dot(g1, g1), dot(g2, g2), dot(g3, g3));
    g0 *= norm.x;
    g1 *= norm.y;
    g2 *= norm.z;
    g3 *= norm.w;
    var kernel = max(0.6 - vec4f(dot(x0, x0), dot(x1, x1), dot(x2, x2), dot(x3, x3)), vec4f(0.0));
    kernel *= kernel;
    return 42.0 * dot(kernel * kernel, vec4f(dot(g0, x0), dot(g1, x1), dot(g2, x2), dot(g3, x3)));
}

fn noise(p: vec2f, params: Params) -> vec4f {
    return vec4f(vec3f(noise_simplex(vec3f(p * params.scale, params.offset))), 1.0);
}
