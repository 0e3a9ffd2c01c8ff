// Where a particle and a segment first touch, the twin of src/law/segment.rs, which has the reasons.

// The nearest point of a segment from its first end, both relative to that.
struct Nearest {
    normal: vec3f,
    share: f32,
    apart: f32,
}

// A direction across a segment: in the plane of x and y where that can be.
fn side_of(edge: vec3f) -> vec3f {
    let across = vec3f(edge.y, -edge.x, 0.0);
    let size = length(across);
    return select(vec3f(1.0, 0.0, 0.0), across / size, size > 0.0);
}

fn nearest_of(place: vec3f, edge: vec3f) -> Nearest {
    let squared = dot(edge, edge);
    var share = 0.0;
    if (squared > 0.0) {
        share = clamp(dot(place, edge) / squared, 0.0, 1.0);
    }
    let off = place - share * edge;
    let apart = length(off);
    return Nearest(select(side_of(edge), off / apart, apart > 0.0), share, apart);
}

const STEPS: u32 = 8u;
const CLOSE: f32 = 1e-3;
const NEVER: f32 = 2.0;

// A particle and a segment as a substep begins, and their ways so far: all relative to the segment's first end, m.
struct Relative {
    start: vec3f,
    distance: f32,      // at which they touch
    way: vec3f,
    edge: vec3f,        // from the first end to the second
    edge_way: vec3f,
}

// When a plane is reached of this gap and the speed with which it closes.
fn until(gap: f32, closing: f32) -> f32 {
    return select(1.0, gap / closing, closing > 0.0);
}

// Where the two first touch on their ways.
struct Meeting {
    time: f32,          // as a share of the substep, or NEVER
    place: Nearest,
}

fn meeting(ways: Relative) -> Meeting {
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
            return Meeting(NEVER, met);
        }
    }
    return Meeting(time, met);
}
