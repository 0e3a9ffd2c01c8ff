// A phase of a sweep: each workgroup brings the particles of a cluster to its memory, solves all their constraints among each other there,
// colour after colour, and takes the displacements back. Particles bear the names that they have in storage (lib/particle.wgsl): the same
// glue solves both.
//
// `words` begins with where the tails of each kind are: what records hold but particles, each tail once. Then come the clusters, each where
// its slots begin and end, then where the stages of each kind begin, and the end of the last; then slots, stages and records. A record is
// the places of its particles in the cluster, a byte each, and which tail it has.

const CLUSTER_PARTICLES: u32 = 256u;

var<workgroup> x: array<vec4f, CLUSTER_PARTICLES>;
var<workgroup> d: array<vec3f, CLUSTER_PARTICLES>;
var<workgroup> e: array<vec3f, CLUSTER_PARTICLES>;

@group(0) @binding(2) var<storage, read> stored_x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stored_d: array<vec3f>;
@group(0) @binding(4) var<storage, read> stored_e: array<vec3f>;

fn position(p: u32) -> vec4f {
    return x[p];
}

fn displacement(p: u32) -> vec3f {
    return d[p];
}

fn displace(p: u32, to: vec3f) {
    d[p] = to;
}

fn end_stage() {
    workgroupBarrier();
}

fn load_cluster(index: u32) -> Tile {
    let at = KINDS + index * (KINDS + 3u);
    return Tile(words[at], words[at + 1u], at + 2u);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let cluster = load_cluster(batch.first + index);
    let count = cluster.end - cluster.first;
    for (var i = thread; i < count; i += THREADS) {
        let slot = words[cluster.first + i];
        x[i] = stored_x[slot];
        d[i] = stored_d[slot];
        if (any_damped()) {
            e[i] = stored_e[slot];
        }
    }
    workgroupBarrier();
    let opening = batch.opening != 0u;
    sweep = Sweep(opening, opening && substep.index == 0u, substep.index + 1u == substep.count);
    solve_kinds(cluster.stages, thread);
    for (var i = thread; i < count; i += THREADS) {
        stored_d[words[cluster.first + i]] = d[i];
    }
}
