// Colliders and what touches them: shared by the three contact kernels.

struct Collider {
    place: vec3f,           // a point of the plane, the centre of the sphere; at the end of the substep, m
    shape: u32,
    place_low: vec3f,       // what single precision leaves over of the place
    radius: f32,
    normal: vec3f,          // of a plane
    friction: f32,
    displacement: vec3f,    // m over this substep
    dynamic_friction: f32,
    restitution: f32,
    reserved0: u32,
    reserved1: u32,
    reserved2: u32,
}

const PLANE: u32 = 0u;
const SPHERE: u32 = 1u;
const INSIDE_SPHERE: u32 = 2u;

// How a body's particles touch.
struct Surface {
    radius: f32,            // m
    friction: f32,
    dynamic_friction: f32,
    restitution: f32,
}

// A particle against a collider, linear over the substep: C = offset + normal · d.
struct Contact {
    normal: vec3f,
    offset: f32,            // m
    tangential: vec3f,      // accumulated λ of friction; moves the particle by w λ
    lambda: f32,            // accumulated normal λ >= 0
    approach: f32,          // h times the normal velocity relative to the collider before the substep, m
    reserved0: u32,
    reserved1: u32,
    reserved2: u32,
}

// The collider at this substep. All of substep 0 come first, then all of substep 1, ...
fn collider_index(k: u32) -> u32 {
    return substep.index * substep.colliders + k;
}

// Contacts lie collider by collider, so that neighbouring threads touch neighbouring memory.
fn contact_index(k: u32, i: u32) -> u32 {
    return k * substep.particles + i;
}
