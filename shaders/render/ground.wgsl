// Plane colliders, and the stage under a scene that has none: a warm, matt floor that fades into the horizon.
struct GroundVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) from_centre: vec2f,
    @location(2) @interpolate(flat) normal: vec3f,
    /// Radius at which the plane has faded out, m.
    @location(3) @interpolate(flat) radius: f32,
    @location(4) @interpolate(flat) style: u32,
}

@vertex
fn ground_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) centre: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec3f,
    @location(3) radius: f32,
    @location(4) style: u32,
) -> GroundVertex {
    let xy = corner(vertex) * radius;
    let local = centre + tangent * xy.x + cross(normal, tangent) * xy.y;
    return GroundVertex(frame.clip_from_local * vec4f(local, 1.0), local, xy, normal, radius, style);
}

@fragment
fn ground_fragment(in: GroundVertex) -> @location(0) vec4f {
    let style = styles[in.style];
    let away = length(in.from_centre) / in.radius;
    let open = openness(in.clip.xy, in.local);
    let light = shade(matter_of(style, style.front), in.local, in.normal, in.normal, open);
    // Far away the floor takes the colour of the haze before it fades, so that no line shows where it ends.
    let hazy = mix(light, HORIZON, 0.75 * smoothstep(0.12, 0.9, away));
    return vec4f(picture(hazy), 1.0 - smoothstep(0.25, 1.0, away));
}

/// Its normal in place of its colour.
@fragment
fn ground_prepass_fragment(in: GroundVertex) -> @location(0) vec4f {
    return vec4f(in.normal, 0.0);
}
