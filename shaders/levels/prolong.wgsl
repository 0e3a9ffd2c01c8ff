// Takes the corrections of the finest levels to the particles: d_i += Σ P_iJ Y_J.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
// Where each list begins, and the end of the last; then the lists, of nodes and shares, each after the slot of its particle.
@group(0) @binding(4) var<storage, read> moved: array<u32>;
@group(0) @binding(5) var<storage, read> nodes: array<Node>;
// By slot: the sum of the corrections over the frame, from which the mean force is taken, where somebody asks for it.
@group(0) @binding(6) var<storage, read_write> level_forces: array<vec3f>;

override SUMMED: bool = true;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let slot = moved[moved[i]];
    var sum = vec3f(0.0);
    for (var k = moved[i] + 1u; k < moved[i + 1u]; k += 2u) {
        sum += bitcast<f32>(moved[k + 1u]) * nodes[moved[k]].step;
    }
    if (x[slot].w == 0.0) {
        return;
    }
    d[slot] += sum;
    if (SUMMED) {
        // As λ is stored: see lib/xpbd.wgsl.
        let before = select(level_forces[slot], vec3f(0.0), substep.index == 0u);
        level_forces[slot] = before + (substep.inverse_seconds_squared / substep.force_scale) * sum;
    }
}
