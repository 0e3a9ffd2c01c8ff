// Colliders and what touches them: shared by the three contact kernels.

struct Collider {
    place: vec3f,           // of the origin of its frame at the end of the substep, m
    shape: u32,
    place_low: vec3f,       // what single precision leaves over of the place
    inside: u32,            // 1 for a container: solid outside
    axis_x: vec3f,          // of its frame, in the world
    friction: f32,
    axis_y: vec3f,
    dynamic_friction: f32,
    axis_z: vec3f,
    restitution: f32,
    size: vec3f,            // m, see colliders/shapes.wgsl
    thickness: f32,         // added to the particles' radii, m
    displacement: vec3f,    // of its place over this substep, m
    adhesion: f32,          // N on each particle; below 0 of a trigger, which pushes nothing
    turn: vec3f,            // over this substep: its axis times the sine of half its angle
    groups: u32,            // a bit for the group it is in
    spin: vec3f,            // the same turn as its axis times its angle, rad
    meets: u32,             // a bit for each group with which it collides
    belt: vec3f,            // way of the surface in this substep beside all that, m
    cell: f32,              // width of a grid's cells, m; of heights the share of the distance that is surely free
    nodes: vec3u,           // along a grid's axes x, y and z, or a height field's x and z
    first: u32,             // of its samples
}

const PLANE: u32 = 0u;
const SPHERE: u32 = 1u;
const CAPSULE: u32 = 2u;
const BOX: u32 = 3u;
const CYLINDER: u32 = 4u;
const GRID: u32 = 5u;
const HEIGHTS: u32 = 6u;

// How a body's particles touch.
struct Surface {
    radius: f32,            // m
    friction: f32,
    dynamic_friction: f32,
    restitution: f32,
    groups: u32,            // a bit for the group it is in
    meets: u32,             // a bit for each group with which it collides
    push_out_speed: f32,    // m/s; huge for bodies that begin outside all colliders
}

// A particle against a collider, linear over the substep: C = offset + normal · d.
struct Contact {
    normal: vec3f,
    offset: f32,            // m
    tangential: vec3f,      // accumulated λ of friction; moves the particle by w λ
    lambda: f32,            // accumulated normal λ >= 0
    carried: vec3f,         // the way of the collider's surface in this substep, m
    approach: f32,          // h times the normal velocity relative to the collider before the substep, m
}

// The collider at this substep. All of substep 0 come first, then all of substep 1, ...
fn collider_index(k: u32) -> u32 {
    return substep.index * substep.colliders + k;
}

// The slots that hold a particle's contacts, by ascending collider: `count` of them, `step` apart.
struct List {
    first: u32,
    step: u32,
    count: u32,
}
