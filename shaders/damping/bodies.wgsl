// Damped bodies and what their particles are to them: shared by the three kernels of damping. The particles of a body lie in
// chunks, one for each workgroup, of which the last may be shorter.

struct Damped {
    first_chunk: u32,
    chunks: u32,
    reference: u32,     // a slot: places and ways are taken relative to this particle's
    share: f32,         // of the deformation that one substep takes away, 1 - e^(-k h)
}

struct Chunk {
    first: u32,         // in the list of slots
    count: u32,
    body: u32,          // in the list of damped bodies
}

// The rigid motion of a body over a substep: what is at r from the origin goes base + way + turn × r.
struct RigidMotion {
    origin: vec3f,      // on the lattice, m
    share: f32,
    base: vec3f,        // the reference particle's way, m: differences from it are small and exact
    reserved0: u32,
    way: vec3f,         // m
    reserved1: u32,
    turn: vec3f,        // rad
    reserved2: u32,
}
