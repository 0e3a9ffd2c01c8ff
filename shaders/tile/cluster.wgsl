// A phase of a sweep: each workgroup brings the particles of a cluster to its memory, solves all their constraints among each other there,
// colour after colour, and takes the displacements back. They come as they are (tile/bring.wgsl), or with the end of the substep before
// (tile/bring_next.wgsl), in turns or at once (tile/in_turns.wgsl, tile/at_once.wgsl); what lies below the lattice comes along or not (tile/below.wgsl, tile/below_stored.wgsl). Particles bear the names that they have in storage (lib/particle.wgsl): the same
// glue solves both.
//
// `words` begins with where the tails of each kind are: what records hold but particles, each tail once. Then come the clusters, each where
// its slots begin and end, then where the stages of each leg begin, and the end of the last; then slots, stages and records. A record is
// the places of its particles in the cluster, and which tail it has.

var<workgroup> x: array<vec4f, CLUSTER_PARTICLES>;
var<workgroup> d: array<vec4f, CLUSTER_PARTICLES>;

fn position(p: u32) -> vec4f {
    return x[p];
}

fn displacement(p: u32) -> vec3f {
    return d[p].xyz;
}

fn displace(p: u32, to: vec3f) {
    d[p] = vec4f(to, 0.0);
}

fn end_stage() {
    workgroupBarrier();
}

fn load_cluster(index: u32) -> Tile {
    let at = KINDS + index * (LEGS + 3u);
    return Tile(words[at], words[at + 1u], at + 2u);
}

var<private> own: Tile;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    own = load_cluster(batch.first + index);
    look_up(thread);
    sweep = Sweep(batch.visit, substep.index == 0u, substep.index + 1u == substep.count);
    // Particles are gathered once what is asked for first is on its way.
    solve_kinds(own.stages, thread);
    leave(thread);
}
