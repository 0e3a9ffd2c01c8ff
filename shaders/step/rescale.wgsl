// Keeps velocities where the length of a substep changes: u = h v.

@group(0) @binding(3) var<storage, read_write> u: array<vec3f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i < batch.count) {
        u[i] *= carry.way;
    }
}
