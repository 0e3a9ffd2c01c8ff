// Fits the lattice and begins the first substep of a frame, of particles on which nothing but gravity acts: as lattice.wgsl and predict.wgsl, in one dispatch.

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    fit(i);
    if (i < batch.count) {
        var none: Drive;
        displace(i, below(i) + displaced(none, position(i).w, way_before(i)));
    }
}
