// Where a particle and a segment first touch on their ways in a substep: src/law/segment.rs. All is relative to the
// segment's first end.

@group(0) @binding(4) var<storage, read> segments: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> segment_contacts: array<SegmentContact>;
@group(0) @binding(6) var<storage, read> segment_heads: array<u32>;

const STEPS: u32 = 8u;
const CLOSE: f32 = 1e-3;
const NEVER: f32 = 2.0;

struct Relative {
    start: vec3f,
    distance: f32,
    way: vec3f,
    edge: vec3f,        // from the first end to the second
    edge_way: vec3f,
}

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

// When a plane is reached of this gap and the speed with which it closes.
fn until(gap: f32, closing: f32) -> f32 {
    return select(1.0, gap / closing, closing > 0.0);
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
    var time = 0.0;
    var met: Nearest;
    for (var k = 0u; k < STEPS; k += 1u) {
        let place = ways.start + time * ways.way;
        let edge = ways.edge + time * ways.edge_way;
        met = nearest_of(place, edge);
        if (met.apart < ways.distance * (1.0 + CLOSE)) {
            break;
        }
        let n = met.normal;
        let first = until(dot(n, place) - ways.distance, -dot(n, ways.way));
        let second = until(dot(n, place - edge) - ways.distance, -dot(n, ways.way - ways.edge_way));
        time += min(first, second);
        if (!(time < 1.0)) {
            return NEVER;
        }
    }
    (*contact).normal = met.normal;
    (*contact).share = met.share;
    let counts = (met.share > 0.0 || touched_at(i, segment.x)) && (met.share < 1.0 || touched_at(i, segment.y));
    return select(NEVER, time, counts && segment_value(ways, met.normal, met.share) < 0.0);
}
