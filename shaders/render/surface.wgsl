// Triangles of bodies, lit from both sides, with the threads of their cloth.
struct SurfaceVertex {
    @builtin(position) clip: vec4f,
    /// Of a pixel that a triangle covers in part, at a covered point: beyond its edges they would be of nowhere.
    @location(0) @interpolate(perspective, centroid) local: vec3f,
    /// Fourth: how much of the triangle's own takes its place.
    @location(1) @interpolate(perspective, centroid) normal: vec4f,
    /// Place in the material, threads.
    @location(2) material: vec3f,
    @location(3) heat: f32,
    @location(4) @interpolate(flat) style: u32,
    /// As `local`, but at the pixel's middle: from pixel to pixel it changes evenly.
    @location(5) middle: vec3f,
}

/// Height of a thread, threads.
const RELIEF = 0.16;

/// Cosines of half the angles by which a surface turns where it begins to show an edge, 40°, and where that is all one sees, 60°.
const SMOOTH = 0.94;
const EDGE = 0.866;

@vertex
fn surface_vertex(
    @location(0) position: vec4f,
    @location(1) normal: vec4f,
    @location(2) material: vec3f,
    @location(3) heat: f32,
    @builtin(instance_index) style: u32,
) -> SurfaceVertex {
    let local = position.xyz - frame.origin;
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
    let weave = weave_of(in.material, dpdx(in.material), dpdy(in.material));
    let open = openness(in.clip.xy, in.local);
    if frame.heated > 0.0 && in.heat >= 0.0 {
        return vec4f(heated(in.heat, in.local, normal, open), 1.0);
    }
    let style = styles[in.style];
    let colour = mix(select(style.back, style.front, front), vec3f(0.42), frame.pale);
    // Seen from behind, what rises towards the front goes down.
    let rise = weave.rise * style.thread * RELIEF;
    let relief = bumped(normal, across, down, rise);
    let matter = Matter(colour * weave.tone, style.gloss, 0.22, 1.0);
    let light = shade(matter, in.local, relief, normal, open);
    return vec4f(picture(light), 1.0);
}

@fragment
fn surface_prepass_fragment(in: SurfaceVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    return vec4f(seen_normal(in, front), 0.0);
}
