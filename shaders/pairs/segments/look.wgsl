// Whether a particle and a segment begin to push each other in a substep (law/segment.wgsl).

@group(0) @binding(4) var<storage, read> segments: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> segment_contacts: array<SegmentContact>;
@group(0) @binding(6) var<storage, read> segment_heads: array<u32>;

// The ends of a contact's segment, as they are kept.
fn line_of(contact: SegmentContact) -> vec2u {
    return segments[contact.segment >> 1u];
}

// At which the two touch, m: what was placed in each other, as far apart as it was (but for a hair: src/model/touch.rs).
fn distance_of(i: u32, ends: vec2u, contact: SegmentContact) -> f32 {
    let sum = balls[i].radius + balls[ends.x].radius;
    if ((contact.segment & 1u) == 0u) {
        return sum;
    }
    let first = balls[ends.x].placed;
    return min(sum, nearest_of(balls[i].placed - first, balls[ends.y].placed - first).apart / PLACED_APART);
}

fn relative(i: u32, moved: vec3f, contact: SegmentContact) -> Relative {
    let ends = ends_of(line_of(contact));
    let way = way_of(ends.x);
    return Relative(
        apart_at_start(balls[i], balls[ends.x]),
        distance_of(i, ends, contact),
        (way_of(i) - way) + moved,
        apart_at_start(balls[ends.y], balls[ends.x]),
        way_of(ends.y) - way,
    );
}

fn segment_value(ways: Relative, n: vec3f, share: f32) -> f32 {
    return dot(n, (ways.start + ways.way) - share * (ways.edge + ways.edge_way)) - ways.distance;
}

// Whether a particle touches a segment at this end: where two ends meet, what is in the higher slot touches the segment of
// the other.
fn touched_at(i: u32, end: u32) -> bool {
    return (end & OWNED) != 0u && ((balls[i].body & OF_SEGMENT) == 0u || i > (end & ~OWNED));
}

// When they begin to push each other, or NEVER; what pressed before goes on. `moved`: by how much more the particle went.
fn look(i: u32, moved: vec3f, contact: ptr<function, SegmentContact>) -> f32 {
    if ((*contact).lambda > 0.0) {
        return 0.0;
    }
    let segment = line_of(*contact);
    let ways = relative(i, moved, *contact);
    let found = meeting(ways);
    if (found.time == NEVER) {
        return NEVER;
    }
    let met = found.place;
    (*contact).normal = met.normal;
    (*contact).share = met.share;
    let counts = (met.share > 0.0 || touched_at(i, segment.x)) && (met.share < 1.0 || touched_at(i, segment.y));
    return select(NEVER, found.time, counts && segment_value(ways, met.normal, met.share) < 0.0);
}
