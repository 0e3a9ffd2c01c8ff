// All substeps of a frame for one tile, from prediction to positions, where nothing but constraints and gravity acts on its particles: in workgroup
// memory (tile/local.wgsl), or where they lie (tile/stored.wgsl).

// Begins a substep of a particle without drives.
fn fall(i: u32, way: vec3f) {
    var nothing: Drive;
    displace(i, e[i] + displaced(nothing, x[i].w, way));
}

fn settle(i: u32, q: f32, last: bool) {
    let after = settled(x[i].xyz, displacement(i), e[i], q);
    watch(origin + i, after.way, after.position, q);
    x[i] = vec4f(after.position, x[i].w);
    e[i] = after.rest;
    if (last) {
        leave(i, after.way);
    } else {
        fall(i, after.way);
    }
}

fn gather(thread: u32) {
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let tile = load_tile(batch.first + index);
    let q = lattice[substep.lattice_slot];
    enter(tile);
    let first = tile.first - origin;
    let end = tile.end - origin;
    for (var i = first + thread; i < end; i += THREADS) {
        fall(i, entered(i));
    }
    end_stage();
    var n = 0u;
    loop {
        let last = n + 1u == substep.count;
        var k = 0u;
        loop {
            sweep = Sweep(sweep_bits(k == 0u, k + 1u >= words[0]), n == 0u, last);
            solve_kinds(tile.stages, thread);
            k += 1u;
            if (k >= words[0]) {
                break;
            }
        }
        var i = first + thread;
        loop {
            if (i < end) {
                settle(i, q, last);
            }
            i += THREADS;
            if (i >= end) {
                break;
            }
        }
        end_stage();
        n += 1u;
        if (n >= substep.count) {
            break;
        }
    }
}
