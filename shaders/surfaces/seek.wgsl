// A face finds the features near its own.

// Nodes for which an invocation has time: beyond is a crowd in one place. Fewer where loops have an end.
const MOST_NODES: u32 = 262144u;
const FEWER_NODES: u32 = 3000u;
// An odd number, so that no two contacts have one key; without it the bids would go along the surface one by one.
const SCATTER: u32 = 0x9e3779b1u;

// Of two faces, the first one's corners before the other's.
var<private> begin: array<vec3f, 6>;
var<private> end: array<vec3f, 6>;
var<private> corner: array<u32, 6>;
var<private> same: array<u32, 6>;
var<private> free: array<bool, 6>;
var<private> one: vec4u;
var<private> other: vec4u;
var<private> me: u32;
// What is found comes nearer than its distance and so many of the sum of the radii.
var<private> slack: f32;
// Nodes that were looked at so far, and whether there was no time for all.
var<private> looked: u32;
var<private> cut: bool;

fn load_face(face: vec4u, first: u32) {
    let origin = x[one.x].xyz;
    load_corner(face.x, first, origin);
    load_corner(face.y, first + 1u, origin);
    load_corner(face.z, first + 2u, origin);
}

fn load_corner(v: u32, at: u32, origin: vec3f) {
    let place = x[v];
    let anchor = lattice_way(origin, place.xyz);
    begin[at] = anchor + e[v];
    end[at] = anchor + d[v].xyz;
    corner[at] = v;
    same[at] = surface_vertices[v].same;
    free[at] = place.w > 0.0;
}

fn is_face(face: vec4u) -> bool {
    return face.y != face.z;
}

fn is_point(face: vec4u) -> bool {
    return face.x == face.y;
}

fn owns(face: vec4u, k: u32) -> bool {
    return (face.w >> k & 1u) == 1u;
}

// A bit for each corner of the other face that is this one's.
fn common_of(k: u32) -> u32 {
    return dot(vec3u(1u, 2u, 4u), select(vec3u(0u), vec3u(1u), vec3u(same[3], same[4], same[5]) == vec3u(same[k])));
}

fn meet(partner: u32) {
    other = face_at(partner);
    if (!bodies_meet(body_of(one), body_of(other))) {
        return;
    }
    load_face(other, 3u);
    let in_common = common_of(0u) | (common_of(1u) << 3u) | (common_of(2u) << 6u);
    let sum = radius_of(one) + radius_of(other);
    if (in_common != 0u || !faces_far_apart((1.0 + slack) * sum)) {
        consider_all(sum, in_common);
    }
}

// Lists what comes near a face: of the later faces, or where it has strayed in this turn of all that have not looked
// themselves. Needs the levels.
fn seek(face: u32, turn: u32) {
    me = face;
    one = face_at(face);
    load_face(one, 0u);
    let mine = box_at(face);
    slack = select(2.0 * SLACK, SLACK, turn == 0u);
    var level = top;
    var node = 0u;
    loop {
        looked += 1u;
        if (looked > min(MOST_NODES, most_loops(FEWER_NODES))) {
            cut = true;
            return;
        }
        let behind = turn != 0u || ((node + 1u) << (OF_WIDTH * level)) > face + 1u;
        if (behind && boxes_meet(mine, box_at(level_first[level] + node))) {
            if (level > 0u) {
                level -= 1u;
                node = node << OF_WIDTH;
                continue;
            }
            // Each two faces once.
            if (node > face || (turn != 0u && node != face && !has_strayed(face_at(node), turn))) {
                meet(node);
            }
        }
        node += 1u;
        while (level <= top && ((node & (WIDTH - 1u)) == 0u || node == level_size[level])) {
            node = ((node - 1u) >> OF_WIDTH) + 1u;
            level += 1u;
        }
        if (level > top) {
            return;
        }
    }
}
