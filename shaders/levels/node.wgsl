// A node of a coarse net over a sheet, at whatever level; see src/plan/levels/ for what levels are.
struct Node {
    place: vec3f,           // X - c before anything moves it, m: relative to the particle at its centre
    inverse_mass: f32,      // 1/kg
    at: vec3f,              // c, on the lattice
    centre: u32,            // slot of that particle
    step: vec3f,            // Y, m: what it hands on of what it moves
    unused0: u32,
    moved: vec3f,           // what sweeps have moved it by, m, where no workgroup keeps that by itself
    unused1: u32,
}
