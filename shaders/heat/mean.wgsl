// The sums of fixed point as heats: 0 to 1, or -1 where there is no element.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    // Above 65,535 groups the dispatch folds to two axes.
    let slot = id.x + id.y * groups.x * 256u;
    if (slot >= arrayLength(&heat_sums)) {
        return;
    }
    let sum = atomicLoad(&heat_sums[slot]);
    let heat = select(-1.0, min(f32(sum) / UNIT, 1.0), sum > 0u);
    atomicStore(&heat_sums[slot], bitcast<u32>(heat));
}
