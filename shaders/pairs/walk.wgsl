// Finds all that come near a ball before the lists are made again; of these `may_touch` says which may touch it. The kernel says by `found` what
// comes of each.

var<private> me: Ball;

fn is_about(anchor: vec3f, extent: f32) -> bool {
    let anchors = me.anchor - anchor;
    let extents = me.extent + extent;
    return dot(anchors, anchors) < extents * extents;
}

fn was_placed_close(j: u32) -> bool {
    let placed = me.placed - balls[j].placed;
    let apart = PLACED_APART * (me.radius + balls[j].radius);
    return dot(placed, placed) < apart * apart;
}

// Kin that were placed closer than they touch never do; ends of segments touch as such.
fn may_touch(j: u32) -> bool {
    if (((me.body | balls[j].body) & OF_SEGMENT) != 0u) {
        return false;
    }
    return bodies_meet(me.body, balls[j].body) && !(was_placed_close(j) && are_kin(me.body, balls[j].body));
}

// What a list has of a partner that may touch.
fn entry_of(j: u32) -> u32 {
    return j | select(0u, PLACED_CLOSE, was_placed_close(j));
}

// At which distance they touch, m, by the marks of the pair: what was placed in each other, as far apart as it was (but for a hair: src/model/touch.rs).
fn distance_of(a: Ball, b: Ball, marks: u32) -> f32 {
    let sum = a.radius + b.radius;
    if ((marks & PLACED_CLOSE) == 0u) {
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
