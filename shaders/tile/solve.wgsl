// Solves tiles where they lie: one sweep, or all sweeps of a substep where nothing else takes part in an iteration.

override ALL_SWEEPS: bool = false;

// Records name particles by slot.
const origin: u32 = 0u;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let tile = load_tile(batch.first + index);
    var sweeps = 1u;
    if (ALL_SWEEPS) {
        sweeps = words[0];
    }
    for (var k = 0u; k < sweeps; k += 1u) {
        let opening = k == 0u && batch.opening == 1u;
        sweep = Sweep(opening, opening && substep.index == 0u, substep.index + 1u == substep.count);
        for (var s = tile.stages; s < tile.stages_end; s += STAGE_WORDS) {
            let stage = load_stage(s);
            for (var c = thread; c < stage.count; c += GROUP_SIZE) {
                project(stage, c);
            }
            storageBarrier();
            workgroupBarrier();
        }
    }
}
