// A collider as it stands at the substep's end: the gap to it, and the way of its surface. Points are relative to its place there.

// What no collider of the scene needs is compiled out: frames for other shapes than planes and spheres, turning.
override FRAMES: bool = true;
override TURNS: bool = true;

// Outward normal (xyz) and gap (w) of a particle: its distance from the surface less its radius. What a container leaves to the centre has
// corners: so one plane holds it from all faces that meet there.
fn gap_to(c: Collider, point: vec3f, radius: f32) -> vec4f {
    if (!FRAMES) {
        let near = ball(point, select(c.size.x + radius, max(c.size.x - radius, 0.0), c.inside != 0u));
        let plane = vec4f(c.axis_y, dot(c.axis_y, point) - radius);
        return select(select(near, -near, c.inside != 0u), plane, c.shape == PLANE);
    }
    let own = vec3f(dot(c.axis_x, point), dot(c.axis_y, point), dot(c.axis_z, point));
    var near: vec4f;
    if (c.shape >= GRID) {
        near = field_distance(c, own);
        near = select(near, -near, c.inside != 0u) - vec4f(0.0, 0.0, 0.0, radius);
    } else if (c.inside != 0u) {
        near = -shape_distance(c.shape, shrunk(c.shape, c.size, radius), own);
    } else {
        near = shape_distance(c.shape, c.size, own) - vec4f(0.0, 0.0, 0.0, radius);
    }
    return vec4f(near.x * c.axis_x + near.y * c.axis_y + near.z * c.axis_z, near.w);
}

// A point that turns along with the collider, from the beginning of the substep to its end: by the quaternion (v, w),
//   R p = p + 2 v × (w p + v × p).
fn turned(c: Collider, point: vec3f) -> vec3f {
    if (!TURNS) {
        return point;
    }
    return point + 2.0 * cross(c.turn, half_cosine(c) * point + cross(c.turn, point));
}

// w of the quaternion
fn half_cosine(c: Collider) -> f32 {
    return sqrt(max(1.0 - dot(c.turn, c.turn), 0.0));
}

// The way of the surface in this substep. Along the surface it is that of a point of its material, which turns on a chord:
//   p - R⁻¹ p = 2 v × (w p - v × p),
// so that what sticks to a turntable stays where it is on it. Across the surface it is what the velocity at a second point makes: the
// material of a turning ball leaves the ball on its chord, but the surface stays.
fn carried_at(c: Collider, material: vec3f, point: vec3f, normal: vec3f) -> vec3f {
    var along = c.belt;
    var across = 0.0;
    if (TURNS) {
        along += 2.0 * cross(c.turn, half_cosine(c) * material - cross(c.turn, material));
        across = dot(normal, cross(c.spin, point));
    }
    return c.displacement + along + (across - dot(normal, along)) * normal;
}
