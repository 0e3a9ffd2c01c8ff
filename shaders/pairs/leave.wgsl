// Takes over the velocities, once all of velocity.wgsl is done.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(4) var<storage, read_write> u: array<vec3f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i < batch.count && balls[i].radius > 0.0 && balls[i].inverse_mass > 0.0) {
        u[i] = balls[i].after;
    }
}
