// Shapes that go by samples: contact/grid.wgsl and contact/heights.wgsl. Scenes without them have contact/no_fields.wgsl.

// First the surfaces of the bodies, since no kernel may see more than eight buffers, then the distances of all grids and the heights of all
// height fields, m, x running fastest. Words: a device may change the bits of what is no usual number.
@group(0) @binding(7) var<storage, read> samples: array<u32>;

const SURFACE_WORDS: u32 = 6u;

fn sample(at: u32) -> f32 {
    return bitcast<f32>(samples[at]);
}

fn surface_of(body: u32) -> Surface {
    let at = body * SURFACE_WORDS;
    return Surface(sample(at), sample(at + 1u), sample(at + 2u), sample(at + 3u), samples[at + 4u], samples[at + 5u]);
}

fn field_distance(c: Collider, point: vec3f) -> vec4f {
    if (c.shape == GRID) {
        return grid_distance(c, point);
    }
    return ground_distance(c, point);
}
