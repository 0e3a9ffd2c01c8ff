// Strands and constraints of two particles, as tubes with round ends: each part is a quad that covers a capsule, and
// each pixel meets the capsule on its view ray.
struct LinkVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) @interpolate(flat) start: vec3f,
    @location(2) @interpolate(flat) end: vec3f,
    @location(3) @interpolate(flat) radius: f32,
    @location(4) @interpolate(flat) style: u32,
    /// 0 to 1, or -1 where it shows its own colour.
    @location(5) heat: f32,
    /// Multiplies its colour.
    @location(6) @interpolate(flat) tone: f32,
}

@vertex
fn link_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) nodes: vec4u,
    @location(1) mates: vec4u,
    @location(2) style: u32,
    @location(3) radius: f32,
    @location(4) share: f32,
    @location(5) seed: u32,
) -> LinkVertex {
    let part = vertex / 6u;
    let at = corner(array(0u, 1u, 2u, 2u, 1u, 3u)[vertex % 6u]);
    let start = curve_at(nodes, mates, share, f32(part) / f32(PARTS));
    let end = curve_at(nodes, mates, share, f32(part + 1u) / f32(PARTS));
    let middle = 0.5 * (start + end);
    let toward = toward_eye(middle);
    let axis = end - start;
    let flat_axis = axis - toward * dot(axis, toward);
    let along = direction(flat_axis, direction(cross(frame.up, toward), direction(cross(frame.up.yzx, toward), toward.zxy)));
    // A strand never is thinner than about a pixel, or it would break up into dots; the rim of a sheet (below 0) may
    // be.
    let pixel = pixel_at(middle);
    let seen = select(max(radius, 0.6 * pixel), -radius, radius < 0.0);
    let margin = seen * 1.08 + pixel;
    let half_length = 0.5 * length(flat_axis) + margin;
    let across = cross(toward, along);
    let local = middle + along * (at.x * half_length) + across * (at.y * margin);
    let heat = shown_heat(select(nodes.z, nodes.y, part < PARTS / 2u));
    // Hairs differ a little.
    let tone = 1.0 + styles[style].mottle * hash(vec3i(i32(seed), i32(share * 64.0), 3));
    return LinkVertex(frame.clip_from_local * vec4f(local, 1.0), local, start, end, seen, style, heat, tone);
}

struct LinkFragment {
    @location(0) colour: vec4f,
    @builtin(frag_depth) depth: f32,
}

/// Where a view ray meets the capsule.
struct RoundPoint {
    local: vec3f,
    normal: vec3f,
    axis: vec3f,
    /// Share of the pixel that the capsule covers, 0 to 1.
    coverage: f32,
}

fn round_point(in: LinkVertex) -> RoundPoint {
    let ray = -toward_eye(in.local);
    let axis = in.end - in.start;
    let from_start = in.local - in.start;
    let squared = max(dot(axis, axis), 1e-20);
    // The nearest points of ray and axis.
    let slant = dot(axis, ray);
    let apart = max(squared - slant * slant, 1e-12 * squared);
    let t = clamp((dot(axis, from_start) - slant * dot(ray, from_start)) / apart, 0.0, 1.0);
    let nearest = in.start + axis * t;
    let closest = in.local + ray * dot(ray, nearest - in.local) - nearest;
    let miss = length(closest);
    let coverage = clamp((in.radius - miss) / max(pixel_at(nearest), 1e-12) + 0.5, 0.0, 1.0);
    // Back along the ray to the tube, which is longer the more one looks along it, or to the ball at its end.
    let inside = sqrt(max(in.radius * in.radius - miss * miss, 0.0));
    let sine = sqrt(apart / squared);
    let on_tube = nearest + closest - ray * (inside / max(sine, 1e-3));
    let s = dot(on_tube - in.start, axis) / squared;
    let centre = in.start + axis * clamp(s, 0.0, 1.0);
    // Beyond its ends the ball there.
    let offset = in.local - centre;
    let ahead = dot(ray, -offset);
    let beside = offset + ray * ahead;
    let depth = sqrt(max(in.radius * in.radius - dot(beside, beside), 0.0));
    let on_ball = centre + beside - ray * depth;
    let capped = s < 0.0 || s > 1.0;
    let local = select(on_tube, on_ball, capped);
    let centred = select(in.start + axis * s, centre, capped);
    return RoundPoint(local, direction(local - centred, -ray), axis * inverseSqrt(squared), coverage);
}

/// Light along hairs: it spreads across them (Kajiya and Kay 1989), in one shine of the lamp's colour and one of their
/// own.
fn hair_shine(style: Style, at: RoundPoint, colour: vec3f) -> vec3f {
    let half_way = direction(toward_eye(at.local) + frame.sun, at.normal);
    let along = dot(at.axis, half_way);
    let first = pow(sqrt(max(1.0 - along * along, 0.0)), 90.0);
    let shifted = clamp(along + 0.12, -1.0, 1.0);
    let second = pow(sqrt(max(1.0 - shifted * shifted, 0.0)), 24.0);
    return SUN * (vec3f(0.10) * first + colour * 0.55 * second) * sunlight(at.local, frame.sun)
        * through_liquid(at.local);
}

@fragment
fn link_fragment(in: LinkVertex) -> LinkFragment {
    let at = round_point(in);
    if at.coverage <= 0.0 {
        discard;
    }
    let depth = depth_of(at.local);
    let open = openness(in.clip.xy, at.local);
    if in.heat >= 0.0 {
        return LinkFragment(vec4f(heated(in.heat, at.local, at.normal, open), at.coverage), depth);
    }
    let style = styles[in.style];
    let colour = style.front * in.tone;
    var light = shade(matter_of(style, colour), at.local, at.normal, at.normal, open);
    if style.pattern == HAIR {
        light += hair_shine(style, at, colour);
    }
    return LinkFragment(vec4f(picture(light), at.coverage), depth);
}

/// Its normal in place of its colour.
@fragment
fn link_prepass_fragment(in: LinkVertex) -> LinkFragment {
    let at = round_point(in);
    if at.coverage < 0.5 {
        discard;
    }
    return LinkFragment(vec4f(at.normal, 0.0), depth_of(at.local));
}

/// In the sun's view: the plane through the axis.
@fragment
fn link_shadow_fragment(in: LinkVertex) {
    let axis = in.end - in.start;
    let t = clamp(dot(in.local - in.start, axis) / max(dot(axis, axis), 1e-20), 0.0, 1.0);
    let away = in.local - in.start - axis * t;
    let ray = toward_eye(in.local);
    if length(away - ray * dot(away, ray)) > in.radius {
        discard;
    }
}
