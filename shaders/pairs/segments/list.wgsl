// Each segment finds the particles that may touch it before the lists are made again, and joins their lists. What finds no
// room is missing until the host, who hears of it, has made more.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(4) var<storage, read> segments: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> segment_contacts: array<SegmentContact>;
@group(0) @binding(6) var<storage, read_write> segment_heads: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> touches: array<BodyTouch>;

var<private> segment: u32;
var<private> other_end: u32;
var<private> me: Ball;          // the first end, with the larger extent of the two

fn is_about(anchor: vec3f, extent: f32) -> bool {
    return nearest_of(anchor - me.anchor, balls[other_end].anchor - me.anchor).apart < me.extent + extent;
}

// Kin that were placed closer than they touch never do, nor does what was placed on the very segment.
fn found(j: u32) {
    let other = balls[j];
    let placed = nearest_of(other.placed - me.placed, balls[other_end].placed - me.placed).apart;
    let close = placed < PLACED_APART * (me.radius + other.radius);
    if (j == other_end || !bodies_meet(me.body, other.body) || (close && (placed == 0.0 || are_kin(me.body, other.body)))) {
        return;
    }
    let at = atomicAdd(&segment_heads[substep.particles], 1u);
    if (at < arrayLength(&segment_contacts)) {
        segment_contacts[at].segment = (segment << 1u) | select(0u, 1u, close);
        segment_contacts[at].next = atomicExchange(&segment_heads[j], at);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    segment = item(id);
    if (segment >= batch.count || !is_stale()) {
        return;
    }
    load_shape();
    let ends = ends_of(segments[segment]);
    other_end = ends.y;
    me = balls[ends.x];
    let end = balls[ends.y];
    if (me.level == NOWHERE || end.level == NOWHERE || word(CROWDED_CELLS) != 0u) {
        return;
    }
    me.extent = max(me.extent, end.extent);
    let reach = vec3f(me.extent);
    let box = array<vec3f, 2>(min(me.anchor, end.anchor) - reach, max(me.anchor, end.anchor) + reach);
    for (var levels = word(LEVELS); levels != 0u; levels &= levels - 1u) {
        walk_level(ends.x, box, firstTrailingBit(levels));
    }
}
