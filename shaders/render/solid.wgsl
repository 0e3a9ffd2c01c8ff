// Colliders that are drawn as triangles: each shape once, in its own frame, and an instance for each place.
struct SolidVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) style: u32,
    /// 0 on edges of the shape.
    @location(3) from_edges: vec3f,
}

/// Share of a container's edges that hides what is behind.
const EDGE = 0.45;

/// The rows of the matrix from the shape's frame to the frame's.
@vertex
fn solid_vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) from_edges: vec3f,
    @location(3) row_x: vec4f,
    @location(4) row_y: vec4f,
    @location(5) row_z: vec4f,
    @location(6) style: u32,
) -> SolidVertex {
    let place = vec4f(position, 1.0);
    let local = vec3f(dot(row_x, place), dot(row_y, place), dot(row_z, place));
    let turned = vec3f(dot(row_x.xyz, normal), dot(row_y.xyz, normal), dot(row_z.xyz, normal));
    return SolidVertex(frame.clip_from_local * vec4f(local, 1.0), local, turned, style, from_edges);
}

@fragment
fn solid_fragment(in: SolidVertex) -> @location(0) vec4f {
    let style = styles[in.style];
    let normal = direction(in.normal, toward_eye(in.local));
    let light = shade(Matter(style.front, style.gloss, 0.0, 0.0), in.local, normal, normal, openness(in.clip.xy, in.local));
    return vec4f(picture(light), 1.0);
}

/// Its normal in place of its colour.
@fragment
fn solid_prepass_fragment(in: SolidVertex) -> @location(0) vec4f {
    return vec4f(direction(in.normal, toward_eye(in.local)), 0.0);
}

/// A container is glass: its far sides, then its contents, then its near sides.
@fragment
fn solid_glass_fragment(in: SolidVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let style = styles[in.style];
    let view = toward_eye(in.local);
    let outward = direction(in.normal, view);
    let shown = select(-outward, outward, front);
    let glass = glass_light(style, shown, view);
    // Panes that one sees straight on show by their edges alone, drawn a pixel wide from either side.
    let pixels = in.from_edges / max(fwidth(in.from_edges), vec3f(1e-6));
    let edge = EDGE * (1.0 - smoothstep(0.5, 1.5, min(pixels.x, min(pixels.y, pixels.z))));
    return vec4f(picture(mix(glass.xyz, style.front * 0.3, edge)), max(glass.w, edge));
}
