// Velocities of what pressed: they part as told, one contact of a particle after another by their segments, and contacts then have what they pressed with in
// all (law/impact.wgsl).

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(9) var<storage, read> u: array<vec3f>;
@group(0) @binding(10) var<storage, read_write> status: Status;

fn way_of(i: u32) -> vec3f {
    return balls[i].way;
}

fn split_of(i: u32) -> f32 {
    return split(balls[i].inverse_mass, f32(atomicLoad(&segment_sums[WORDS * i + PRESSING])));
}

// Where the contact is that presses on the first segment from this one on.
fn next_of(i: u32, least: u32) -> u32 {
    var found = NONE;
    var first = NONE;
    var at = segment_heads[i];
    while (at != NONE) {
        let segment = segment_contacts[at].segment;
        if (segment_contacts[at].lambda > 0.0 && segment >= least && segment < first) {
            found = at;
            first = segment;
        }
        at = segment_contacts[at].next;
    }
    return found;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    let closes = substep.index + 1u == substep.count;
    if (i == 0u) {
        let wanted = segment_heads[batch.count];
        atomicMax(&status.segments, wanted);
        let room = arrayLength(&segment_contacts);
        atomicMax(&status.missing_contacts, select(0u, wanted - room, wanted > room));
    }
    if (i >= batch.count || balls[i].radius == 0.0) {
        return;
    }
    var change = vec3f(0.0);
    var pressing = 0u;
    var next = next_of(i, 0u);
    while (next != NONE) {
        let contact = segment_contacts[next];
        let ends = ends_of(line_of(contact));
        let n = contact.normal;
        let share = contact.share;
        let weight = split_of(i) + (1.0 - share) * (1.0 - share) * split_of(ends.x) + share * share * split_of(ends.y);
        let now = dot(n, ((u[i] - u[ends.x]) + change) - share * (u[ends.y] - u[ends.x]));
        let impact = impact_of_two(contact.approach, contact.restitution);
        let push = n * (change_of(impact, weight * contact.lambda, now) / weight);
        let told = told_of(vec4f(contact.tangential, contact.lambda), impact, weight, now);
        segment_contacts[next].tangential = told.xyz;
        segment_contacts[next].lambda = told.w;
        change += balls[i].inverse_mass * push;
        add_to_ends(ends, share, push);
        segment_contacts[next].state = PRESSED;
        pressing += 1u;
        next = next_of(i, contact.segment + 1u);
    }
    add(i, change);
    if (closes && pressing > 0u) {
        atomicAdd(&status.contacts, pressing);
    }
}
