// Finds the plane that bounds each particle's motion at each collider for this substep, from where it is and where it is predicted.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> e: array<vec3f>;
@group(0) @binding(5) var<storage, read> u: array<vec3f>;
@group(0) @binding(6) var<storage, read> properties: array<Properties>;
@group(0) @binding(8) var<storage, read> colliders: array<Collider>;

// Whether e is the x̄ of BDF2 (step/past.wgsl), ahead of where the particle was.
override BDF2: bool = false;

// C of a particle that does not meet the collider, m.
const FAR: f32 = 1e30;

// A free particle on its way.
struct Moving {
    i: u32,
    place: vec3f,           // x
    begin: vec3f,           // where it was as the substep began, and where it is predicted, relative to x
    moved: vec3f,
    before: vec3f,          // u
    surface: Surface,
    calm: f32,
}

fn collides(p: Moving, c: Collider) -> bool {
    return (p.surface.groups & c.meets) != 0u && (c.groups & p.surface.meets) != 0u;
}

fn meet(p: Moving, c: Collider) -> Contact {
    let at = lattice_way(c.place, p.place);
    let start = at + (p.begin - c.place_low) + c.displacement;
    let end = at + (p.moved - c.place_low);
    let met = touch(c, start, end, p.surface.radius + c.thickness, p.calm);
    var contact: Contact;
    contact.normal = met.normal;
    contact.offset = met.value - dot(met.normal, p.moved);
    // A particle that is inside as the substep begins is pushed out by at most the way of push_out_speed.
    if (c.adhesion >= 0.0) {
        let began = met.value + dot(met.normal, p.begin - p.moved + met.carried);
        contact.offset += max(-(began + p.surface.push_out_speed * substep.seconds), 0.0);
    }
    contact.carried = met.carried;
    contact.approach = dot(met.normal, p.before - met.carried);
    return contact;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    var begin = e[i];
    if (BDF2) {
        begin -= (1.0 - substep.share) * (u[i] + d[substep.particles + i]);
    }
    find(Moving(i, x[i].xyz, begin, d[i], u[i], surface_of(properties[i].body), calm_way()));
}
