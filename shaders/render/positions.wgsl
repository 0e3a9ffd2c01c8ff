// The solver's positions (xyz in m, w inverse mass), for what is drawn without a vertex buffer.
@group(2) @binding(0) var<storage, read> positions: array<vec4f>;

fn local_position(slot: u32) -> vec3f {
    return positions[slot].xyz - frame.origin;
}
