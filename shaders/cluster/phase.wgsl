// A phase of a sweep: each workgroup brings the particles of a cluster to its memory, solves all their constraints among each other there,
// colour after colour, and takes the displacements back. They come as they are (cluster/bring.wgsl), or with the end of the substep before
// (cluster/bring_next.wgsl), in turns or at once (cluster/in_turns.wgsl, cluster/at_once.wgsl); what lies below the lattice comes along or not
// (cluster/below.wgsl, cluster/below_stored.wgsl).
//
// The head of `words` (cluster/stages.wgsl) says where the tails of each kind are: what records hold but particles, each tail once. The particles of a
// cluster are a list of slots, which lie between clusters and stages. A record is the places of its particles in the cluster, and which tail it has.

var<private> own: Cluster;

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
