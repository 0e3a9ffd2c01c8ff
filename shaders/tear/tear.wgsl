// Surfaces that come apart where their edges break: at the end of each frame what broke in it is split, so that no state has a
// triangle across a broken edge. A corner is 3 t + k for triangle t, as in the list of indices, which says what particle each
// corner has. Where edges break, the corners around a vertex fall into parts that no whole edge joins; a part is called by its
// first corner, its root. The vertex's first part keeps the particle, each other one takes a spare, in the order of vertices
// and roots: nothing depends on scheduling.

struct Tear {
    changed: atomic<u32>,   // 1 if an edge broke that had not
    splitting: u32,            // 1 if this frame splits
    free: u32,              // the first spare that is free for this frame's splits
    taken: u32,             // spares in use after them
    capacity: u32,          // spares that there are
    first_spare: u32,       // slot of the first
    vertices: u32,          // of all tearable surfaces
    reserved: u32,
}

struct TearVertex {
    torn: atomic<u32>,      // 1 if one of its edges has just broken
    wanted: u32,            // spares that its parts ask for
    first: u32,             // how many the vertices before it ask for
}

// What a corner belongs to.
struct Hold {
    root: u32,              // of its part, as its edges are now
    holder: u32,            // the root of the part whose particle it has; another one while that part waits for a spare
    before: f32,            // at a holder: the shares of mass that its particle had before the split
    after: f32,             // and has after it
}
