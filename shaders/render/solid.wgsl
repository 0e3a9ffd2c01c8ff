// Colliders that are drawn as triangles: each shape once, in its own frame, and an instance for each place.
struct SolidVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) style: u32,
    /// 0 on edges of the shape.
    @location(3) from_edges: vec3f,
    /// In the shape's frame, m.
    @location(4) place: vec3f,
    @location(5) @interpolate(flat) marks: vec4f,
    @location(6) @interpolate(flat) turns: f32,
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
    @location(7) marks: vec4f,
    @location(8) turns: f32,
) -> SolidVertex {
    let place = vec4f(position, 1.0);
    let local = vec3f(dot(row_x, place), dot(row_y, place), dot(row_z, place));
    let turned = vec3f(dot(row_x.xyz, normal), dot(row_y.xyz, normal), dot(row_z.xyz, normal));
    return SolidVertex(frame.clip_from_local * vec4f(local, 1.0), local, turned, style, from_edges, position, marks, turns);
}

/// Marks by which one sees that it runs or turns: stripes across a belt, and two opposite quarters about the shape's y.
fn marked(in: SolidVertex) -> f32 {
    let stripe = fract(dot(in.marks.xyz, in.place) - in.marks.w);
    let runs = select(0.0, 1.0, dot(in.marks.xyz, in.marks.xyz) > 0.0);
    let soft = max(fwidth(dot(in.marks.xyz, in.place)), 1e-4);
    let on_stripe = runs * (1.0 - smoothstep(0.14, 0.14 + soft, stripe)) * smoothstep(0.0, soft, stripe);
    let quarter = in.turns * step(0.0, in.place.x * in.place.z);
    return 1.0 - 0.45 * max(on_stripe, quarter);
}

@fragment
fn solid_fragment(in: SolidVertex) -> @location(0) vec4f {
    let style = styles[in.style];
    let normal = direction(in.normal, toward_eye(in.local));
    let pattern = pattern_of(style, in.place, dpdx(in.place), dpdy(in.place));
    let relief = bumped(normal, dpdx(in.local), dpdy(in.local), pattern.rise);
    let matter = matter_of(style, style.front * pattern.tone * marked(in));
    let light = shade(matter, in.local, relief, normal, openness(in.clip.xy, in.local));
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

/// A container's near sides: where what is in it can begin, as the distance ahead in m.
@fragment
fn solid_entry_fragment(in: SolidVertex) -> @location(0) vec4f {
    return vec4f(ahead_of(in.local));
}

/// Its far sides, which one sees through its near sides, or from within.
@fragment
fn solid_exit_fragment(in: SolidVertex) -> @location(0) vec4f {
    return vec4f(0.0);
}
