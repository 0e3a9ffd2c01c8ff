// What lights surfaces: the sun where no shadow falls, and the sky where nothing near hides it.
@group(1) @binding(3) var occlusion_map: texture_2d<f32>;

const SUN = vec3f(3.15, 3.0, 2.75);

/// Share of the sky that a point sees, 0 to 1. The map is half as fine as the picture: of the four texels around, those
/// count that lie at the point's distance, so that nothing bleeds across an edge.
fn openness(pixel: vec2f, local: vec3f) -> f32 {
    let size = vec2i(textureDimensions(occlusion_map));
    let place = pixel / frame.pixels * vec2f(size) - 0.5;
    let first = floor(place);
    let part = place - first;
    let ahead = ahead_of(local);
    var sum = vec2f(0.0);
    for (var i = 0; i < 4; i++) {
        let step = vec2i(i & 1, i >> 1);
        let texel = textureLoad(occlusion_map, clamp(vec2i(first) + step, vec2i(0), size - 1), 0).xy;
        let near = mix(1.0 - part, part, vec2f(step));
        let weight = (near.x * near.y + 0.01) / (0.01 + abs(texel.y - ahead) / frame.occlusion_radius);
        sum += vec2f(texel.x, 1.0) * weight;
    }
    return sum.x / sum.y;
}

/// Light of the sky that arrives also by way of the surfaces that hide it, by their colour (Jimenez et al. 2016).
fn bounced(open: f32, colour: vec3f) -> vec3f {
    let a = 2.0404 * colour - 0.3324;
    let b = -4.7951 * colour + 0.6417;
    let c = 2.7552 * colour + 0.6903;
    return max(vec3f(open), ((open * a + b) * open + c) * open);
}

/// A surface at a point. Of cloth, the sun also shines through, and its fibres give it light edges.
struct Matter {
    colour: vec3f,
    /// Strength of the highlight, 0 to 1.
    gloss: f32,
    /// Share of the sun that shines through.
    transmission: f32,
    /// Strength of the light edges, 0 to 1.
    sheen: f32,
}

/// Light from a surface to the eye. `smooth_normal` is its normal without relief: it decides which side the sun is on and
/// where shadows fall. `open`: share of the sky it sees.
fn shade(matter: Matter, local: vec3f, normal: vec3f, smooth_normal: vec3f, open: f32) -> vec3f {
    let colour = matter.colour;
    let gloss = matter.gloss;
    let sheen = matter.sheen;
    let view = toward_eye(local);
    let towards_sun = dot(smooth_normal, frame.sun);
    let share = select(-towards_sun * matter.transmission, max(dot(normal, frame.sun), 0.0), towards_sun > 0.0);
    var sun = 0.0;
    if share > 0.0 {
        sun = sunlight(local, smooth_normal * sign(towards_sun));
    }
    let skylight = ambient(normal) * bounced(open, colour);
    let away = 1.0 - min(abs(dot(normal, view)), 1.0);
    let grazing = away * away * away * away;
    var light = colour * (SUN * share * sun * 0.8 + skylight);
    if sheen > 0.0 {
        // Fibres that stand out catch the light from all sides: tinted, and only as bright as what lights the cloth.
        light += mix(colour, vec3f(0.5), 0.25) * (SUN * share * sun * 0.25 + skylight) * grazing * sheen * 0.7;
    }
    if gloss > 0.0 {
        let half_way = direction(view + frame.sun, normal);
        let highlight = pow(clamp(dot(normal, half_way), 0.0, 1.0), 48.0) * step(0.0, towards_sun);
        light += (sky(reflect(-view, normal)) * grazing * open + SUN * sun * highlight) * gloss * 0.35;
    }
    return light;
}
