// In place of colliders/words.wgsl where nothing but the surfaces of bodies is looked up.

@group(0) @binding(7) var<storage, read> surfaces: array<Surface>;

fn surface_of(body: u32) -> Surface {
    return surfaces[body];
}
