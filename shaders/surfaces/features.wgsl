// Which features of two faces come near: they are listed.

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

// Whether the faces are farther apart than `reach` where they begin and where they end, along the axis through their
// middles or one of their normals.
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

// Goes through all pairs of features that the two faces own and that share no vertex: `Face::pairs` in
// src/pass/surfaces/features.rs.
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
