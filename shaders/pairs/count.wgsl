// Finds out in which bucket each ball lies, and how many lie there.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(4) var<storage, read> x: array<vec4f>;
@group(0) @binding(5) var<storage, read> e: array<vec3f>;
@group(0) @binding(6) var<storage, read> lattice: array<f32>;
@group(0) @binding(7) var<storage, read_write> status: Status;

// What a ball may move before the lists are made again: what it would in the rest of the frame, but a small part of its radius at least,
// so that what trembles needs no new ones, and its radius at most, or too many would lie within; and what it does in this substep.
fn allowed(radius: f32, ahead: f32) -> f32 {
    let rest = 1.2 * f32(substep.count - substep.index) * ahead;
    return max(clamp(rest, CALM * radius, radius), 1.5 * ahead);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || !is_stale()) {
        return;
    }
    load_shape();
    // Two steps of the lattice are what single precision loses of middles and anchors.
    let rounding = 2.0 * lattice[substep.lattice_slot];
    let radius = balls[i].radius;
    let allowance = allowed(radius, length(balls[i].ahead)) + rounding;
    let extent = (1.0 + SLACK) * radius + allowance + rounding;
    var level = 0u;
    while (level < MOST_LEVELS && cell_size(level) < 2.0 * extent) {
        level += 1u;
    }
    let anchor = x[i].xyz;
    balls[i].anchor = anchor;
    balls[i].start = e[i];
    balls[i].allowance = allowance;
    balls[i].extent = extent;
    let cells = abs(anchor / cell_size(level));
    // What is nowhere, or farther than cells can be counted, is left out; `finish` says so.
    if (level == MOST_LEVELS || !is_finite(extent + cells.x + cells.y + cells.z) || max(max(cells.x, cells.y), cells.z) > 1e9) {
        balls[i].level = NOWHERE;
        return;
    }
    balls[i].level = level;
    // Asked first: a card does changes of one word one after another.
    if ((word(LEVELS) & (1u << level)) == 0u) {
        atomicOr(&grid[LEVELS], 1u << level);
    }
    let at = bucket_word(bucket_of(cell_of(anchor, level), level));
    let turn = atomicAdd(&grid[at + 1u], 1u);
    atomicStore(&grid[turn_word(i)], turn);
    if (turn >= MOST_IN_BUCKET) {
        atomicStore(&grid[CROWDED_CELLS], 1u);
        // Who came last is up to scheduling: no particle is told.
        atomicOr(&status.flags, CROWDED);
    }
}
