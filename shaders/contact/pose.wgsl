// A collider as it stands at the substep's end: distance to it, and the way of its surface. Points are relative to its place there.

// Outward normal (xyz) and distance to the surface (w).
fn distance_to(c: Collider, point: vec3f) -> vec4f {
    let own = vec3f(dot(c.axis_x, point), dot(c.axis_y, point), dot(c.axis_z, point));
    var near: vec4f;
    if (c.shape < GRID) {
        near = shape_distance(c.shape, c.size, own);
    } else {
        near = field_distance(c, own);
    }
    let world = vec4f(near.x * c.axis_x + near.y * c.axis_y + near.z * c.axis_z, near.w);
    return select(world, -world, c.inside != 0u);
}

// The way in this substep of a point of the surface. Along the surface it is that of the material there, which turns on a chord:
//   p - R⁻¹ p = 2 v × (w p - v × p),  R = (v, w) as a quaternion,
// so that what sticks to a turntable stays where it is on it. Across the surface it is the velocity there: the material of a turning ball
// leaves the ball on its chord, but the surface stays.
fn carried_at(c: Collider, point: vec3f, normal: vec3f) -> vec3f {
    let cosine = sqrt(1.0 - dot(c.turn, c.turn));
    let chord = 2.0 * cross(c.turn, cosine * point - cross(c.turn, point));
    let along = c.displacement + c.belt + chord;
    let across = dot(normal, c.displacement + cross(c.spin, point));
    return along + (across - dot(normal, along)) * normal;
}
