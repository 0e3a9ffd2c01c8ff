// A node of a coarse net over a sheet, at whatever level; see src/plan/levels/ for what levels are.
struct Node {
    place: vec3f,           // X - c, m: relative to the particle at its centre, whose place c is on the lattice
    inverse_mass: f32,      // 1/kg, as its children are now; PARTED where something has come apart below: it neither pulls nor moves
    correction: vec3f,      // Y, m
    centre: u32,            // slot of a particle
}

const PARTED: f32 = -1.0;

// What a node is made of: the mean of its free children by its shares of their masses; of the fixed ones of which it has half, where
// there are any, for then it stands still with them.
struct Gathering {
    free: vec4f,            // Σ m P x, and Σ m P
    held: vec4f,            // Σ P x, and Σ P
    parted: bool,
}

fn with_child(sum: Gathering, place: vec3f, inverse_mass: f32, share: f32) -> Gathering {
    let is_free = inverse_mass > 0.0;
    let free = select(0.0, share / select(1.0, inverse_mass, is_free), is_free);
    let held = select(0.0, share, inverse_mass == 0.0 && share >= 0.5);
    return Gathering(
        sum.free + free * vec4f(place, 1.0),
        sum.held + held * vec4f(place, 1.0),
        sum.parted || inverse_mass < 0.0,
    );
}

// Where the node is, and its inverse mass. `first` is the place of its first child.
fn gathered(sum: Gathering, first: vec3f) -> vec4f {
    if (sum.parted) {
        return vec4f(vec3f(0.0), PARTED);
    }
    if (sum.held.w > 0.0) {
        return vec4f(sum.held.xyz / sum.held.w, 0.0);
    }
    if (sum.free.w > 0.0) {
        return vec4f(sum.free.xyz / sum.free.w, 1.0 / sum.free.w);
    }
    return vec4f(first, 0.0);
}
