// The particles of tiles that are larger than a workgroup's memory, where they lie, for all substeps of a frame. Displacements take the place of u,
// which nobody reads between a frame's beginning and its end.

// Records name particles by slot.
const origin: u32 = 0u;

@group(0) @binding(2) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> e: array<vec3f>;
@group(0) @binding(4) var<storage, read_write> u: array<vec4f>;
@group(0) @binding(7) var<storage, read> lattice: array<f32>;
@group(0) @binding(8) var<storage, read_write> status: Status;

fn position(p: u32) -> vec4f {
    return x[p];
}

fn displacement(p: u32) -> vec3f {
    return u[p].xyz;
}

fn displace(p: u32, to: vec3f) {
    u[p] = vec4f(to, 0.0);
}

fn below(p: u32) -> vec3f {
    return e[p];
}

fn end_stage() {
    storageBarrier();
    workgroupBarrier();
}

fn enter(tile: Tile) {
}

// The way that a particle comes with to a frame, and that it leaves with.
fn entered(i: u32) -> vec3f {
    return u[i].xyz;
}

fn leave(i: u32, way: vec3f) {
    u[i] = vec4f(way, 0.0);
}
