// The signed distance to each shape of a collider: outward normal (xyz) at the nearest surface point, and distance (w), negative in the
// solid, of a point in the collider's frame. Size is half the edges of a box; x the radius and y half the length of the others.

fn ball(point: vec3f, radius: f32) -> vec4f {
    let length = length(point);
    return vec4f(select(vec3f(0.0, 1.0, 0.0), point / length, length > 0.0), length - radius);
}

// To the octant below zero in all coordinates: outside from the nearest face, edge or corner, inside from the nearest face.
fn octant(point: vec3f) -> vec4f {
    let beyond = max(point, vec3f(0.0));
    let length = length(beyond);
    if (length > 0.0) {
        return vec4f(beyond / length, length);
    }
    let deepest = max(point.x, max(point.y, point.z));
    if (point.x == deepest) {
        return vec4f(1.0, 0.0, 0.0, deepest);
    }
    return select(vec4f(0.0, 0.0, 1.0, deepest), vec4f(0.0, 1.0, 0.0, deepest), point.y == deepest);
}

fn box(point: vec3f, half: vec3f) -> vec4f {
    let near = octant(abs(point) - half);
    return vec4f(near.xyz * select(vec3f(1.0), vec3f(-1.0), point < vec3f(0.0)), near.w);
}

fn cylinder(point: vec3f, radius: f32, half: f32) -> vec4f {
    let from_axis = length(point.xz);
    let radial = select(vec2f(1.0, 0.0), point.xz / from_axis, from_axis > 0.0);
    // In the half-plane through the axis it is a rectangle.
    let near = octant(vec3f(from_axis - radius, abs(point.y) - half, -1e30));
    let side = select(1.0, -1.0, point.y < 0.0);
    return vec4f(near.x * radial.x, near.y * side, near.x * radial.y, near.w);
}

fn shape_distance(shape: u32, size: vec3f, point: vec3f) -> vec4f {
    switch shape {
        case PLANE: {
            return vec4f(0.0, 1.0, 0.0, point.y);
        }
        case SPHERE: {
            return ball(point, size.x);
        }
        case CAPSULE: {
            return ball(vec3f(point.x, point.y - clamp(point.y, -size.y, size.y), point.z), size.x);
        }
        case BOX: {
            return box(point, size);
        }
        default: {
            return cylinder(point, size.x, size.y);
        }
    }
}

// The size with all that is nearer to the surface than a distance taken away.
fn shrunk(shape: u32, size: vec3f, by: f32) -> vec3f {
    let less = max(size - by, vec3f(0.0));
    return select(less, vec3f(less.x, size.yz), shape == SPHERE || shape == CAPSULE);
}
