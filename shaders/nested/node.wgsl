// A node of a coarse net over a sheet, at whatever level; see src/plan/levels/ for what levels are.
struct Node {
    place: vec3f,           // X - c before anything moves it, m: relative to the particle at its centre, whose place c is on the lattice
    inverse_mass: f32,      // 1/kg
    step: vec3f,            // Y, m: what it hands on of what it moves
    centre: u32,            // slot of a particle
    moved: vec3f,           // what sweeps have moved it by, m
    unused: u32,
}
