// u += (1 - e^(-k h)) (h ω × x - u); vortex: ω, rad/s, and k, 1/s.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(4) var<storage, read> vortex: array<f32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    let turn = vortex[0] * substep.seconds;
    let share = 1.0 - exp(-vortex[1] * substep.seconds);
    u[i] += share * (vec3f(turn * x[i].z, 0.0, -turn * x[i].x) - u[i]);
}
