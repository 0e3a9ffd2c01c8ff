// Puts the balls of each bucket side by side, with their anchors and extents.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(4) var<storage, read_write> places: array<vec4f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || balls[i].level == NOWHERE || !is_stale()) {
        return;
    }
    load_shape();
    let anchor = balls[i].anchor;
    let level = balls[i].level;
    let at = word(bucket_word(bucket_of(cell_of(anchor, level), level))) + word(turn_word(i));
    places[at] = vec4f(anchor, balls[i].extent);
    atomicStore(&grid[sorted_word(at)], i);
}
