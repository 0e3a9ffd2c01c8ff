// Gives each bucket as many of the sorted balls, in a row, as lie in it. Which bucket comes first is up to scheduling.

var<workgroup> fresh: bool;
var<workgroup> wanted: atomic<u32>;
var<workgroup> beginning: u32;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        atomicStore(&wanted, 0u);
        fresh = !is_stale();
    }
    if (workgroupUniformLoad(&fresh)) {
        return;
    }
    load_shape();
    let bucket = item(id);
    var before = 0u;
    if (bucket < batch.count) {
        before = atomicAdd(&wanted, word(bucket_word(bucket) + 1u));
    }
    workgroupBarrier();
    // One addition for all of them: a card does those to one place one after another.
    if (thread == 0u) {
        beginning = atomicAdd(&grid[ALLOTTED], atomicLoad(&wanted));
    }
    workgroupBarrier();
    if (bucket < batch.count) {
        atomicStore(&grid[bucket_word(bucket)], beginning + before);
    }
}
