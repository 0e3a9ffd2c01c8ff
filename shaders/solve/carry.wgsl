// Brings multipliers to the places where a new plan has their constraints, and to the new length of a substep. What has broken
// stays broken. Rest values, pairs as well, come along unscaled.

@group(0) @binding(3) var<storage, read> before: array<vec2f>;
@group(0) @binding(4) var<storage, read> places: array<u32>; // of each constraint of the new plan in the old one
@group(0) @binding(5) var<storage, read_write> multipliers: array<vec2f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    for (var k = 0u; k < carry.components; k += 1u) {
        let old = before[places[i] * carry.components + k];
        let scaled = old * vec2f(carry.multiplier, carry.sum);
        multipliers[i * carry.components + k] = select(scaled, old, old.x == BROKEN);
    }
}
