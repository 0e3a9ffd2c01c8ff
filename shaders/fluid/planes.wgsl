// The walls of particles: planes that mirror what is before them. Of each the nearest MOST: three in a corner, and what
// stands there.

const MOST: u32 = 4u;
const NO_WALL: u32 = 0xffffffffu;

struct WallPlane {
    normal: vec3f,      // out of the solid
    offset: f32,        // the gap to a place is offset + normal · place, m
    carried: vec3f,     // the way of the surface in the substep, m
    wall: u32,          // which collider and face, or NO_WALL of the first that is none
}

// What others have to know of them.
struct Mirrors {
    gaps: vec4f,        // m, at least 0
    began: vec4f,       // the gaps as the substep began
    walls: vec4u,       // which they are, then NO_WALL
}

fn gap_of(plane: WallPlane, place: vec3f) -> f32 {
    return max(plane.offset + dot(plane.normal, place), 0.0);
}
