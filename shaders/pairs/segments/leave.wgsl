// Takes over the velocities. With BDF2 what pressed begins anew: no formula may look across the jump, and along which
// normals it went is not kept.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(10) var<storage, read_write> u: array<vec3f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || atomicLoad(&segment_sums[WORDS * i + PRESSING]) == 0) {
        return;
    }
    let change = take(i);
    if (balls[i].inverse_mass > 0.0) {
        u[i] += change;
        forget(i, vec3f(0.0), true, vec3f(0.0));
    }
}
