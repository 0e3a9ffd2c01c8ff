// Ends a substep. If nothing corrects velocities in between, the next substep begins at once: that saves a dispatch and half of
// the particle's loads.

override BEGINS_NEXT: bool = false;

@group(0) @binding(6) var<storage, read> lattice: array<f32>;       // q, m: this frame's and the next one's
@group(0) @binding(7) var<storage, read_write> status: Status;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let q = lattice[substep.lattice_slot];
    let before = position(i);
    let after = settled(before.xyz, displacement(i), below(i), q);
    var way = after.way;
    var past: Past;
    if (BDF2) {
        past = passed(way_before(i), way, past_of(i));
        way = way_before(i) + past.change;
        keep(i, past);
    }
    watch(i, way, after.position, q);
    place(i, vec4f(after.position, before.w));
    set_below(i, after.rest);
    // Where the next substep begins at once nobody reads u before the next finish, but BDF2 there.
    if (BEGINS_NEXT && BDF2) {
        set_way(i, way);
        begin(i, before.w, after.rest, way, past, vec3f(0.0), substep.index + 1u);
    } else if (BEGINS_NEXT) {
        displace(i, after.rest + predicted(i, before.w, way, substep.index + 1u));
    } else {
        set_way(i, way);
    }
}
