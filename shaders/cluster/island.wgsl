// Solves islands where they lie: one sweep, or all sweeps of a substep where nothing else takes part in an iteration. The head of `words`
// (cluster/stages.wgsl) is the number of iterations, and the particles of a cluster follow each other from slot to slot.

// Records name particles by slot.
const origin: u32 = 0u;

fn end_stage() {
    storageBarrier();
    workgroupBarrier();
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let cluster = load_cluster(batch.first + index);
    let all = (batch.visit & ALL_SWEEPS) != 0u;
    let sweeps = select(1u, words[0], all);
    var k = 0u;
    loop {
        let bits = select(batch.visit, sweep_bits(k == 0u, k + 1u >= sweeps), all);
        sweep = Sweep(bits, substep.index == 0u, substep.index + 1u == substep.count);
        solve_kinds(cluster.stages, thread);
        k += 1u;
        if (k >= sweeps) {
            break;
        }
    }
}
