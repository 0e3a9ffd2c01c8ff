// A particle that touches the segment between two others: src/law/segment.rs, and there is why. Contacts of a
// particle are a list, newest first. Its order is that of scheduling; nothing depends on it, since a particle goes through
// them by when they touch, and what they do to others is summed in whole numbers (sums.wgsl).

struct SegmentContact {
    normal: vec3f,      // from the segment to the particle
    share: f32,         // of the segment, where they touch
    tangential: vec3f,  // λ of friction
    lambda: f32,
    segment: u32,       // twice its index, and one more where the two were placed closer than they touch
    next: u32,          // of the same particle, or NONE
    state: u32,         // WAITING, SOLVED in this sweep, or when all is over PRESSED
    restitution: f32,
    pushed: vec3f,      // in this sweep: what moves a particle of inverse mass 1
    approach: f32,      // h times the relative normal velocity before the substep, m; 0 of what overlapped as it began
}

const WAITING: u32 = 0u;
const SOLVED: u32 = 1u;
const PRESSED: u32 = 2u;

// An end of a segment, by its slot, with OWNED where the segment is touched there, too: at the first segment of which it is
// an end.
const OWNED: u32 = 0x80000000u;

fn ends_of(segment: vec2u) -> vec2u {
    return segment & vec2u(~OWNED);
}

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
