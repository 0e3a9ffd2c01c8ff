// The solver's particles by slot, for what is drawn without a vertex buffer.
/// Position in m, inverse mass.
@group(2) @binding(0) var<storage, read> positions: array<vec4f>;
/// 0 to 1.
@group(2) @binding(1) var<storage, read> heats: array<f32>;
/// Way of a substep in m.
@group(2) @binding(2) var<storage, read> ways: array<vec4f>;

fn local_position(slot: u32) -> vec3f {
    return positions[slot].xyz - frame.origin;
}

/// -1 where bodies show their colours.
fn shown_heat(slot: u32) -> f32 {
    return select(-1.0, heats[slot], frame.heated > 0.0);
}
