// The particles of a tile in workgroup memory, under the names that they have in storage (lib/particle.wgsl): the same glue solves
// both. What is stored is read at a frame's beginning and written at its end.

const TILE_PARTICLES: u32 = 256u;

var<workgroup> x: array<vec4f, TILE_PARTICLES>;
var<workgroup> d: array<vec3f, TILE_PARTICLES>;
var<workgroup> e: array<vec3f, TILE_PARTICLES>;

// Slot of the tile's first particle: records name particles by slot.
var<private> origin: u32;

@group(0) @binding(2) var<storage, read_write> stored_x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stored_e: array<vec3f>;
@group(0) @binding(4) var<storage, read_write> stored_u: array<vec3f>;
@group(0) @binding(7) var<storage, read> lattice: array<f32>;
@group(0) @binding(8) var<storage, read_write> status: Status;

fn position(p: u32) -> vec4f {
    return x[p];
}

fn displacement(p: u32) -> vec3f {
    return d[p];
}

fn displace(p: u32, to: vec3f) {
    d[p] = to;
}

fn below(p: u32) -> vec3f {
    return e[p];
}

fn end_stage() {
    workgroupBarrier();
}

fn enter(tile: Tile) {
    origin = tile.first;
}

// Brings a particle here. The way that it comes with to a frame, and that it leaves with.
fn entered(i: u32) -> vec3f {
    x[i] = stored_x[origin + i];
    e[i] = stored_e[origin + i];
    return stored_u[origin + i];
}

fn leave(i: u32, way: vec3f) {
    stored_x[origin + i] = x[i];
    stored_e[origin + i] = e[i];
    stored_u[origin + i] = way;
}
