// Strands that are flat: strips of paper, and blades of grass, which taper to a point.
struct RibbonVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) style: u32,
    @location(3) heat: f32,
    /// -1 to 1 from one edge to the other.
    @location(4) across: f32,
    @location(5) @interpolate(flat) tone: f32,
}

@vertex
fn ribbon_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) nodes: vec4u,
    @location(1) style: u32,
    @location(2) half_widths: vec2f,
    @location(3) sideways: vec3f,
    @location(4) seed: u32,
) -> RibbonVertex {
    let at = corner(array(0u, 1u, 2u, 2u, 1u, 3u)[vertex % 6u]);
    let t = f32(vertex / 6u + select(0u, 1u, at.y > 0.0)) / f32(PARTS);
    let step = 0.5 / f32(PARTS);
    let place = curve_at(nodes, nodes, 0.0, t);
    let tangent = curve_at(nodes, nodes, 0.0, t + step) - curve_at(nodes, nodes, 0.0, t - step);
    let side = direction(cross(cross(tangent, sideways), tangent), sideways);
    let local = place + side * (at.x * mix(half_widths.x, half_widths.y, t));
    let heat = shown_heat(select(nodes.z, nodes.y, t < 0.5));
    let tone = 1.0 + styles[style].mottle * hash(vec3i(i32(seed), 5, 3));
    let normal = direction(cross(side, tangent), frame.up);
    return RibbonVertex(frame.clip_from_local * vec4f(local, 1.0), local, normal, style, heat, at.x, tone);
}

fn ribbon_normal(in: RibbonVertex) -> vec3f {
    let view = toward_eye(in.local);
    let normal = direction(in.normal, view);
    return select(-normal, normal, dot(normal, view) > 0.0);
}

@fragment
fn ribbon_fragment(in: RibbonVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let normal = ribbon_normal(in);
    let open = openness(in.clip.xy, in.local);
    if in.heat >= 0.0 {
        return vec4f(heated(in.heat, in.local, normal, open), 1.0);
    }
    let style = styles[in.style];
    // A rib along the middle, where it tapers.
    let rib = 1.0 - 0.18 * style.mottle * (1.0 - smoothstep(0.05, 0.2, abs(in.across)));
    let colour = select(style.back, style.front, front) * in.tone * rib;
    return vec4f(picture(shade(matter_of(style, colour), in.local, normal, normal, open)), 1.0);
}

/// Its normal in place of its colour.
@fragment
fn ribbon_prepass_fragment(in: RibbonVertex) -> @location(0) vec4f {
    return vec4f(ribbon_normal(in), 0.0);
}
