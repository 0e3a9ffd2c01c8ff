// The distance to ground of given heights: src/mesh/heights.rs does the same, and there is why.

// The normal at a place of the rectangle (xyz), and how far above its tangent plane a height is (w).
fn over_ground(c: Collider, flat: vec2f, height: f32) -> vec4f {
    let cells = vec2f(c.nodes.xy - 1u);
    let place = clamp(flat / c.size.xz + 0.5, vec2f(0.0), vec2f(1.0)) * cells;
    let first = min(vec2u(place), c.nodes.xy - 2u);
    let at = place - vec2f(first);
    let node = c.first + first.y * c.nodes.x + first.x;
    let near = vec2f(sample(node), sample(node + 1u));
    let far = vec2f(sample(node + c.nodes.x), sample(node + c.nodes.x + 1u));
    let along_x = mix(near, far, at.y);
    let ends = vec2f(mix(near.x, near.y, at.x), mix(far.x, far.y, at.x));
    let slope = vec2f(along_x.y - along_x.x, ends.y - ends.x) * cells / c.size.xz;
    let up = vec3f(-slope.x, 1.0, -slope.y);
    let steepness = 1.0 / length(up);
    return vec4f(up, height - mix(ends.x, ends.y, at.y)) * steepness;
}

// Outward normal (xyz) and distance (w) of a point in the collider's frame, x and z of its size being those of the rectangle.
fn ground_distance(c: Collider, point: vec3f) -> vec4f {
    let half = 0.5 * c.size.xz;
    let held = clamp(point.xz, -half, half);
    let top = over_ground(c, held, point.y);
    let away = vec3f(point.x - held.x, 0.0, point.z - held.y);
    let beyond = length(away);
    if (beyond > 0.0) {
        let towards = away + top.xyz * max(top.w, 0.0);
        return vec4f(normalize(towards), length(vec2f(beyond, max(top.w, 0.0))));
    }
    let walls = abs(point.xz) - half;
    let wall = max(walls.x, walls.y);
    if (top.w >= wall) {
        return top;
    }
    let side = select(vec2f(1.0), vec2f(-1.0), point.xz < vec2f(0.0));
    return vec4f(select(vec3f(side.x, 0.0, 0.0), vec3f(0.0, 0.0, side.y), walls.y > walls.x), wall);
}
