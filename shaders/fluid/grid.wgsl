// The cells of what takes part in fluids, as wide as neighbours may be apart, in as many buckets as there are particles
// or a few more. A step along x leads to the next bucket, one along y or z by a fixed number of buckets on: so the
// three cells of a row lie side by side. The numbers are such that no two of the 27 cells about a particle share a
// bucket (src/pass/fluid/gpu/grid.rs). Far cells do: who is in one is told apart by the distance.
//
// One buffer of words: the header, then for each bucket where its particles begin in the order. The order is by
// buckets, and within one by the numbers of particles, so that no sum depends on scheduling.

const MASK: u32 = 0u;           // buckets less one; their number is a power of two
const COUNT: u32 = 1u;          // of what takes part
const STEP_Y: u32 = 2u;         // buckets
const STEP_Z: u32 = 3u;
const ORIGIN: u32 = 4u;         // what places are relative to, on the lattice, m: three words
const SUPPORT: u32 = 7u;        // H, m
const INVERSE: u32 = 8u;        // of the kernel
const PEAK: u32 = 9u;
const STEEP: u32 = 10u;
const LEAST_SLOPE: u32 = 11u;   // that counts, over w, 1/m²
const CORE: u32 = 12u;          // of what rubs, m²
const PAIR_VISCOSITY: u32 = 13u;    // κ of a pair over viscosity, shares and rubbing()
const WALL_VISCOSITY: u32 = 14u;    // κ of a wall over viscosity and Φ
const TENSION_LEAST: u32 = 15u;     // of surface tension: law/fluid.wgsl
const TENSION_STEEP: u32 = 16u;
const TENSION_COHESION: u32 = 17u;
const TENSION_AREA: u32 = 18u;
const TENSION_SOFTNESS: u32 = 19u;
const TENSION_VOLUME: u32 = 20u;
const TENSION_WETTING: u32 = 21u;
const TENSION_SHARE: u32 = 22u;
const HEADER: u32 = 24u;

// Cells hold a dozen particles. Beyond this bound the search would take for ever: the host is told.
const MOST_IN_BUCKET: u32 = 4096u;

fn header(at: u32) -> f32 {
    return bitcast<f32>(word(at));
}

fn origin() -> vec3f {
    return vec3f(header(ORIGIN), header(ORIGIN + 1u), header(ORIGIN + 2u));
}

// Where the particles of a bucket begin and end.
fn bucket_range(bucket: u32) -> vec2u {
    let last = bucket == word(MASK);
    let begin = word(HEADER + bucket);
    if (last) {
        return vec2u(begin, word(COUNT));
    }
    return vec2u(begin, word(HEADER + bucket + 1u));
}
