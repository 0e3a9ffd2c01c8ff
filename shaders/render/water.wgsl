// A clear liquid: what is behind it, refracted and tinted, what it scatters by itself, and what it mirrors.
/// Refractive index of water, and the share that its surface mirrors straight on.
const INDEX = 1.33;
const MIRRORS = 0.02;
/// Share of the light taken by a liquid that comes back in its own colour.
const SCATTERS = 0.34;
/// Share of the way that counts as if all of it were of the colour at the surface.
const NEAR = 0.6;
/// Farthest that a ray is followed below the surface, spacings: more would leave the picture.
const FARTHEST = 14.0;
/// How far around a pixel columns are averaged, spacings and at most pixels, and at how many places.
const AROUND = 1.0;
const MOST_AROUND = 40.0;
const COLUMN_TAPS = 20;
const WAY_TAPS = 8;

/// Pixel of a local point.
fn pixel_of(local: vec3f) -> vec2f {
    let clip = frame.clip_from_local * vec4f(local, 1.0);
    return (clip.xy / max(clip.w, 1e-6) * vec2f(0.5, -0.5) + 0.5) * frame.pixels;
}

fn distance_behind(pixel: vec2f) -> f32 {
    return textureLoad(distances, clamp(vec2i(pixel), vec2i(0), vec2i(frame.pixels) - 1), 0).x;
}

/// What a ray meets on its way through the liquid.
struct Column {
    /// Optical depths by colour.
    depths: vec3f,
    /// m
    way: f32,
    /// The colour of the liquids at the surface.
    tint: vec3f,
}

/// The mean of the columns around a pixel, of those that have liquid before something as far: so nothing fades towards
/// the edge of a container or of a solid.
fn column_around(pixel: vec2f, ahead: f32, way: f32) -> Column {
    let radius = min(AROUND * frame.spacing / (ahead * frame.pixel), MOST_AROUND);
    // Beyond the liquid all distances are alike.
    let end = ahead + 1.5 * way + 2.0 * frame.spacing;
    let behind = min(distance_behind(pixel), end);
    var sum = vec4f(0.0);
    var tint = vec3f(0.0);
    var weights = vec2f(1e-6);
    var turn = vec2f(1.0, 0.0);
    for (var i = 0; i < COLUMN_TAPS; i++) {
        turn = GOLDEN_TURN * turn;
        let other = clamp(pixel + turn * radius * sqrt(f32(i) / f32(COLUMN_TAPS)), vec2f(0.5), frame.pixels - 0.5);
        let front = textureLoad(fronts, vec2i(other), 0).xy;
        let has = select(0.0, 1.0, front.x > 0.0);
        let like = has * select(1e-4, 1.0, abs(min(distance_behind(other), end) - behind) < 2.5 * frame.spacing);
        sum += like * textureSampleLevel(columns, smoothly, other / frame.pixels, 0.0);
        let close = has * max(1.0 - f32(i) / f32(COLUMN_TAPS), 0.0);
        tint += close * styles[u32(front.y)].front;
        weights += vec2f(like, close);
    }
    sum /= weights.x;
    return Column(sum.rgb, sum.w, tint / weights.y);
}

/// The way through the liquid at a pixel, even enough to bend rays by: m.
fn way_at(pixel: vec2f, ahead: f32) -> f32 {
    let radius = min(AROUND * frame.spacing / (ahead * frame.pixel), MOST_AROUND);
    var turn = vec2f(1.0, 0.0);
    var sum = 0.0;
    for (var i = 0; i < WAY_TAPS; i++) {
        turn = GOLDEN_TURN * turn;
        let other = pixel + turn * radius * sqrt(f32(i) / f32(WAY_TAPS));
        sum += textureSampleLevel(columns, smoothly, other / frame.pixels, 0.0).w;
    }
    return sum / f32(WAY_TAPS);
}

/// Where a ray that enters the liquid at a point and goes so far in it comes out, as a pixel: the pixel's own where
/// that is not seen through the surface.
fn way_out(pixel: vec2f, local: vec3f, ray: vec3f, way: f32) -> vec2f {
    let bent = pixel_of(local + ray * way);
    let beside = any(bent < vec2f(0.0)) || any(bent > frame.pixels);
    let no_liquid = textureLoad(fronts, clamp(vec2i(bent), vec2i(0), vec2i(frame.pixels) - 1), 0).x <= 0.0;
    return select(bent, pixel, beside || no_liquid || distance_behind(bent) < ahead_of(local));
}

/// What a surface as smooth as water mirrors: the sky as one sees it, its lamps and the floor.
fn surroundings(ray: vec3f) -> vec3f {
    let lamps = reflected_sky(ray, 0.05);
    let height = dot(ray, frame.up);
    return mix(1.6 * lamps, max(lamps, 0.8 * sky(ray)), smoothstep(-0.25, 0.1, height));
}

/// Light from a clear liquid's surface to the eye.
fn water(style: Style, texel: vec2i, local: vec3f, normal: vec3f, sun: f32) -> vec3f {
    let view = toward_eye(local);
    let ray = refract(-view, normal, 1.0 / INDEX);
    let pixel = vec2f(texel) + 0.5;
    let room = max(distance_behind(pixel) - ahead_of(local), 0.0) / max(dot(-view, frame.ray_forward), 0.1);
    let here = way_at(pixel, ahead_of(local));
    let out = way_out(pixel, local, ray, min(min(max(here, 0.5 * frame.spacing), room), FARTHEST * frame.spacing));
    let column = column_around(out, ahead_of(local), here);
    let shown = textureSampleLevel(behind, smoothly, out / frame.pixels, 0.0);
    let light = select(light_of(shown.rgb), sky(ray), shown.a < 0.5);
    // What is near the surface is seen best.
    let near = -log(max(column.tint, vec3f(0.002))) * column.way / style.clear;
    let through = light * exp(-mix(column.depths, near, NEAR));
    let taken = 1.0 - exp(-column.way / style.clear * 1.3);
    let own = column.tint * (ambient(normal) * 0.9 + SUN * 0.22 * sun) * taken * SCATTERS;
    let nv = clamp(dot(normal, view), 0.0, 1.0);
    let mirrored = MIRRORS + (1.0 - MIRRORS) * pow(1.0 - nv, 5.0);
    let sparkle = glint(normal, view, frame.sun, 0.14, vec3f(MIRRORS)) * SUN * sun;
    return mix(through + own, surroundings(reflect(-view, normal)), mirrored) + sparkle;
}
