// Triangles of bodies, lit from both sides.
struct SurfaceVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) style: u32,
}

@vertex
fn surface_vertex(
    @location(0) position: vec4f,
    @location(1) normal: vec4f,
    @builtin(instance_index) style: u32,
) -> SurfaceVertex {
    let local = position.xyz - frame.origin;
    var clip = frame.clip_from_local * vec4f(local, 1.0);
    let pull = styles[style].pull * frame.eye.w;
    clip.z = depth_of(local + pull * toward_eye(local)) * clip.w;
    return SurfaceVertex(clip, local, normal.xyz, style);
}

@fragment
fn surface_fragment(in: SurfaceVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let flat_normal = cross(dpdx(in.local), dpdy(in.local));
    let view = toward_eye(in.local);
    let facing = direction(flat_normal, view);
    let fallback = select(-facing, facing, dot(facing, view) > 0.0);
    let smooth_normal = select(-in.normal, in.normal, front);
    let style = styles[in.style];
    let colour = select(style.back, style.front, front);
    let light = shade(colour, in.local, direction(smooth_normal, fallback), style.gloss, 0.22, 1.0);
    return vec4f(picture(light), 1.0);
}
