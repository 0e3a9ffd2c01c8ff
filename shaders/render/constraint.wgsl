// Constraints as lines, each in the colour of its batch or of its stretch.
@vertex
fn constraint_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) ends: vec2u,
    @location(1) rest: f32,
    @location(2) colour: vec4f,
    @location(3) style: u32,
) -> LineVertex {
    let a = local_position(ends.x);
    let b = local_position(ends.y);
    let batch = pow(colour.rgb, vec3f(2.2));
    let shown = select(batch, heat(stretch_heat(distance(a, b), rest)), frame.lines_heated > 0.0);
    return line_corner(vertex, a, b, vec4f(shown, 0.95), 2.0 * styles[style].pull + pixel_at(a));
}
