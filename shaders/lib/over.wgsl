//! Lays another picture over one, where it isn't transparent.

fn over(c: vec4f, d: vec4f) -> vec4f {
    let under = c.a * (1.0 - d.a);
    let a = d.a + under;
    return vec4f((d.rgb * d.a + c.rgb * under) / select(a, 1.0, a == 0.0), a);
}
