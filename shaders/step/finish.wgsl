// Ends a substep. If nothing corrects velocities in between, the next substep begins at once: that saves a dispatch and half of
// the particle's loads.

override BEGINS_NEXT: bool = false;

@group(0) @binding(2) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(4) var<storage, read_write> e: array<vec3f>;
@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;       // m
@group(0) @binding(6) var<storage, read> lattice: array<f32>;       // q, m: this frame's and the next one's
@group(0) @binding(7) var<storage, read_write> status: Status;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let q = lattice[substep.lattice_slot];
    let before = x[i];
    let after = settled(before.xyz, d[i], e[i], q);
    var way = after.way;
    var past: Past;
    if (BDF2) {
        past = passed(u[i], way, past_of(i));
        way = u[i] + past.change;
        keep(i, past);
    }
    watch(i, way, after.position, q);
    place(i, vec4f(after.position, before.w));
    e[i] = after.rest;
    // Where the next substep begins at once nobody reads u before the next finish, but BDF2 there.
    if (BEGINS_NEXT && BDF2) {
        u[i] = way;
        begin(i, before.w, after.rest, way, past, vec3f(0.0), substep.index + 1u);
    } else if (BEGINS_NEXT) {
        d[i] = after.rest + predicted(i, before.w, way, substep.index + 1u);
    } else {
        u[i] = way;
    }
}
