// Moves each particle by what its contacts with segments, and those of segments whose end it is, do to it.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(9) var<storage, read_write> d: array<vec3f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0) {
        return;
    }
    atomicStore(&segment_sums[WORDS * i + COUNT], 0);
    d[i] += take(i);
}
