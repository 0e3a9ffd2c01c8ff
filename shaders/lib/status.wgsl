// What the device tells the host, a frame or two late. Flags stay up once raised.

struct Status {
    flags: atomic<u32>,
    particle: atomic<u32>,  // the lowest slot that raised a flag
    extent: atomic<u32>,    // bits of the largest |coordinate| seen beyond the lattice, m
    contacts: atomic<u32>,  // that pressed in the last substep
    spares: atomic<u32>,    // spare particles that tears have asked for
    pairs: atomic<u32>,     // entries that the lists of pairs would have taken at most
    shared_contacts: atomic<u32>,   // slots that contacts with many colliders would have taken at most of those that all particles share
    missing_contacts: atomic<u32>,  // and how many of these, or of those with segments, were not there, at most
    segments: atomic<u32>,  // contacts with segments that the lists would have taken at most
    surface_pairs: atomic<u32>,     // and of features of surfaces
    surfaces_held: atomic<u32>,     // vertices of surfaces that were held back in the last frame
    surfaces_forced: atomic<u32>,   // and pairs of features of which none could yield
}

const NOT_FINITE: u32 = 1u;
const RUNAWAY: u32 = 2u;
const CROWDED: u32 = 4u;
const RUNAWAY_SPEED: f32 = 1e6; // m/s

// Coordinates below so many lattice steps are exact.
const LATTICE_STEPS: f32 = 16777216.0;

// By the bits: fast maths may assume that there are no infinities and no NaNs.
fn is_finite(value: f32) -> bool {
    return (bitcast<u32>(value) & 0x7f800000u) != 0x7f800000u;
}
