// Hands out spares: how many the vertices before each ask for, summed by one workgroup in the order of vertices. Where there are too
// few, the last ones wait.

@group(0) @binding(2) var<storage, read_write> tear_vertices: array<TearVertex>;
@group(0) @binding(3) var<storage, read_write> tear: Tear;
@group(0) @binding(4) var<storage, read_write> status: Status;

var<workgroup> sums: array<u32, GROUP_SIZE>;
var<workgroup> total: u32;
var<workgroup> splitting: u32;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        splitting = atomicExchange(&tear.changed, 0u);
        tear.splitting = splitting;
    }
    if (workgroupUniformLoad(&splitting) == 0u) {
        return;
    }
    let each = (tear.vertices + GROUP_SIZE - 1u) / GROUP_SIZE;
    let begin = min(thread * each, tear.vertices);
    let end = min(begin + each, tear.vertices);
    var mine = 0u;
    for (var i = begin; i < end; i += 1u) {
        mine += tear_vertices[i].wanted;
    }
    sums[thread] = mine;
    workgroupBarrier();
    if (thread == 0u) {
        var sum = 0u;
        for (var i = 0u; i < GROUP_SIZE; i += 1u) {
            let next = sum + sums[i];
            sums[i] = sum;
            sum = next;
        }
        total = sum;
    }
    workgroupBarrier();
    var first = sums[thread];
    for (var i = begin; i < end; i += 1u) {
        tear_vertices[i].first = first;
        first += tear_vertices[i].wanted;
    }
    if (thread == 0u) {
        tear.free = tear.taken;
        tear.taken = min(tear.free + total, tear.capacity);
        atomicStore(&status.spares, tear.free + total);
    }
}
