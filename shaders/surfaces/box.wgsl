// Boxes round the ways of faces.

// How far boxes reach beyond the ways of vertices, in radii, and beyond that for rounding, by the largest coordinate.
const REACH: f32 = 1.0 + 2.0 * SLACK;
const OF_COORDINATES: f32 = 4.76837158203125e-7;

// Less the way that all vertices have in common: what falls together stays apart.
fn box_of(face: vec4u, common_way: vec3f) -> Box {
    var box = no_box();
    for (var k = 0u; k < 3u; k += 1u) {
        let place = x[face[k]].xyz;
        let begin = place + e[face[k]];
        let end = place + (d[face[k]].xyz - common_way);
        box = around_both(box, Box(min(begin, end), max(begin, end)));
    }
    let most = max(abs(box.low), abs(box.high));
    let reach = vec3f(REACH * radius_of(face) + OF_COORDINATES * max(max(most.x, most.y), most.z));
    // Of what is not a number there is none.
    if (!all(box.low <= box.high) || !(radius_of(face) > 0.0)) {
        return no_box();
    }
    return Box(box.low - reach, box.high + reach);
}
