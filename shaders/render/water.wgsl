// A clear liquid: what is behind it, refracted and tinted, what it scatters by itself, and what it mirrors.
/// Refractive index of water, and the share that its surface mirrors straight on.
const INDEX = 1.33;
const MIRRORS = 0.02;
/// Share of the light taken by a liquid that comes back in its own colour.
const SCATTERS = 0.34;
/// Farthest that a ray is followed below the surface, spacings: more would leave the picture.
const FARTHEST = 14.0;

/// Texture coordinates of a local point.
fn place_of(local: vec3f) -> vec2f {
    let clip = frame.clip_from_local * vec4f(local, 1.0);
    return clip.xy / max(clip.w, 1e-6) * vec2f(0.5, -0.5) + 0.5;
}

fn distance_behind(place: vec2f) -> f32 {
    let size = vec2i(textureDimensions(distances));
    return textureLoad(distances, clamp(vec2i(place * vec2f(size)), vec2i(0), size - 1), 0).x;
}

/// Light from behind, along a ray that enters the liquid at a point and goes so far in it.
fn light_behind(place: vec2f, local: vec3f, ray: vec3f, way: f32) -> vec3f {
    let bent = place_of(local + ray * way);
    // What lies before the surface is not seen through it.
    let hidden = distance_behind(bent) < ahead_of(local) || any(abs(bent - 0.5) > vec2f(0.5));
    let seen = select(bent, place, hidden);
    let shown = textureSampleLevel(behind, smoothly, seen, 0.0);
    if shown.a < 0.5 {
        return sky(ray);
    }
    return light_of(shown.rgb);
}

/// Light from a clear liquid's surface to the eye.
fn water(style: Style, place: vec2f, local: vec3f, normal: vec3f, column: vec4f, sun: f32) -> vec3f {
    let view = toward_eye(local);
    let ray = refract(-view, normal, 1.0 / INDEX);
    let room = max(distance_behind(place) - ahead_of(local), 0.0) / max(dot(-view, frame.ray_forward), 0.1);
    let way = min(min(max(column.w, 0.5 * frame.spacing), room), FARTHEST * frame.spacing);
    let passes = exp(-column.rgb);
    let through = light_behind(place, local, ray, way) * passes;
    // The mean colour of the liquids along the ray.
    let tint = exp(-column.rgb * style.clear / max(column.w, 1e-6));
    let taken = 1.0 - exp(-column.w / style.clear * 1.3);
    let own = tint * (ambient(normal) * 0.9 + SUN * 0.22 * sun) * taken * SCATTERS;
    let nv = clamp(dot(normal, view), 0.0, 1.0);
    let mirrored = MIRRORS + (1.0 - MIRRORS) * pow(1.0 - nv, 5.0);
    let mirror = reflected_sky(reflect(-view, normal), 0.05);
    let sparkle = glint(normal, view, frame.sun, 0.14, vec3f(MIRRORS)) * SUN * sun;
    return mix(through + own, mirror, mirrored) + sparkle;
}
