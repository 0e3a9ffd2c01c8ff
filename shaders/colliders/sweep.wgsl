// What bounds a particle's motion at a collider, so that nothing passes through however fast it is or however thin the solid. The particle's
// way is straight in the frame of the collider as it stands at the end: from its place at the beginning, which turns along with the
// collider, to the predicted one. The plane is that of the surface where the way first touches; for what rests or slides there, or is not
// fast, that of the surface nearest to the predicted place, which follows a round shape, unless that is another side.

// As many steps find a first touch; what grazes a surface and needs more is held where they end, outside.
const STEPS: u32 = 16u;
// The same where steps go by the distance alone.
const MORE_STEPS: u32 = 64u;
// A sweep ends with a step of less than this share of the way.
const SHORT_STEP: f32 = 1e-4;
// What goes further than so many times `fine` in one substep is held where it first touched, what is slower where it is: slower hits
// and ways that graze would go this way or that by a rounding.
const FAST: f32 = 10.0;
// Normals that differ by less than 60° are those of one side.
const SAME_SIDE: f32 = 0.5;

// Whether there is a collider that one may pass, or that turns.
override SWEEPS: bool = true;

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

// What bounds a particle that is held by the plane of a first touch: that plane, or where the surface bends inwards from it that of the surface
// nearest to where it would be held, if it is one side.
fn further(c: Collider, first: Near, end: vec3f, radius: f32) -> Near {
    let value = first.gap + dot(first.normal, end - first.point);
    let near = near_to(c, end - min(value, 0.0) * first.normal, radius);
    if (near.gap < 0.0 && dot(first.normal, near.normal) > SAME_SIDE) {
        return near;
    }
    return first;
}

// `start` is relative to the collider's place at the beginning of the substep, `end` to that at its end.
fn touch(c: Collider, start: vec3f, end: vec3f, radius: f32, calm: f32) -> Touch {
    let near = near_to(c, end, radius);
    let way = end - turned(c, start);
    var bounding = near;
    var material = end;
    let convex = c.shape < GRID;
    let safe = select(1.0, c.cell, c.shape == HEIGHTS);
    let squared = dot(way, way);
    let short = fine(c);
    // Distances change by no more than the way, and a way that is short beside the solid leads to no other side.
    let free = near.gap > 0.0 && near.gap * near.gap * safe * safe >= squared;
    if (SWEEPS && !free && squared >= short * short) {
        let begin = end - way;
        var first = near;
        var outside = false;
        var missed = false;
        var rest = 1.0;
        // A convex solid lies beyond the plane through its nearest point: the way is free as far as that, and altogether if it ends before. Of
        // another shape nothing is known but the distance, as far as which the way is free in every direction (sphere tracing, Hart 1996).
        let steps = select(MORE_STEPS, STEPS, convex);
        for (var i = 0u; i <= steps; i += 1u) {
            first = near_to(c, begin + (1.0 - rest) * way, radius);
            // By more than a hair's breadth: what lies on the surface is on either side of it by a rounding.
            outside = outside || (i == 0u && first.gap > 1e-6 + 1e-3 * radius);
            let closing = select(sqrt(squared) / safe, -dot(first.normal, way), convex);
            missed = first.gap > 0.0 && closing * rest <= first.gap;
            let step = first.gap / closing;
            if (first.gap <= 0.0 || missed || step < SHORT_STEP) {
                break;
            }
            rest -= step;
        }
        let same_side = dot(first.normal, near.normal) > SAME_SIDE;
        let passed = near.gap > 0.0 && outside;
        let struck = -dot(first.normal, way) > calm;
        let fast = squared >= FAST * FAST * short * short;
        // Nobody passes through the wall of a convex container.
        if (!missed && (c.inside == 0u || !convex) && (!same_side || (fast && (passed || struck)))) {
            bounding = first;
            if (!convex) {
                bounding = further(c, first, end, radius);
            }
        }
        if (!missed) {
            material = first.point - radius * first.normal;
        }
    }
    let value = bounding.gap + dot(bounding.normal, end - bounding.point);
    return Touch(bounding.normal, value, carried_at(c, material, end, bounding.normal));
}

// A way shorter than this leads to no other side of a collider, nor much round it: over 1 % of a ball's radius its normal turns by 0.6°.
// What turns is followed for the sake of its surface's way.
fn fine(c: Collider) -> f32 {
    if (any(c.spin != vec3f(0.0)) || c.shape > CYLINDER) {
        return 0.0;
    }
    if (c.shape == PLANE || c.inside != 0u) {
        return 1e18;
    }
    let least = select(c.size.x, min(c.size.x, c.size.y), c.shape == BOX || c.shape == CYLINDER);
    return 0.01 * select(least, min(least, c.size.z), c.shape == BOX);
}
