// Finds all that come near a ball before the lists are made again; of these `may_touch` says which may touch it. The kernel says by `found` what
// comes of each.

var<private> me: Ball;

fn is_about(anchor: vec3f, extent: f32) -> bool {
    let anchors = me.anchor - anchor;
    let extents = me.extent + extent;
    return dot(anchors, anchors) < extents * extents;
}

// Those that were placed closer than they touch never do; ends of segments touch as such.
fn may_touch(j: u32) -> bool {
    if (((me.body | balls[j].body) & OF_SEGMENT) != 0u) {
        return false;
    }
    let placed = me.placed - balls[j].placed;
    let apart = PLACED_APART * (me.radius + balls[j].radius);
    return dot(placed, placed) >= apart * apart && bodies_meet(me.body, balls[j].body);
}

fn walk(i: u32) {
    let reach = vec3f(me.extent);
    let box = array<vec3f, 2>(me.anchor - reach, me.anchor + reach);
    for (var levels = word(LEVELS); levels != 0u; levels &= levels - 1u) {
        walk_level(i, box, firstTrailingBit(levels));
    }
}
