// At the start of a frame: if a particle has left the lattice (|x| >= 2²⁴ q), q is quadrupled until all are well inside, and x and
// e are split anew. Decided here and not by the host, so that the result does not depend on when the host hears of it.

@group(0) @binding(6) var<storage, read_write> lattice: array<f32>;
@group(0) @binding(7) var<storage, read_write> status: Status;

fn fit(i: u32) {
    // Last frame's q is the other entry: every thread may read it while one writes this frame's.
    let old = lattice[1u - substep.lattice_slot];
    var q = old;
    let extent = bitcast<f32>(atomicLoad(&status.extent));
    while (extent >= q * LATTICE_STEPS) {
        q *= 4.0;
    }
    if (i == 0u) {
        lattice[substep.lattice_slot] = q;
        atomicStore(&status.contacts, 0u);
    }
    if (q == old || i >= batch.count) {
        return;
    }
    let before = position(i);
    let steps = round(before.xyz / q);
    set_below(i, below(i) + fma(steps, vec3f(-q), before.xyz));
    place(i, vec4f(steps * q, before.w));
}
