// A step of the viscous iteration, (1 + h M⁻¹ L) v = v₀: law/fluid.wgsl. From step to step two lists of ways, and two
// numbers ρ, change places.

override FIRST: bool = false;
override ODD: bool = false;

@group(0) @binding(7) var<storage, read_write> fluid_rubbing: array<u32>;   // bits of what rubs most, and of ρ of even and odd steps
@group(0) @binding(9) var<storage, read_write> fluid_ways: array<Way>;
@group(0) @binding(10) var<storage, read> fluid_ways_before: array<vec3f>;
@group(0) @binding(11) var<storage, read_write> fluid_ways_after: array<vec3f>;

var<private> mine: vec3f;
var<private> force: vec3f;

fn way_of(j: u32) -> vec3f {
    if (FIRST) {
        return fluid_ways[j].start;
    }
    return fluid_ways_before[j];
}

fn meet(j: u32, weight: f32, way: vec3f, squared: f32) {
    let along = dot(way, way_of(j) - mine) / max(squared, 1e-37);
    force += way * (kappa_of(j, squared) * along);
}

fn factors() -> vec3f {
    let largest = bitcast<f32>(fluid_rubbing[0]);
    if (FIRST) {
        return chebyshev_first(largest);
    }
    return chebyshev_step(largest, bitcast<f32>(fluid_rubbing[select(2u, 1u, ODD)]));
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let own = item(id);
    if (own >= batch.count) {
        return;
    }
    me = fluid_wet[own];
    load_kernel();
    let place = fluid_places[own];
    mine = way_of(own);
    walk(own, place.xyz);
    for (var k = 0u; has_wall(own, k); k += 1u) {
        let plane = fluid_planes[MOST * own + k];
        let slip = plane.carried - mine;
        force += kappa_of_wall(plane, place.xyz) * (slip - dot(plane.normal, slip) * plane.normal);
    }
    let by = factors();
    let left = fluid_ways[own].start - mine + substep.seconds * place.w * force;
    let change = by.x * fluid_ways[own].change + by.y * left;
    fluid_ways[own].change = change;
    fluid_ways_after[own] = mine + change;
    if (own == 0u) {
        fluid_rubbing[select(1u, 2u, ODD)] = bitcast<u32>(by.z);
    }
}
