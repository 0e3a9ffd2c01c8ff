// The faces of all surfaces, by slots. Of an edge by itself the last two corners are one, of a point all three. The
// first entry has the number of faces and where the lists of faces around vertices begin, four a line.
@group(0) @binding(6) var<storage, read> surface_faces: array<vec4u>;

// How each body touches.
struct SurfaceBody {
    compliance: f32,        // m/N
    friction: f32,
    dynamic_friction: f32,
    restitution: f32,
    radius: f32,            // m
    groups: u32,            // a bit for the group it is in
    meets: u32,             // a bit for each group with which it collides
    flags: u32,
}

const IS_SURFACE: u32 = 1u;
const TOUCHES_ITSELF: u32 = 2u;

@group(0) @binding(7) var<storage, read> surface_bodies: array<SurfaceBody>;

// Behind a face's corners: a bit for each corner that it owns, one for each of the edges ab, bc and ca, and its body.
const OF_BODY: u32 = 6u;

fn faces() -> u32 {
    return surface_faces[0].x;
}

fn face_at(face: u32) -> vec4u {
    return surface_faces[face + 1u];
}

fn face_around(index: u32) -> u32 {
    return surface_faces[surface_faces[0].y + (index >> 2u)][index & 3u];
}

fn body_of(face: vec4u) -> u32 {
    return face.w >> OF_BODY;
}

fn radius_of(face: vec4u) -> f32 {
    return surface_bodies[body_of(face)].radius;
}

fn bodies_meet(a: u32, b: u32) -> bool {
    let first = surface_bodies[a];
    let second = surface_bodies[b];
    let as_groups = (first.groups & second.meets) != 0u && (second.groups & first.meets) != 0u;
    let meet = select(as_groups, (first.flags & TOUCHES_ITSELF) != 0u, a == b);
    return meet && ((first.flags | second.flags) & IS_SURFACE) != 0u && first.radius > 0.0 && second.radius > 0.0;
}
