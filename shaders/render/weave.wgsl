// A plain weave: threads along two directions, each over and under the others in turn, as a sum of waves. A wave of which
// a pixel covers much is weaker by what averaging it over the pixel leaves, so that from afar cloth has its mean colour.
struct Weave {
    /// Height of the threads around their mean, in threads.
    height: f32,
    slope: vec2f,
    /// Brightness of the threads around 1.
    tone: f32,
}

const PI = 3.14159265;

fn random(cell: vec2f) -> f32 {
    var n = bitcast<u32>(i32(cell.x)) * 0x9E3779B1u ^ bitcast<u32>(i32(cell.y)) * 0x85EBCA77u;
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    n = (n ^ (n >> 12u)) * 0x297A2D39u;
    return f32((n ^ (n >> 15u)) >> 8u) / 16777216.0 - 0.5;
}

/// Threads differ a little, and along their length: -0.5 to 0.5, smooth along.
fn slub(across: f32, along: f32) -> f32 {
    let cell = vec2f(floor(across), floor(along));
    let part = smoothstep(0.0, 1.0, along - cell.y);
    return mix(random(cell), random(cell + vec2f(0.0, 1.0)), part);
}

/// `place` in threads; `width`: that of a pixel in threads.
fn weave_at(place: vec2f, width: vec2f) -> Weave {
    let phase = PI * place;
    let s = sin(phase);
    let c = cos(phase);
    // Averaging a wave over a pixel, as by a Gaussian of half its width.
    let once = exp(-1.25 * width * width);
    let twice = once * once * once * once;
    let round = 0.5 - (0.5 - s * s) * twice;
    let round_slope = 2.0 * PI * s * c * twice;
    let over = s.x * s.y * once.x * once.y;
    let over_slope = PI * vec2f(c.x * s.y, s.x * c.y) * once.x * once.y;
    let difference = round.x - round.y;
    let height = 0.5 * (round.x + round.y - 1.0) + 0.5 * over * difference;
    let slope = 0.5 * round_slope + 0.5 * (over_slope * difference + over * round_slope * vec2f(1.0, -1.0));
    let fine = slub(place.x, place.y / 17.0) * (0.5 + 0.5 * over) * twice.x
        + slub(place.y + 977.0, place.x / 17.0) * (0.5 - 0.5 * over) * twice.y;
    // Thicker yarns: bundles of a few threads, seen from farther.
    let bundle = exp(-0.12 * width * width);
    let coarse = slub(place.x / 3.0, place.y / 41.0) * bundle.x + slub(place.y / 3.0 + 977.0, place.x / 41.0) * bundle.y;
    return Weave(height, slope, 1.0 + 0.38 * height + 0.05 * over + 0.16 * fine + 0.05 * coarse);
}

/// The weave of a surface with these material coordinates in threads, in the plane that its material faces most.
fn weave_of(material: vec3f, across: vec3f, down: vec3f) -> WeaveOnSurface {
    let faces = abs(cross(across, down));
    var place = material.xy;
    var x = across.xy;
    var y = down.xy;
    if faces.x > faces.y && faces.x > faces.z {
        place = material.yz;
        x = across.yz;
        y = down.yz;
    } else if faces.y > faces.z {
        place = material.zx;
        x = across.zx;
        y = down.zx;
    }
    let weave = weave_at(place, sqrt(x * x + y * y));
    return WeaveOnSurface(weave.tone, vec2f(dot(weave.slope, x), dot(weave.slope, y)));
}

struct WeaveOnSurface {
    tone: f32,
    /// Change of height from a pixel to the next across and down, in threads.
    rise: vec2f,
}
