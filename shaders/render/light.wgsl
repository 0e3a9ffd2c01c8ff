// What lights surfaces: the sun where no shadow falls, and the sky where nothing near hides it.
@group(1) @binding(3) var occlusion_map: texture_2d<f32>;

const SUN = vec3f(3.05, 2.86, 2.55);
/// What is rougher mirrors nothing that one would see.
const MATT = 0.8;

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

/// A surface at a point; each share is from 0 to 1.
struct Matter {
    colour: vec3f,
    roughness: f32,
    metalness: f32,
    /// Fibres that stand out and catch light at the edges, as those of cloth.
    sheen: f32,
    /// Share of the sun that shines through a sheet.
    transmission: f32,
    /// How far light goes on below the surface: jelly, fat, skin.
    scatter: f32,
    /// A thin glossy layer on top.
    coat: f32,
}

/// A surface of a style in a colour.
fn matter_of(style: Style, colour: vec3f) -> Matter {
    return Matter(colour, style.roughness, style.metalness, style.sheen, style.transmission, style.scatter, style.coat);
}

/// Share of a light that a surface reflects towards the eye, times π and the cosine of the light's angle (GGX: Walter
/// et al. 2007, with Hammon's visibility, 2017).
fn glint(normal: vec3f, view: vec3f, light: vec3f, roughness: f32, straight: vec3f) -> vec3f {
    let half_way = direction(view + light, normal);
    let nh = clamp(dot(normal, half_way), 0.0, 1.0);
    let nl = clamp(dot(normal, light), 0.0, 1.0);
    let nv = clamp(abs(dot(normal, view)), 0.02, 1.0);
    let a = max(roughness * roughness, 0.006);
    let below = (nh * nh) * (a * a - 1.0) + 1.0;
    let spread = a * a / (below * below);
    let visible = 0.5 / max(mix(2.0 * nl * nv, nl + nv, a), 1e-4);
    let grazing = pow(1.0 - clamp(dot(view, half_way), 0.0, 1.0), 5.0);
    return (straight + (1.0 - straight) * grazing) * min(spread * visible * nl, 24.0);
}

/// Share of the surroundings that a surface reflects (Karis 2014, an approximation of the integral over a lobe).
fn mirrored(straight: vec3f, roughness: f32, nv: f32) -> vec3f {
    let r = roughness * vec4f(-1.0, -0.0275, -0.572, 0.022) + vec4f(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    let ab = vec2f(-1.04, 1.04) * a + r.zw;
    return straight * ab.x + vec3f(ab.y);
}

/// What a surface mirrors of the sun and the surroundings, less what its coat keeps from the `light` below.
fn shine(matter: Matter, normal: vec3f, view: vec3f, sun: vec3f, open: f32, light: vec3f) -> vec3f {
    let nv = clamp(dot(normal, view), 0.0, 1.0);
    let straight = mix(vec3f(0.04), matter.colour, matter.metalness) * (1.0 - 0.8 * matter.sheen);
    let mirror = reflect(-view, normal);
    // The sun's share without the cosine that `glint` has of its own.
    let lit = SUN * min(sun / max(dot(normal, frame.sun), 0.15), vec3f(1.0));
    // What hides the sky hides its reflection, the more the rougher it is.
    let clear = clamp(pow(nv + open, mix(1.0, 2.0, matter.roughness)) - 1.0 + open, 0.0, 1.0);
    var added = glint(normal, view, frame.sun, matter.roughness, straight) * lit * 0.8
        + mirrored(straight, matter.roughness, nv) * reflected_sky(mirror, matter.roughness) * clear;
    if matter.coat > 0.0 {
        let fresnel = matter.coat * (0.04 + 0.96 * pow(1.0 - nv, 5.0));
        added += fresnel * (reflected_sky(mirror, 0.06) * clear - light - added);
        added += matter.coat * glint(normal, view, frame.sun, 0.16, vec3f(0.04)) * lit * 0.6;
    }
    return added;
}

/// Share of the sun that lights a point: shaded by what lies between, the faces that turn away, and a little beyond
/// them where light goes on below the surface.
fn sun_on(matter: Matter, local: vec3f, normal: vec3f, smooth_normal: vec3f) -> f32 {
    let towards = dot(smooth_normal, frame.sun);
    let wrap = 0.5 * matter.scatter;
    let straight = select(-towards * matter.transmission, max(dot(normal, frame.sun), 0.0), towards > 0.0);
    let wrapped = clamp((dot(normal, frame.sun) + wrap) / (1.0 + wrap), 0.0, 1.0);
    let share = mix(straight, wrapped, min(matter.scatter * 2.0, 1.0));
    if share <= 0.0 {
        return 0.0;
    }
    let lit = sunlight(local, smooth_normal * sign(towards));
    // Where the surface shades itself the wrapped light fades by the angle alone.
    return share * mix(lit, 1.0, min(matter.scatter * 2.0, 1.0) * (1.0 - smoothstep(0.0, 0.4, towards)));
}

/// Light that comes out of matter which light goes through: from the sun by the way it had inside, from the sky by the
/// way to the other side, which is short at the rim.
fn glow(matter: Matter, local: vec3f, normal: vec3f, nv: f32, open: f32) -> vec3f {
    let tint = pow(max(matter.colour, vec3f(0.004)), vec3f(0.45 + 0.75 * nv));
    let way = depth_in_shade(local - normal * 2.0 * frame.shadow_texel);
    let through = exp(-way / (0.6 * frame.occlusion_radius));
    return tint * (ambient(normal) * bounced(open, tint) * 0.55 + SUN * 0.42 * through);
}

/// Light from a surface to the eye. `smooth_normal` is its normal without relief: it decides which side the sun is on
/// and where shadows fall. `open`: share of the sky it sees.
fn shade(matter: Matter, local: vec3f, bumpy: vec3f, smooth_normal: vec3f, open: f32) -> vec3f {
    let view = toward_eye(local);
    // What faces away a little, as normals between vertices may, would mirror what is behind it.
    let normal = normalize(bumpy + view * max(0.06 - dot(bumpy, view), 0.0));
    let sun = sun_on(matter, local, normal, smooth_normal) * through_liquid(local);
    let nv = clamp(dot(normal, view), 0.0, 1.0);
    let colour = matter.colour * (1.0 - matter.metalness);
    let skylight = ambient(normal) * bounced(open, colour);
    var light = colour * (SUN * sun * 0.8 + skylight);
    if matter.scatter > 0.0 {
        light = mix(light, 0.45 * light + glow(matter, local, smooth_normal, nv, open), matter.scatter);
    }
    if matter.sheen > 0.0 {
        // Tinted, and only as bright as what lights the cloth.
        let grazing = pow(1.0 - nv, 4.0);
        light += mix(matter.colour, vec3f(0.5), 0.25) * (SUN * sun * 0.25 + skylight) * grazing * matter.sheen * 0.7;
    }
    if matter.roughness > MATT && matter.coat == 0.0 {
        return light;
    }
    return light + shine(matter, normal, view, sun * step(0.0, dot(smooth_normal, frame.sun)), open, light);
}
