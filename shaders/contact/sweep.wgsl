// What bounds a particle's motion at a collider, so that nothing passes through however fast it is or however thin the solid. The particle's
// way is straight in the frame of the collider as it stands at the end: from its place at the beginning, which turns along with the
// collider, to the predicted one. The plane is that of the surface where the way first touches; for what rests or slides there, as it comes
// with `calm` at most, that of the surface nearest to the predicted place, which follows a round shape, unless that is another side.

// As many steps find a first touch; what grazes a surface and needs more is held where they end, outside.
const STEPS: u32 = 16u;
// A sweep ends with a step of less than this share of the way.
const SHORT_STEP: f32 = 1e-4;
// Normals that differ by less than 60° are those of one side.
const SAME_SIDE: f32 = 0.5;

struct Near {
    point: vec3f,           // the particle's centre, relative to the collider's place
    gap: f32,               // its distance less its radius, m
    normal: vec3f,          // out of the collider
}

struct Touch {
    normal: vec3f,
    value: f32,             // C at the predicted place, m
    carried: vec3f,         // the way of the collider's surface, m
}

fn near_to(c: Collider, point: vec3f, radius: f32) -> Near {
    let near = gap_to(c, point, radius);
    return Near(point, near.w, near.xyz);
}

// `start` is relative to the collider's place at the beginning of the substep, `end` to that at its end.
fn touch(c: Collider, start: vec3f, end: vec3f, radius: f32, calm: f32) -> Touch {
    let near = near_to(c, end, radius);
    let way = end - turned(c, start);
    // Distances change by no more than the way.
    if (near.gap >= length(way)) {
        return Touch(near.normal, near.gap, carried_at(c, end, end, near.normal));
    }
    // A convex solid lies beyond the plane through its nearest point: the way is free as far as that, and altogether if it ends before.
    let begin = end - way;
    var first = near_to(c, begin, radius);
    let outside = first.gap > 0.0;
    var rest = 1.0;
    for (var i = 0u; i < STEPS && first.gap > 0.0; i += 1u) {
        let closing = -dot(first.normal, way);
        if (closing * rest <= first.gap) {
            return Touch(near.normal, near.gap, carried_at(c, end, end, near.normal));
        }
        let step = first.gap / closing;
        rest -= step;
        first = near_to(c, begin + (1.0 - rest) * way, radius);
        if (step < SHORT_STEP) {
            break;
        }
    }
    let same_side = dot(first.normal, near.normal) > SAME_SIDE;
    let passed = near.gap > 0.0 && outside;
    let struck = -dot(first.normal, way) > calm;
    var bounding = first;
    // Nobody passes through the wall of a container.
    if (c.inside != 0u || (same_side && !passed && !struck)) {
        bounding = near;
    }
    let material = first.point - radius * first.normal;
    let value = bounding.gap + dot(bounding.normal, end - bounding.point);
    return Touch(bounding.normal, value, carried_at(c, material, bounding.point, bounding.normal));
}
