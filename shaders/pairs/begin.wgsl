// Once a substep, after predicting: where each ball goes in it, and whether that is so far that the lists have to be made again.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(4) var<storage, read> x: array<vec4f>;
@group(0) @binding(5) var<storage, read> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> e: array<vec3f>;
@group(0) @binding(7) var<storage, read> u: array<vec3f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0) {
        return;
    }
    let place = x[i];
    let below = e[i];
    let ahead = d[i] - below;
    let start = lattice_way(balls[i].anchor, place.xyz) + below;
    let half = 0.5 * length(ahead);
    balls[i].middle = place.xyz + (below + 0.5 * ahead);
    balls[i].reach = (1.0 + SLACK) * balls[i].radius + half;
    balls[i].inverse_mass = place.w;
    balls[i].start = start;
    balls[i].ahead = ahead;
    balls[i].before = u[i];
    // In a frame's first substep they are made in any case.
    if (substep.index > 0u && length(start + 0.5 * ahead) + half > balls[i].allowance) {
        atomicStore(&grid[STALE], substep.index);
    }
}
