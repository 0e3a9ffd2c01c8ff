// What a sheet with levels that can break is made of, for what its constraints bear; see src/measure/cords.rs and src/reference/bearing.rs.

// A constraint that holds it together.
struct Cord {
    along: vec3f,       // ∇C at the first; zero where it bears nothing
    root: f32,          // K, over that of the stiffest
    ends: vec2u,        // knots
    place: u32,         // of its multiplier
    parted: u32,        // 1: broken, and nothing else joins its ends; AWAY: a tear gave it another particle
    // All sums of λ over the frame, as multipliers have them:
    kept: f32,          // of the frame before
    share: f32,         // y
    way: f32,           // of the conjugate gradients
    gradient: f32,
}

const AWAY: u32 = 2u;

// A particle or a node of a level.
struct Knot {
    force: vec3f,
    softness: f32,      // 1/D; zero where fixed
    place: vec3f,       // M⁻¹ of the forces
    inverse_mass: f32,  // of a node that is not switched off, 1/kg
    misfit: vec3f,      // M⁻¹ of what is not borne
    index: u32,         // a particle's slot, a node's index
}

// Where the rows of each knot begin, two each, and the end of the last. First what is below it: of a particle its cords, as 2 index + end, of a node the
// knots of the level below, with their shares in it. Then what is above it: knots of the next level and their shares in this.
@group(0) @binding(2) var<storage, read> cord_rows: array<u32>;
// First for each sheet the range of its ranges; these are of its cords, of its particles, and of the nodes of each level, finest first.
@group(0) @binding(3) var<storage, read> cord_ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> cords: array<Cord>;
@group(0) @binding(5) var<storage, read_write> knots: array<Knot>;

fn meet() {
    storageBarrier();
    workgroupBarrier();
}
