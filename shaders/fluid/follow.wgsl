// Takes over where all have come to.

override WALLS: bool = true;

@group(0) @binding(3) var<storage, read_write> fluid_places: array<vec4f>;
@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read> x: array<vec4f>;
@group(0) @binding(6) var<storage, read> d: array<vec3f>;
@group(0) @binding(7) var<storage, read> fluid_planes: array<WallPlane>;
@group(0) @binding(8) var<storage, read_write> fluid_mirrors: array<Mirrors>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let own = item(id);
    if (own >= batch.count) {
        return;
    }
    let slot = fluid_wet[own].slot;
    let at = x[slot];
    let place = place_of(fluid_wet[own], at, lattice_way(origin(), at.xyz) + d[slot]);
    fluid_places[own] = vec4f(place, at.w);
    if (WALLS) {
        for (var k = 0u; k < MOST && fluid_mirrors[own].walls[k] != NO_WALL; k += 1u) {
            fluid_mirrors[own].gaps[k] = gap_of(fluid_planes[MOST * own + k], place);
        }
    }
}
