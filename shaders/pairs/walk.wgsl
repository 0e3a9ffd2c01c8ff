// Finds the partners of a ball: all that may touch it before the lists are made again. The kernel says by `found` what comes of each.

// Those that were placed closer than they touch never do.
fn may_touch(me: Ball, j: u32) -> bool {
    let anchors = me.anchor - balls[j].anchor;
    let extents = me.extent + balls[j].extent;
    if (dot(anchors, anchors) >= extents * extents) {
        return false;
    }
    let placed = me.placed - balls[j].placed;
    let apart = PLACED_APART * (me.radius + balls[j].radius);
    return dot(placed, placed) >= apart * apart && bodies_meet(me.body, balls[j].body);
}

// Those of one cell.
fn walk_cell(i: u32, me: Ball, cell: vec3i, level: u32) {
    var j = word(bucket_word(bucket_of(cell, level)));
    while (j != NONE) {
        // Other cells may share the bucket.
        if (j != i && balls[j].level == level && all(cell_of(balls[j].anchor, level) == cell) && may_touch(me, j)) {
            found(j);
        }
        j = word(next_word(j));
    }
}

// Those of one level. Where there are more cells than balls, as around something huge or very fast, it goes through the balls.
fn walk_level(i: u32, me: Ball, level: u32) {
    let reach = vec3f(me.extent + 0.5 * cell_size(level));
    let low = cell_of(me.anchor - reach, level);
    let high = cell_of(me.anchor + reach, level);
    let sizes = vec3f(high - low) + 1.0;
    if (sizes.x * sizes.y * sizes.z > f32(substep.particles) + 64.0) {
        for (var j = 0u; j < substep.particles; j += 1u) {
            if (j != i && balls[j].level == level && may_touch(me, j)) {
                found(j);
            }
        }
        return;
    }
    for (var z = low.z; z <= high.z; z += 1) {
        for (var y = low.y; y <= high.y; y += 1) {
            for (var x = low.x; x <= high.x; x += 1) {
                walk_cell(i, me, vec3i(x, y, z), level);
            }
        }
    }
}

fn walk(i: u32) {
    let me = balls[i];
    for (var levels = word(LEVELS); levels != 0u; levels &= levels - 1u) {
        walk_level(i, me, firstTrailingBit(levels));
    }
}
