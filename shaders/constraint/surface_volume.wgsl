// Volume that a closed surface of triangles abc encloses, relative to any point o.
//   C = sum of (a - o) x (b - o) . (c - o) / 6 - V        dC/da = sum of (b - a) x (c - a) / 6 over the triangles at a
// The gradient is taken between neighbours: relative to o, sums of large products would cancel. a's share of C is dC/da . (a - o) / 3;
// the first bears the rest volume, too.

struct SurfaceVolume {
    first: u32,
    count: u32,
    data: u32,
    rest_volume: f32,   // m³
    material: u32,
}

// members: at `data` where the triangles of each particle begin, and the end; there the slots of b and c of each.
fn surface_volume(c: SurfaceVolume, k: u32) -> EvaluationMany {
    let here = members[c.first + k];
    let end = members[c.data + k + 1u];
    var doubled_area = vec3f(0.0);
    for (var l = members[c.data + k]; l < end; l += 2u) {
        doubled_area += cross3(between(here, members[l]), between(here, members[l + 1u]));
    }
    let gradient = doubled_area / 6.0;
    let share = dot3(gradient / 3.0, member(c.first + k));
    return EvaluationMany(share - select(0.0, c.rest_volume, k == 0u), gradient);
}
