//! Keeps of each channel the lighter of two pictures.

fn lighten(c: vec4f, d: vec4f) -> vec4f {
    return max(c, d);
}
