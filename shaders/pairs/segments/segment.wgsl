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
