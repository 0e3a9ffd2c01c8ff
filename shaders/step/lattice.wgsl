// Fits the lattice where more follows than a prediction.

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    fit(item(id));
}
