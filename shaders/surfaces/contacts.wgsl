// Two features that may touch in a substep: law/surface.wgsl.
struct SurfaceContact {
    vertices: vec4u,        // slots
    weights: vec4f,         // bᵢ
    axis: vec3f,
    distance: f32,          // at which they touch, m
    tangential: vec3f,      // friction's λ
    lambda: f32,
    offset: f32,            // C where no vertex is displaced, m
    approach: f32,          // the relative normal way before the substep, m
    compliance: f32,        // m/N
    restitution: f32,
    friction: vec2f,        // static and dynamic
    bodies: vec2u,
    edges: u32,             // 1 where they are two edges
    key: u32,               // who bids lowest comes first; no other contact has it
    colour: u32,
    pressed: u32,           // 1 where it pressed in the last substep
    // Entries of lists of contacts, which have nothing to do with this one: by colours, of what lacks a certificate,
    // and two that are emptied in turn.
    sorted: u32,
    failing: u32,
    queue: array<u32, 2>,
}

const COLOURS: u32 = 128u;

struct SurfaceContacts {
    wanted: atomic<u32>,    // pairs that were found, some of which may have no room
    crowded: atomic<u32>,
    strays: atomic<u32>,    // vertices that went farther than what was not found allows
    failing: atomic<u32>,   // contacts that lack a certificate
    held: atomic<u32>,      // vertices that were held back in this frame
    forced: atomic<u32>,    // pairs of which no vertex could yield
    turn: u32,              // of the guard in this substep
    solved: u32,            // those that are coloured
    colours: u32,
    most: u32,              // pairs found in a substep of this frame, at most
    lost: u32,              // 1 where the guard found no end
    common_way: vec3f,          // the way that all vertices have in common, m
    ends: array<u32, COLOURS>,      // where each colour ends
    list: array<SurfaceContact>,
}

// The turn in which a substep begins. Vertices have 0 for a turn that was not.
const OPENING: u32 = 1u;

@group(0) @binding(10) var<storage, read_write> surface_contacts: SurfaceContacts;

fn room() -> u32 {
    return arrayLength(&surface_contacts.list);
}

fn listed() -> u32 {
    return min(atomicLoad(&surface_contacts.wanted), room());
}
