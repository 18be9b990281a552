//! Another picture or an output as the start of a chain, repeated beyond its borders.

fn src(p: vec2f) -> vec2f {
    return fract(p);
}
