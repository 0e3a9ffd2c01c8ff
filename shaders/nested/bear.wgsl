// Adds to the multipliers of a frame what the levels bore in place of the particles' own edges, so that forces are read and edges break
// by all of it. One thread per edge, once a frame; see src/plan/levels/forces.rs.

@group(0) @binding(2) var<storage, read_write> multipliers: array<vec2f>;
// Where each list begins, and the end of the last; then the lists: the place of an edge, then edges of the finest level and shares.
@group(0) @binding(3) var<storage, read> bearing: array<u32>;
@group(0) @binding(4) var<storage, read> tensions: array<f32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let place = bearing[bearing[i]];
    var sum = 0.0;
    for (var k = bearing[i] + 1u; k < bearing[i + 1u]; k += 2u) {
        sum += bitcast<f32>(bearing[k + 1u]) * tensions[bearing[k]];
    }
    if (multipliers[place].x != BROKEN) {
        multipliers[place].y += sum;
    }
}
