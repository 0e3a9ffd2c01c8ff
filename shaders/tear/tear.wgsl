// Bodies that come apart, surfaces where edges break, solids where faces between tetrahedra do: at the end of each frame what broke
// in it is split, so that no state has a triangle across a broken edge. A corner is 3 t + k for triangle t; a solid is the faces of
// all its tetrahedra. Where something breaks, the corners around a vertex fall into parts that no whole edge, face or tetrahedron
// joins; a part is called by its first corner, its root. The first part of a particle keeps it, each other one takes a spare, in the
// order of vertices and roots: nothing depends on scheduling.
//
// A surface's corner both of whose edges are broken is loose: nothing holds it, and a triangle with a loose corner is dropped. Such
// corners take no spares; their mass stays where it was. A tetrahedron is held by itself.

struct Tear {
    changed: atomic<u32>,   // 1 if an edge or face broke that had not
    splitting: u32,         // 1 if this frame splits
    free: u32,              // the first spare that is free for this frame's splits
    taken: u32,             // spares in use after them
    capacity: u32,          // spares that there are
    first_spare: u32,       // slot of the first
    vertices: u32,          // of all tearable bodies
    joints: u32,            // edges and faces that may break
}

struct TearVertex {
    torn: atomic<u32>,      // 1 if one of its edges or faces has just broken
    wanted: u32,            // spares that its parts ask for
    first: u32,             // how many the vertices before it ask for
}

// What a corner belongs to. Corners with one particle have one label: a corner that has it, whichever.
struct Hold {
    particle: u32,          // slot
    root: u32,              // of its part as joints are now, or LOOSE
    label: u32,
    claimed: u32,           // at a label: 1 once a part of this frame keeps its particle
    before: f32,            // at a label: the shares of mass that its particle had before the split
    after: f32,             // and has after it
}

const LOOSE: u32 = 0xffffffffu;
