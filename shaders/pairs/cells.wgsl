// Goes through the balls in and about a box, LANES threads side by side; the kernel says by `is_about`, of where a ball is, which count, and by
// `found` what comes of each.

// Anchors and extents of the sorted balls: what is too far away costs no look at a ball.
@group(0) @binding(10) var<storage, read> places: array<vec4f>;

// Where the balls of a cell begin, and how many there are in its bucket.
fn range_of(cell: vec3i, level: u32) -> vec2u {
    let bucket = bucket_word(bucket_of(cell, level));
    return vec2u(word(bucket), word(bucket + 1u));
}

// Those of one cell.
fn walk_cell(i: u32, cell: vec3i, level: u32, range: vec2u) {
    for (var at = range.x + lane; at < range.x + range.y; at += LANES) {
        let place = places[at];
        // Other cells may share the bucket.
        if (is_about(place.xyz, place.w) && is_of_level(place.w, level) && all(cell_of(place.xyz, level) == cell)) {
            let j = word(sorted_word(at));
            if (j != i) {
                found(j);
            }
        }
    }
}

// Those of one level. Where there are more cells than balls, as around something huge or very fast, it goes through the balls.
fn walk_level(i: u32, box: array<vec3f, 2>, level: u32) {
    let margin = vec3f(0.5 * cell_size(level));
    let low = cell_of(box[0] - margin, level);
    let high = cell_of(box[1] + margin, level);
    // As floats: of a segment across half of all cells the difference of whole numbers would overflow.
    let sizes = (vec3f(high) - vec3f(low)) + 1.0;
    if (sizes.x * sizes.y * sizes.z > f32(substep.particles) + 64.0) {
        for (var j = lane; j < substep.particles; j += LANES) {
            if (j != i && balls[j].level == level && is_about(balls[j].anchor, balls[j].extent)) {
                found(j);
            }
        }
        return;
    }
    // Each range is asked for before the balls of the one before are looked at: a card then waits for both at once.
    var next = low;
    var range = range_of(low, level);
    while (next.z <= high.z) {
        let cell = next;
        let here = range;
        next.x += 1;
        if (next.x > high.x) {
            next = vec3i(low.x, next.y + 1, next.z);
        }
        if (next.y > high.y) {
            next = vec3i(low.x, low.y, next.z + 1);
        }
        range = range_of(next, level);
        walk_cell(i, cell, level, here);
    }
}
