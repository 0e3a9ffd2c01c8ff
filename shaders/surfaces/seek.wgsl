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

// The least and the largest of three corners along an axis.
fn span(axis: vec3f, a: vec3f, b: vec3f, c: vec3f) -> vec2f {
    let along = vec3f(dot3(axis, a), dot3(axis, b), dot3(axis, c));
    return vec2f(min(min(along.x, along.y), along.z), max(max(along.x, along.y), along.z));
}

fn far_along(axis: vec3f, reach: f32) -> bool {
    let wanted = reach * length3(axis);
    let a = span(axis, begin[0], begin[1], begin[2]);
    let b = span(axis, begin[3], begin[4], begin[5]);
    let c = span(axis, end[0], end[1], end[2]);
    let f = span(axis, end[3], end[4], end[5]);
    return (a.x - b.y > wanted && c.x - f.y > wanted) || (b.x - a.y > wanted && f.x - c.y > wanted);
}

// Whether the faces are farther apart than `reach` where they begin and where they end, along the axis through their middles or one of their normals.
fn faces_far_apart(reach: f32) -> bool {
    return far_along((end[0] + end[1] + end[2]) - (end[3] + end[4] + end[5]), reach)
        || far_along(cross3(end[1] - end[0], end[2] - end[0]), reach)
        || far_along(cross3(end[4] - end[3], end[5] - end[3]), reach);
}

// Lists a pair of features if it comes near; by corners.
fn consider(edges: bool, at: vec4u, sum: f32) {
    let motion = Motion(
        Places(begin[at.x], begin[at.y], begin[at.z], begin[at.w]),
        Places(end[at.x], end[at.y], end[at.z], end[at.w]),
        edges,
    );
    let reach = (1.0 + slack) * sum;
    if (!(free[at.x] || free[at.y] || free[at.z] || free[at.w]) || are_far_apart(motion, reach)) {
        return;
    }
    let certificate = certificate_of(motion);
    if (!(certificate.before > 0.0 && certificate.gap < reach)) {
        return;
    }
    let v = vec4u(corner[at.x], corner[at.y], corner[at.z], corner[at.w]);
    let placed = placed_at(v);
    let distance = touching_distance(sum, length3(weighted(feature_weights(edges, placed), placed)));
    if (certificate.gap < fma(slack, sum, distance)) {
        append(v, edges, distance);
    }
}

fn append(v: vec4u, edges: bool, distance: f32) {
    let ordinal = surface_nodes[me].listed;
    let count = faces();
    if (ordinal >= 0xffffffffu / count) {
        cut = true;
        return;
    }
    surface_nodes[me].listed = ordinal + 1u;
    let at = atomicAdd(&surface_contacts.wanted, 1u);
    if (at < room()) {
        surface_contacts.list[at].vertices = v;
        surface_contacts.list[at].edges = select(0u, 1u, edges);
        surface_contacts.list[at].bodies = vec2u(body_of(one), body_of(other));
        surface_contacts.list[at].distance = distance;
        surface_contacts.list[at].key = (me + ordinal * count) * SCATTER;
        surface_contacts.list[at].lambda = 0.0;
        surface_contacts.list[at].pressed = 0u;
    }
}

// Goes through all pairs of features that the two faces own and that share no vertex: `Face::pairs` in src/pass/surfaces/features.rs.
fn consider_all(sum: f32, in_common: u32) {
    for (var k = 0u; k < 3u; k += 1u) {
        if (is_face(other) && owns(one, k) && (in_common >> (3u * k) & 7u) == 0u) {
            consider(false, vec4u(k, 3u, 4u, 5u), sum);
        }
    }
    for (var k = 0u; k < 3u; k += 1u) {
        if (is_face(one) && owns(other, k) && (in_common >> k & 0x49u) == 0u) {
            consider(false, vec4u(3u + k, 0u, 1u, 2u), sum);
        }
    }
    if ((is_point(one) && is_face(other)) || (is_face(one) && is_point(other))) {
        return;
    }
    for (var at = 0u; at < 9u; at += 1u) {
        let a = at / 3u;
        let c = at % 3u;
        let b = (a + 1u) % 3u;
        let f = (c + 1u) % 3u;
        let ends = (1u << (3u * a + c)) | (1u << (3u * a + f)) | (1u << (3u * b + c)) | (1u << (3u * b + f));
        if (owns(one, 3u + a) && owns(other, 3u + c) && (in_common & ends) == 0u) {
            consider(true, vec4u(a, b, 3u + c, 3u + f), sum);
        }
    }
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

fn has_strayed(face: vec4u, turn: u32) -> bool {
    return surface_vertices[face.x].stray == turn || surface_vertices[face.y].stray == turn || surface_vertices[face.z].stray == turn;
}

// Lists what comes near a face: of the later faces, or where it has strayed in this turn of all that have not looked themselves. Needs the levels.
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
