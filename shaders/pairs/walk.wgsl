// Finds the partners of a ball: all that may touch it before the lists are made again. The kernel says by `found` what comes of each.

// Those that were placed closer than they touch never do; ends of segments touch as such.
fn may_touch(me: Ball, j: u32) -> bool {
    let anchors = me.anchor - balls[j].anchor;
    let extents = me.extent + balls[j].extent;
    if (dot(anchors, anchors) >= extents * extents) {
        return false;
    }
    if (((me.body | balls[j].body) & OF_SEGMENT) != 0u) {
        return false;
    }
    let placed = me.placed - balls[j].placed;
    let apart = PLACED_APART * (me.radius + balls[j].radius);
    return dot(placed, placed) >= apart * apart && bodies_meet(me.body, balls[j].body);
}

fn walk(i: u32) {
    let me = balls[i];
    let reach = vec3f(me.extent);
    let box = array<vec3f, 2>(me.anchor - reach, me.anchor + reach);
    for (var levels = word(LEVELS); levels != 0u; levels &= levels - 1u) {
        walk_level(i, me, box, firstTrailingBit(levels));
    }
}
