// What surfaces know of a vertex, by slots.
struct SurfaceVertex {
    placed: vec3f,          // where the scene put it, from the first slot's place, m
    same: u32,              // the first slot that was placed where it is
    sought: vec3f,          // d when contacts were sought, m
    slack: f32,             // how far it may stray from there, m; 0 where it is on no surface
    wanted: vec3f,          // d before it was held back, m
    level: u32,             // how often it goes half as far
    taken: vec4u,           // the colours that its contacts have, a bit each
    around: u32,            // where the list of faces around it begins
    count: u32,             // and how many there are
    stray: u32,             // the turn in which it strayed last
    held: u32,              // the turn of the substep in which it was held back last
    moved: atomic<u32>,     // the turn in which it was moved last
    claimed: atomic<u32>,   // the turn in which somebody looked whether it strayed
    bid: atomic<u32>,       // the lowest key that was bid for it
    queued: u32,            // an entry of a list of vertices, which has nothing to do with this one
}

const NO_BID: u32 = 0xffffffffu;

@group(0) @binding(9) var<storage, read_write> surface_vertices: array<SurfaceVertex>;

// Contacts are sought as far as this share of the sum of the radii beyond where they touch; a vertex may stray so many
// radii.
const SLACK: f32 = 0.2;

fn placed_at(v: vec4u) -> Places {
    let origin = surface_vertices[v.x].placed;
    let b = surface_vertices[v.y].placed - origin;
    let c = surface_vertices[v.z].placed - origin;
    return Places(vec3f(0.0), b, c, surface_vertices[v.w].placed - origin);
}

// Whether a vertex of a face strayed in this turn.
fn has_strayed(face: vec4u, turn: u32) -> bool {
    return surface_vertices[face.x].stray == turn
        || surface_vertices[face.y].stray == turn
        || surface_vertices[face.z].stray == turn;
}
