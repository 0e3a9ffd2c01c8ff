// What rubs most on a particle, h w (2 Σ κ + Σ κ of walls): the largest eigenvalue of viscosity is no more than that.
// And the ways with which the viscous iteration begins.

@group(0) @binding(7) var<storage, read_write> fluid_rubbing: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read> u: array<vec3f>;
@group(0) @binding(9) var<storage, read_write> fluid_ways: array<Way>;

var<private> rubs: f32;
var<workgroup> most: atomic<u32>;

fn meet(j: u32, weight: f32, way: vec3f, squared: f32) {
    rubs += 2.0 * kappa_of(j, squared);
}

fn weighed(own: u32) -> f32 {
    me = fluid_wet[own];
    fluid_ways[own].start = u[me.slot];
    fluid_ways[own].change = vec3f(0.0);
    load_kernel();
    let place = fluid_places[own];
    walk(own, place.xyz);
    for (var k = 0u; has_wall(own, k); k += 1u) {
        rubs += kappa_of_wall(fluid_planes[MOST * own + k], place.xyz);
    }
    return substep.seconds * place.w * rubs;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        atomicStore(&most, 0u);
    }
    workgroupBarrier();
    let own = item(id);
    if (own < batch.count) {
        let mine = weighed(own);
        // Of numbers that are not negative the bits have their order; what is none is left out.
        if (is_finite(mine) && mine > 0.0) {
            atomicMax(&most, bitcast<u32>(mine));
        }
    }
    workgroupBarrier();
    if (thread == 0u) {
        atomicMax(&fluid_rubbing[0], atomicLoad(&most));
    }
}
