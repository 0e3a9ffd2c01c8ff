// All substeps of a frame for one tile, from prediction to positions, where nothing but constraints and gravity acts on its particles.

const THREADS: u32 = 64u;

// Of a body without drives.
fn fallen(i: u32, way: vec3f) -> vec3f {
    var nothing: Drive;
    return e[i] + displaced(nothing, x[i].w, way);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let tile = load_tile(batch.first + index);
    let count = tile.end - tile.first;
    let q = lattice[substep.lattice_slot];
    origin = tile.first;
    for (var i = thread; i < count; i += THREADS) {
        x[i] = stored_x[tile.first + i];
        e[i] = stored_e[tile.first + i];
        d[i] = fallen(i, stored_u[tile.first + i]);
    }
    workgroupBarrier();
    for (var n = 0u; n < substep.count; n += 1u) {
        let last = n + 1u == substep.count;
        for (var k = 0u; k < words[0]; k += 1u) {
            sweep = Sweep(k == 0u, k == 0u && n == 0u, last);
            for (var s = tile.stages; s < tile.stages_end; s += STAGE_WORDS) {
                let stage = load_stage(s);
                for (var c = thread; c < stage.count; c += THREADS) {
                    project(stage, c);
                }
                workgroupBarrier();
            }
        }
        for (var i = thread; i < count; i += THREADS) {
            let after = settled(tile.first + i, x[i].xyz, d[i], e[i], q);
            x[i] = vec4f(after.position, x[i].w);
            e[i] = after.rest;
            d[i] = fallen(i, after.way);
            if (last) {
                stored_u[tile.first + i] = after.way;
            }
        }
        workgroupBarrier();
    }
    for (var i = thread; i < count; i += THREADS) {
        stored_x[tile.first + i] = x[i];
        stored_e[tile.first + i] = e[i];
    }
}
