@group(0) @binding(2) var<storage, read> x: array<vec4f>;           // m; w: inverse mass, 1/kg

fn position(p: u32) -> vec4f {
    return x[p];
}
