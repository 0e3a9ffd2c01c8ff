// The walls of particles: half-spaces behind planes, full of fluid. Of each the nearest MOST.

const MOST: u32 = 3u;
const NO_WALL: u32 = 0xffffffffu;

struct WallPlane {
    normal: vec3f,      // out of the solid
    offset: f32,        // the gap to a place is offset + normal · place, m
    carried: vec3f,     // the way of the surface in the substep, m
    wall: u32,          // which collider and face, or NO_WALL of the first that is none
}

// What others have to know of them.
struct Mirrors {
    gaps: vec3f,        // m, at least 0
    count: u32,
    walls: vec3u,
}
