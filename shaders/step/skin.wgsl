// The vertices of skins, which follow the particles: x = x0 + w1 (x1 - x0) + w2 (x2 - x0) + w3 (x3 - x0). As a particle's, a
// vertex's place is on the lattice and the rest in e, so that normals are as good far from the origin.

@group(0) @binding(2) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> e: array<vec3f>;
@group(0) @binding(4) var<storage, read> skin: array<SkinVertex>;
@group(0) @binding(5) var<storage, read> lattice: array<f32>;

fn apart(a: u32, b: u32) -> vec3f {
    return (x[b].xyz - x[a].xyz) + (e[b] - e[a]);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let slots = skin[i].slots;
    let weights = skin[i].weights;
    let first = slots.x;
    let way = e[first] + weights.y * apart(first, slots.y) + weights.z * apart(first, slots.z) + weights.w * apart(first, slots.w);
    let q = lattice[substep.lattice_slot];
    let steps = round(way / q) * q;
    x[batch.first + i] = vec4f(x[first].xyz + steps, 0.0);
    e[batch.first + i] = way - steps;
}
