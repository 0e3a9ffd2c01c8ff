// Triangles of bodies, lit from both sides, as thick as where they touch.
struct SurfaceVertex {
    @builtin(position) clip: vec4f,
    /// Of a pixel that a triangle covers in part, at a covered point: beyond its edges they would be of nowhere.
    @location(0) @interpolate(perspective, centroid) local: vec3f,
    /// Fourth: how much of the triangle's own takes its place.
    @location(1) @interpolate(perspective, centroid) normal: vec4f,
    /// Place in the material, m.
    @location(2) material: vec3f,
    @location(3) heat: f32,
    @location(4) @interpolate(flat) style: u32,
    /// As `local`, but at the pixel's middle: from pixel to pixel it changes evenly.
    @location(5) middle: vec3f,
}

/// Cosines of half the angles by which a surface turns where it begins to show an edge, 40°, and where that is all one sees, 60°.
const SMOOTH = 0.94;
const EDGE = 0.866;

@vertex
fn surface_vertex(
    @location(0) position: vec4f,
    @location(1) normal: vec4f,
    @location(2) material: vec3f,
    @location(3) heat: f32,
    @builtin(instance_index) layer: u32,
) -> SurfaceVertex {
    let style = layer >> 1u;
    let middle = position.xyz - frame.origin;
    // A sheet is drawn twice: once for each of its sides.
    let side = select(1.0, -1.0, (layer & 1u) == 1u);
    // Along an edge the faces beside it go out as far as elsewhere.
    let out = styles[style].half_thickness / mix(1.0, clamp(normal.w, 0.55, 1.0), styles[style].edged);
    let local = middle + normal.xyz * (side * out);
    var clip = frame.clip_from_local * vec4f(local, 1.0);
    let pull = styles[style].pull * frame.eye.w;
    clip.z = depth_of(local + pull * toward_eye(local)) * clip.w;
    // At an edge each triangle has its own normal: so the faces of a box stay flat up to there, however few triangles they have.
    let own = styles[style].edged * smoothstep(0.0, 1.0, (SMOOTH - normal.w) / (SMOOTH - EDGE));
    return SurfaceVertex(clip, local, vec4f((1.0 - own) * normal.xyz, own), material, heat, style, local);
}

/// The surface's normal on the side that the eye sees.
fn seen_normal(in: SurfaceVertex, front: bool) -> vec3f {
    let view = toward_eye(in.local);
    let facing = direction(cross(dpdx(in.middle), dpdy(in.middle)), view);
    let fallback = select(-facing, facing, dot(facing, view) > 0.0);
    return direction(select(-in.normal.xyz, in.normal.xyz, front) + in.normal.w * fallback, fallback);
}

@fragment
fn surface_fragment(in: SurfaceVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let normal = seen_normal(in, front);
    let across = dpdx(in.middle);
    let down = dpdy(in.middle);
    let open = openness(in.clip.xy, in.local);
    let style = styles[in.style];
    let pattern = pattern_of(style, in.material, dpdx(in.material), dpdy(in.material));
    if frame.heated > 0.0 && in.heat >= 0.0 {
        return vec4f(heated(in.heat, in.local, normal, open), 1.0);
    }
    let colour = mix(select(style.back, style.front, front), vec3f(0.42), frame.pale);
    let relief = bumped(normal, across, down, pattern.rise);
    let light = shade(matter_of(style, colour * pattern.tone), in.local, relief, normal, open);
    return vec4f(picture(light), 1.0);
}

@fragment
fn surface_prepass_fragment(in: SurfaceVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    return vec4f(seen_normal(in, front), 0.0);
}
