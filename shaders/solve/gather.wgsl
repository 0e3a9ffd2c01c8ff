// Sums the corrections of a Jacobi sweep per particle, in the plan's order: the same bits every time.

// particles, offsets, corrections: three lists in one buffer, the first two with `count` and `count + 1` entries.
@group(0) @binding(2) var<storage, read> gather: array<u32>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> corrections: array<vec4f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = item(id);
    if (index >= batch.count) {
        return;
    }
    let offsets = batch.count;
    let list = 2u * batch.count + 1u;
    let particle = gather[index];
    var sum = vec3f(0.0);
    for (var k = gather[offsets + index]; k < gather[offsets + index + 1u]; k += 1u) {
        sum += corrections[gather[list + k]].xyz;
    }
    d[particle] += sum;
}
