// On request: the contacts that pressed in a substep, with what they pressed with in all, against the nearer end with OF_SEGMENT.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;

fn way_of(i: u32) -> vec3f {
    return balls[i].way;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0) {
        return;
    }
    var at = segment_heads[i];
    while (at != NONE) {
        let contact = segment_contacts[at];
        at = contact.next;
        if (contact.state == PRESSED) {
            let ends = ends_of(line_of(contact));
            let end = select(ends.x, ends.y, contact.share > 0.5);
            note(i, end | OF_SEGMENT, contact.normal, contact.lambda, contact.tangential);
        }
    }
}
