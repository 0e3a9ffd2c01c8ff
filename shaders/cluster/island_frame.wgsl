// All substeps of a frame for one cluster of islands, from prediction to positions, where nothing but constraints and gravity acts on its particles. They are in
// workgroup memory (cluster/local.wgsl): what is stored is read at the frame's beginning and written at its end. `words` is that of cluster/island.wgsl.

@group(0) @binding(2) var<storage, read_write> stored_x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stored_e: array<vec3f>;
@group(0) @binding(4) var<storage, read_write> stored_u: array<vec3f>;
@group(0) @binding(7) var<storage, read> lattice: array<f32>;
@group(0) @binding(8) var<storage, read_write> status: Status;

// Slot of the first particle: records name particles by slot.
var<private> origin: u32;

// Begins a substep of a particle without drives.
fn fall(i: u32, way: vec3f) {
    var nothing: Drive;
    displace(i, e[i] + displaced(nothing, x[i].w, way));
}

fn enter(i: u32) {
    x[i] = stored_x[origin + i];
    keep_below(i, stored_e[origin + i]);
    fall(i, stored_u[origin + i]);
}

fn settle(i: u32, q: f32, last: bool) {
    let after = settled(x[i].xyz, displacement(i), e[i], q);
    watch(origin + i, after.way, after.position, q);
    x[i] = vec4f(after.position, x[i].w);
    keep_below(i, after.rest);
    if (last) {
        leave(i, after.way);
    } else {
        fall(i, after.way);
    }
}

fn leave(i: u32, way: vec3f) {
    stored_x[origin + i] = x[i];
    stored_e[origin + i] = e[i];
    stored_u[origin + i] = way;
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let cluster = load_cluster(batch.first + index);
    let q = lattice[substep.lattice_slot];
    origin = cluster.first;
    let count = cluster.end - cluster.first;
    for (var i = thread; i < count; i += THREADS) {
        enter(i);
    }
    end_stage();
    var n = 0u;
    loop {
        let last = n + 1u == substep.count;
        var k = 0u;
        loop {
            sweep = Sweep(sweep_bits(k == 0u, k + 1u >= words[0]), n == 0u, last);
            solve_kinds(cluster.stages, thread);
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
        end_stage();
        n += 1u;
        if (n >= substep.count) {
            break;
        }
    }
}
