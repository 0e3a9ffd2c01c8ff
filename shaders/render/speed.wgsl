// Heat of the particles by speed.
@group(1) @binding(0) var<storage, read> ways: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> heats: array<f32>;

@compute @workgroup_size(256)
fn speed(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    // Above 65,535 groups the dispatch folds to two axes.
    let slot = id.x + id.y * groups.x * 256u;
    if slot >= arrayLength(&ways) {
        return;
    }
    heats[slot] = min(length(ways[slot].xyz) / (frame.substep * frame.full_speed), 1.0);
}
