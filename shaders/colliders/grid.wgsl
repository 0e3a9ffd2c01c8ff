// The signed distance to a closed mesh, from those at the nodes of a grid of cubic cells: src/mesh/distance/mod.rs does the same, and there
// is why.

fn direction_or(v: vec3f, otherwise: vec3f) -> vec3f {
    let length = length(v);
    return select(otherwise, v / length, length > 0.0);
}

// Outward normal (xyz) and distance (w) of a point in the collider's frame, in which the first node is at its `size`.
fn grid_distance(c: Collider, point: vec3f) -> vec4f {
    let place = (point - c.size) / c.cell;
    let held = clamp(place, vec3f(0.0), vec3f(c.nodes - 1u));
    let first = min(vec3u(held), c.nodes - 2u);
    let at = held - vec3f(first);
    let row = c.nodes.x;
    let layer = row * c.nodes.y;
    let node = c.first + first.z * layer + first.y * row + first.x;
    // The corners of the cell in pairs along x: at y and z = 0, at y = 1, at z = 1, at both.
    let low_ends = vec4f(sample(node), sample(node + row), sample(node + layer), sample(node + row + layer));
    let slopes =
        vec4f(sample(node + 1u), sample(node + row + 1u), sample(node + layer + 1u), sample(node + row + layer + 1u)) - low_ends;
    let edges = low_ends + slopes * at.x;
    let faces = mix(edges.xz, edges.yw, at.y);
    let side_slopes = mix(slopes.xz, slopes.yw, at.y);
    let gradient = vec3f(mix(side_slopes.x, side_slopes.y, at.z), mix(edges.y - edges.x, edges.w - edges.z, at.z), faces.y - faces.x);
    let distance = mix(faces.x, faces.y, at.z);
    let normal = direction_or(gradient, vec3f(0.0, 1.0, 0.0));
    let away = (place - held) * c.cell;
    let beyond = dot(away, away);
    if (beyond == 0.0) {
        return vec4f(normal, distance);
    }
    return vec4f(direction_or(away + normal * distance, normal), sqrt(beyond + distance * distance));
}
