// One sweep: each particle goes through its contacts, those first that it touches first, and sees what each does to it.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(3) var<storage, read> touches: array<BodyTouch>;

// How often a sweep solves a contact of a particle.
const MOST: u32 = 8u;

fn way_of(i: u32) -> vec3f {
    return balls[i].way;
}

// The inverse mass that each contact sees.
fn split_of(i: u32) -> f32 {
    return split(balls[i].inverse_mass, f32(atomicLoad(&segment_sums[WORDS * i + COUNT])));
}

// That of a contact as the substep began.
fn approach_on(i: u32, ends: vec2u, ways: Relative, contact: SegmentContact) -> f32 {
    let start = ways.start - contact.share * ways.edge;
    let first = balls[ends.x].before;
    let speed = (balls[i].before - first) - contact.share * (balls[ends.y].before - first);
    return approach_of(length(start), ways.distance, dot(contact.normal, speed));
}

// After the particle has moved so far in this sweep, and the segment by what the contact did to it.
fn ways_now(i: u32, ends: vec2u, moved: vec3f, contact: SegmentContact) -> Relative {
    let share = contact.share;
    let given = (1.0 - share) * (1.0 - share) * balls[ends.x].inverse_mass + share * share * balls[ends.y].inverse_mass;
    return relative(i, moved + given * contact.pushed, contact);
}

// Solves one; returns by how much it moves a particle of inverse mass 1.
fn press(i: u32, ends: vec2u, moved: vec3f, contact: ptr<function, SegmentContact>) -> vec3f {
    let ways = ways_now(i, ends, moved, *contact);
    let n = (*contact).normal;
    let share = (*contact).share;
    let weight = split_of(i) + (1.0 - share) * (1.0 - share) * split_of(ends.x) + share * share * split_of(ends.y);
    if (!(weight > 0.0)) {
        return vec3f(0.0);
    }
    let touch = touch_of(balls[i], balls[ends.x]);
    let before = vec4f((*contact).tangential, (*contact).lambda);
    let slip = ways.way - share * ways.edge_way;
    (*contact).restitution = touch.restitution;
    (*contact).approach = approach_on(i, ends, ways, *contact);
    let impact = impact_of_two((*contact).approach, touch.restitution);
    let after = pressed_on(before, touch, impact, weight, n, segment_value(ways, n, share), slip);
    (*contact).tangential = after.xyz;
    (*contact).lambda = after.w;
    let push = n * (after.w - before.w) + (after.xyz - before.xyz);
    (*contact).pushed += push;
    add_to_ends(ends, share, push);
    return push;
}

struct Found {
    at: u32,    // NONE where there is none
    contact: SegmentContact,
}

// Which of those that were not solved touches first: the lower segment of two at once.
fn first_of(i: u32, moved: vec3f) -> Found {
    var found = Found(NONE, SegmentContact());
    var first = NEVER;
    var at = segment_heads[i];
    while (at != NONE) {
        var contact = segment_contacts[at];
        if (contact.state == WAITING) {
            let time = look(i, moved, &contact);
            if (time < first || (time < NEVER && time == first && contact.segment < found.contact.segment)) {
                found = Found(at, contact);
                first = time;
            }
        }
        at = contact.next;
    }
    return found;
}

// Which of those that were solved others have pushed in again, and farthest: in corners.
fn deepest_of(i: u32, moved: vec3f) -> Found {
    var found = Found(NONE, SegmentContact());
    var deepest = 0.0;
    var at = segment_heads[i];
    while (at != NONE) {
        let contact = segment_contacts[at];
        if (contact.state == SOLVED) {
            let ways = ways_now(i, ends_of(line_of(contact)), moved, contact);
            let value = segment_value(ways, contact.normal, contact.share);
            let deeper = value < deepest || (value == deepest && contact.segment < found.contact.segment);
            if (value < -CLOSE * ways.distance && deeper) {
                found = Found(at, contact);
                deepest = value;
            }
        }
        at = contact.next;
    }
    return found;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || segment_heads[i] == NONE) {
        return;
    }
    var moved = vec3f(0.0);
    for (var turn = 0u; turn < MOST; turn += 1u) {
        var found = first_of(i, moved);
        if (found.at == NONE) {
            found = deepest_of(i, moved);
        }
        if (found.at == NONE) {
            break;
        }
        var contact = found.contact;
        moved += balls[i].inverse_mass * press(i, ends_of(line_of(contact)), moved, &contact);
        contact.state = SOLVED;
        segment_contacts[found.at] = contact;
    }
    add(i, moved);
    // What presses now, for velocities.
    var own = 0;
    var at = segment_heads[i];
    while (at != NONE) {
        if (segment_contacts[at].lambda > 0.0) {
            let ends = ends_of(line_of(segment_contacts[at]));
            own = 1;
            atomicAdd(&segment_sums[WORDS * ends.x + PRESSING], select(0, 1, segment_contacts[at].share < 1.0));
            atomicAdd(&segment_sums[WORDS * ends.y + PRESSING], select(0, 1, segment_contacts[at].share > 0.0));
        }
        at = segment_contacts[at].next;
    }
    atomicAdd(&segment_sums[WORDS * i + PRESSING], own);
}
