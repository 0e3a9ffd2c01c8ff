// Foam and spray: white specks around particles that are fast and have few neighbours.
/// Vertices of a speck, and the radius of the largest, spacings.
const CORNERS = 6u;
const LARGEST = 0.07;

@vertex
fn spray_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) drop: u32,
    @location(0) ball: vec4f,
    @location(1) axis: vec3f,
    @location(2) style: u32,
) -> BallVertex {
    let speck = vertex / CORNERS;
    let seed = vec3i(i32(drop), i32(speck), 0);
    let at = vec3f(hash(seed), hash(seed + vec3i(0, 0, 1)), hash(seed + vec3i(0, 0, 2)));
    let chance = 0.5 + 0.5 * hash(seed + vec3i(0, 0, 3));
    let foam = f32(style >> 24u) / 255.0;
    let corners = array(0u, 1u, 2u, 2u, 1u, 3u);
    let radius = LARGEST * frame.spacing * (0.35 + 0.65 * chance * chance) * step(chance, foam * 0.98);
    let centre = ball.xyz + at * 0.7 * frame.spacing;
    // What is smaller than a pixel is drawn as large as one, and covers as much less of it.
    let share = radius / (0.7 * pixel_at(centre));
    var out = ball_quad(corners[vertex % CORNERS], centre, radius, 0u, -1.0, min(share * share, 1.0));
    // Nothing is left of what does not foam.
    out.clip = select(vec4f(0.0, 0.0, -1.0, 1.0), out.clip, radius > 0.0);
    return out;
}

/// White water scatters all the light that there is, and lets none be seen through.
const WHITE = vec3f(1.9, 1.98, 2.05);

@fragment
fn spray_fragment(in: BallVertex) -> @location(0) vec4f {
    let at = meet(in, -1.0);
    if at.coverage <= 0.0 {
        discard;
    }
    let sun = sunlight(at.local, frame.sun) * through_liquid(at.local);
    return vec4f(picture(WHITE * (0.55 + 0.45 * sun)), at.coverage * in.tone);
}
