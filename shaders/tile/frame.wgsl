// All substeps of a frame for one tile, from prediction to positions, where nothing but constraints and gravity acts on its particles.

fn end_stage() {
    workgroupBarrier();
}

// Begins a substep of a particle without drives.
fn fall(i: u32, way: vec3f) {
    var nothing: Drive;
    d[i] = e[i] + displaced(nothing, x[i].w, way);
}

fn settle(i: u32, q: f32, last: bool) {
    let after = settled(x[i].xyz, d[i], e[i], q);
    watch(origin + i, after.way, after.position, q);
    x[i] = vec4f(after.position, x[i].w);
    e[i] = after.rest;
    fall(i, after.way);
    if (last) {
        stored_x[origin + i] = x[i];
        stored_e[origin + i] = e[i];
        stored_u[origin + i] = after.way;
    }
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
        fall(i, stored_u[tile.first + i]);
    }
    workgroupBarrier();
    var n = 0u;
    loop {
        let last = n + 1u == substep.count;
        var k = 0u;
        loop {
            sweep = Sweep(k == 0u, k == 0u && n == 0u, last);
            solve_kinds(tile.stages, thread);
            k += 1u;
            if (k >= words[0]) {
                break;
            }
        }
        var i = thread;
        loop {
            if (i < count) {
                settle(i, q, last);
            }
            i += THREADS;
            if (i >= count) {
                break;
            }
        }
        workgroupBarrier();
        n += 1u;
        if (n >= substep.count) {
            break;
        }
    }
}
