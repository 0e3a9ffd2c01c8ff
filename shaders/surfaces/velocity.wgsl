// Velocities of what pressed: they part as told, colour after colour, and contacts then have what they pressed with in
// all (law/impact.wgsl).

@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(11) var<storage, read_write> status: Status;

var<workgroup> pressing: atomic<u32>;

fn act(i: u32) {
    let contact = surface_contacts.list[i];
    if (!(contact.lambda > 0.0)) {
        return;
    }
    let v = contact.vertices;
    let masses = masses_of(v);
    let weight = contact_weight(contact.weights, masses);
    let now = dot3(contact.axis, weighted(contact.weights, Places(u[v.x], u[v.y], u[v.z], u[v.w])));
    let impact = impact_of_two(contact.approach, contact.restitution);
    let change = change_of(impact, weight * contact.lambda, now) / weight;
    let told = told_of(vec4f(contact.tangential, contact.lambda), impact, weight, now);
    surface_contacts.list[i].tangential = told.xyz;
    surface_contacts.list[i].lambda = told.w;
    surface_contacts.list[i].pressed = 1u;
    atomicAdd(&pressing, 1u);
    for (var k = 0u; k < 4u; k += 1u) {
        if (masses[k] > 0.0) {
            u[v[k]] += contact.axis * (change * contact.weights[k] * masses[k]);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) {
        atomicStore(&pressing, 0u);
    }
    workgroupBarrier();
    each_colour(lane);
    workgroupBarrier();
    if (lane == 0u && substep.index + 1u == substep.count) {
        atomicAdd(&status.contacts, atomicLoad(&pressing));
        atomicStore(&status.surfaces_held, atomicLoad(&surface_contacts.held));
        atomicStore(&status.surfaces_forced, atomicLoad(&surface_contacts.forced));
    }
    if (lane == 0u) {
        let most = surface_contacts.most;
        atomicMax(&status.surface_pairs, most);
        atomicMax(&status.missing_contacts, select(0u, most - room(), most > room()));
        if (atomicLoad(&surface_contacts.crowded) != 0u) {
            atomicOr(&status.flags, CROWDED);
        }
    }
}
