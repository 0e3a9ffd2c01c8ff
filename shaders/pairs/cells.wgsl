// Goes through the balls in and about a box; the kernel says by `may_touch` which count, and by `found` what comes of each.

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
fn walk_level(i: u32, me: Ball, box: array<vec3f, 2>, level: u32) {
    let margin = vec3f(0.5 * cell_size(level));
    let low = cell_of(box[0] - margin, level);
    let high = cell_of(box[1] + margin, level);
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
