// Plane colliders: a floor with a grid that fades out with the distance from what the camera looks at.
struct GroundVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) from_centre: vec2f,
    @location(2) @interpolate(flat) normal: vec3f,
    /// Phase of the grid at the centre in cells, cell in m, radius at which the plane has faded out in m.
    @location(3) @interpolate(flat) grid: vec4f,
}

const FLOOR = vec3f(0.74, 0.735, 0.725);
/// Cells between two strong lines.
const MAJOR = 5.0;

@vertex
fn ground_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) centre: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec3f,
    @location(3) grid: vec4f,
) -> GroundVertex {
    let xy = corner(vertex) * grid.w;
    let local = centre + tangent * xy.x + cross(normal, tangent) * xy.y;
    return GroundVertex(frame.clip_from_local * vec4f(local, 1.0), local, xy, normal, grid);
}

/// Coverage of grid lines at whole numbers of `place`. Where lines would be thinner than a pixel they are drawn a pixel
/// wide and fainter, and where cells are smaller than pixels they give way to their mean: no moiré (Golus 2023).
fn grid_lines(place: vec2f, width: f32) -> f32 {
    let change = max(fwidth(place), vec2f(1e-6));
    let drawn = clamp(vec2f(width), change, vec2f(0.5));
    let away = abs(fract(place - 0.5) - 0.5);
    let sharp = 1.0 - smoothstep(drawn * 0.5 - change * 0.75, drawn * 0.5 + change * 0.75, away);
    let faint = sharp * clamp(width / drawn, vec2f(0.0), vec2f(1.0));
    let line = mix(faint, vec2f(width), clamp(change * 2.0 - 1.0, vec2f(0.0), vec2f(1.0)));
    return mix(line.x, 1.0, line.y);
}

@fragment
fn ground_fragment(in: GroundVertex) -> @location(0) vec4f {
    let place = in.grid.xy + in.from_centre / in.grid.z;
    let minor = grid_lines(place, 0.03);
    let major = grid_lines(place / MAJOR, 0.012);
    let colour = FLOOR * (1.0 - 0.38 * max(minor * 0.55, major));
    let alpha = 1.0 - smoothstep(0.3, 1.0, length(in.from_centre) / in.grid.w);
    let open = openness(in.clip.xy, in.local);
    let light = shade(Matter(colour, 0.0, 0.0, 0.0), in.local, in.normal, in.normal, open);
    return vec4f(picture(light), alpha);
}

/// Its normal in place of its colour.
@fragment
fn ground_prepass_fragment(in: GroundVertex) -> @location(0) vec4f {
    return vec4f(in.normal, 0.0);
}
