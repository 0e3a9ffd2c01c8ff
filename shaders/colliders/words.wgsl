// First, where there are many colliders, the nodes of their tree (colliders/find_near.wgsl), then the surfaces of the bodies, since no kernel may see
// more than eight buffers, then the distances of all grids and the heights of all height fields, m, x running fastest. Words: a device may
// change the bits of what is no usual number. Scenes with neither fields nor tree have colliders/surfaces.wgsl.

@group(0) @binding(7) var<storage, read> samples: array<u32>;

const BOUND_WORDS: u32 = 8u;
const SURFACE_WORDS: u32 = 7u;

fn sample(at: u32) -> f32 {
    return bitcast<f32>(samples[at]);
}

fn surface_of(body: u32) -> Surface {
    let at = nodes() * BOUND_WORDS + body * SURFACE_WORDS;
    return Surface(
        sample(at), sample(at + 1u), sample(at + 2u), sample(at + 3u),
        samples[at + 4u], samples[at + 5u], sample(at + 6u),
    );
}
