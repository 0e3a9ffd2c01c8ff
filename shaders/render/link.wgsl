// Constraints of two particles, as cylinders: a ribbon that faces the eye, shaded and placed in depth as if round.
struct LinkVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    /// -1 to 1 across the ribbon.
    @location(1) across: f32,
    @location(2) side: vec3f,
    @location(3) axis: vec3f,
    @location(4) @interpolate(flat) radius: f32,
    @location(5) @interpolate(flat) style: u32,
    /// 0 to 1, or -1 where it shows its own colour.
    @location(6) heat: f32,
}

@vertex
fn link_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) ends: vec2u,
    @location(3) beyond: vec2u,
    @location(1) style: u32,
    @location(2) radius: f32,
) -> LinkVertex {
    let a = local_position(ends.x);
    let b = local_position(ends.y);
    let at = corner(vertex);
    // A rope bends smoothly: at each end the axis follows the particles before and after it.
    let first = at.y < 0.0;
    let axis_point = select(b, a, first);
    let straight = direction(b - a, frame.up);
    let before = select(a, local_position(beyond.x), first);
    let after = select(local_position(beyond.y), b, first);
    let axis = direction(after - before, straight);
    let toward = toward_eye(axis_point);
    let side = direction(cross(axis, toward), direction(cross(frame.up, toward), frame.up.yzx));
    // Never thinner than about a pixel, or it would break up into dots.
    let half_width = max(radius, pixel_at(axis_point) * 0.7);
    let local = axis_point + side * half_width * at.x;
    let heat = shown_heat(select(ends.y, ends.x, first));
    return LinkVertex(frame.clip_from_local * vec4f(local, 1.0), local, at.x, side, axis, half_width, style, heat);
}

struct LinkFragment {
    @location(0) colour: vec4f,
    @builtin(frag_depth) depth: f32,
}

struct RoundPoint {
    local: vec3f,
    normal: vec3f,
    depth: f32,
}

/// The point of the cylinder that a fragment of its ribbon shows.
fn round_point(in: LinkVertex) -> RoundPoint {
    let across = clamp(in.across, -1.0, 1.0);
    let outward = direction(cross(in.side, in.axis), toward_eye(in.local));
    let height = sqrt(1.0 - across * across);
    let normal = direction(in.side * across + outward * height, outward);
    // From the ribbon along the view ray to the cylinder; less far than it would be where one looks along the cylinder.
    let toward = toward_eye(in.local);
    let local = in.local + toward * in.radius * height / max(dot(outward, toward), 0.2);
    // A little nearer than it is, so that the balls inside a bend do not show through.
    return RoundPoint(local, normal, depth_of(local + toward * in.radius * 0.1));
}

@fragment
fn link_fragment(in: LinkVertex) -> LinkFragment {
    let at = round_point(in);
    let open = openness(in.clip.xy, at.local);
    if in.heat >= 0.0 {
        return LinkFragment(vec4f(heated(in.heat, at.local, at.normal, open), 1.0), at.depth);
    }
    let style = styles[in.style];
    let light = shade(Matter(style.front, style.gloss, 0.0, 0.0), at.local, at.normal, at.normal, open);
    return LinkFragment(vec4f(picture(light), 1.0), at.depth);
}

/// Its normal in place of its colour.
@fragment
fn link_prepass_fragment(in: LinkVertex) -> LinkFragment {
    let at = round_point(in);
    return LinkFragment(vec4f(at.normal, 0.0), at.depth);
}
