// A node of a coarse net over a sheet, at whatever level; see src/plan/levels/ for what levels are.
struct Node {
    place: vec3f,           // X - c, m: relative to the particle at its centre, whose place c is on the lattice
    inverse_mass: f32,      // 1/kg
    correction: vec3f,      // Y, m
    centre: u32,            // slot of a particle
}
