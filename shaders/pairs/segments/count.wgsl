// Before each sweep: which contacts push in it, and by how many the mass of each particle is split: by all whose end it is,
// and by its own as by one, since it goes through them one after another.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(9) var<storage, read> d: array<vec3f>;
@group(0) @binding(10) var<storage, read> e: array<vec3f>;

fn way_of(i: u32) -> vec3f {
    return d[i] - e[i];
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0) {
        return;
    }
    balls[i].way = way_of(i);
    atomicStore(&segment_sums[WORDS * i + PRESSING], 0);
    var own = 0;
    var at = segment_heads[i];
    while (at != NONE) {
        var contact = segment_contacts[at];
        if ((batch.visit & OPENS) != 0u) {
            contact.lambda = 0.0;
            contact.tangential = vec3f(0.0);
        }
        contact.state = WAITING;
        contact.pushed = vec3f(0.0);
        let ends = ends_of(line_of(contact));
        if (look(i, vec3f(0.0), &contact) < NEVER) {
            own = 1;
            // At one end it does not move the other.
            atomicAdd(&segment_sums[WORDS * ends.x + COUNT], select(0, 1, contact.share < 1.0));
            atomicAdd(&segment_sums[WORDS * ends.y + COUNT], select(0, 1, contact.share > 0.0));
        }
        segment_contacts[at] = contact;
        at = contact.next;
    }
    atomicAdd(&segment_sums[WORDS * i + COUNT], own);
}
