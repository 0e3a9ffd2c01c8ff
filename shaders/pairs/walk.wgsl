// Finds all that come near a ball before the lists are made again; of these `entry_of` says which may touch it. The kernel says by `found` what
// comes of each.

var<private> me: Ball;

fn is_about(anchor: vec3f, extent: f32) -> bool {
    let anchors = me.anchor - anchor;
    let extents = me.extent + extent;
    return dot(anchors, anchors) < extents * extents;
}

// What a list has of a ball, or NONE of one that never touches `me`: ends of segments touch as such, kin that were placed closer than they touch, and
// what was placed in one place, never do.
fn entry_of(j: u32) -> u32 {
    if (((me.body | balls[j].body) & OF_SEGMENT) != 0u) {
        return NONE;
    }
    let placed = me.placed - balls[j].placed;
    let apart = PLACED_APART * (me.radius + balls[j].radius);
    let squared = dot(placed, placed);
    let close = squared < apart * apart;
    if ((close && (squared == 0.0 || are_kin(me.body, balls[j].body))) || !bodies_meet(me.body, balls[j].body)) {
        return NONE;
    }
    return 2u * j + select(0u, PLACED_CLOSE, close);
}

// At which distance they touch, m, by the pair's entry: what was placed in each other, as far apart as it was (but for a hair: src/model/touch.rs).
fn distance_of(a: Ball, b: Ball, entry: u32) -> f32 {
    let sum = a.radius + b.radius;
    if ((entry & PLACED_CLOSE) == 0u) {
        return sum;
    }
    return min(sum, length(a.placed - b.placed) / PLACED_APART);
}

fn walk(i: u32) {
    let reach = vec3f(me.extent);
    let box = array<vec3f, 2>(me.anchor - reach, me.anchor + reach);
    for (var levels = word(LEVELS); levels != 0u; levels &= levels - 1u) {
        walk_level(i, box, firstTrailingBit(levels));
    }
}
