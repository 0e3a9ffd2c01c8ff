// The boxes of faces, and of the nodes in the two levels above them; in the second search of a substep of those that
// have strayed.

// Whether it is the second search.
override AGAIN: bool = false;

var<workgroup> lows: array<vec3f, GROUP_SIZE>;
var<workgroup> highs: array<vec3f, GROUP_SIZE>;
var<workgroup> strays: u32;

// The mean way of some vertices, of which all boxes of a substep are less.
fn mean_way(lane: u32, count: u32) -> vec3f {
    if (AGAIN) {
        return surface_contacts.common_way;
    }
    let v = face_at((lane * count) / GROUP_SIZE).x;
    lows[lane] = d[v].xyz - e[v];
    workgroupBarrier();
    for (var half = GROUP_SIZE / 2u; half > 0u; half /= 2u) {
        if (lane < half) {
            lows[lane] += lows[lane + half];
        }
        workgroupBarrier();
    }
    let sum = lows[0];
    workgroupBarrier();
    return sum / f32(GROUP_SIZE);
}

// Of eight entries.
fn enclosed(first: u32) -> Box {
    var box = no_box();
    for (var k = first; k < first + WIDTH; k += 1u) {
        box = around_both(box, Box(lows[k], highs[k]));
    }
    return box;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(global_invocation_id) id: vec3u) {
    let count = faces();
    if (AGAIN) {
        if (lane == 0u) {
            strays = atomicLoad(&surface_contacts.strays);
        }
        if (workgroupUniformLoad(&strays) == 0u) {
            return;
        }
    }
    let common_way = mean_way(lane, count);
    load_levels(count);
    let face = item(id);
    if (face == 0u && !AGAIN) {
        surface_contacts.common_way = common_way;
    }
    var box = no_box();
    if (face < count) {
        let corners = face_at(face);
        if (AGAIN && !has_strayed(corners, surface_contacts.turn)) {
            box = box_at(face);
        } else {
            box = box_of(corners, common_way);
            put_box(face, box);
            if (!AGAIN) {
                surface_nodes[face].listed = 0u;
            }
        }
    }
    lows[lane] = box.low;
    highs[lane] = box.high;
    workgroupBarrier();
    let node = face >> OF_WIDTH;
    let is_first = (lane & (WIDTH - 1u)) == 0u;
    box = no_box();
    if (is_first) {
        box = enclosed(lane);
        if (top > 0u && node < level_size[1]) {
            put_box(level_first[1] + node, box);
        }
    }
    workgroupBarrier();
    if (is_first) {
        lows[lane >> OF_WIDTH] = box.low;
        highs[lane >> OF_WIDTH] = box.high;
    }
    workgroupBarrier();
    let above = face >> (2u * OF_WIDTH);
    if ((lane & (WIDTH * WIDTH - 1u)) == 0u && top > 1u && above < level_size[2]) {
        put_box(level_first[2] + above, enclosed(lane >> OF_WIDTH));
    }
}
