// What surfaces are made of, seen from near: tone and relief by their place in the material, m.
struct Pattern {
    /// Multiplies the colour.
    tone: vec3f,
    /// Change of height from a pixel to the next across and down, m.
    rise: vec2f,
}

/// Rings around an axis, with fine grain along it.
fn wood(place: vec3f, width: f32) -> vec3f {
    let bent = place + 0.6 * vec3f(noise(place * 0.35), 0.0, noise(place * 0.35 + 7.0));
    let radius = length(bent.xz * vec2f(1.0, 0.8) + vec2f(3.7, 1.3));
    let ring = radius - floor(radius);
    let late = smoothstep(0.45, 0.95, ring) * (1.0 - smoothstep(0.95, 1.0, ring)) * kept(0.6 * width);
    let fine = noise(place * vec3f(9.0, 0.6, 9.0)) * kept(5.0 * width);
    let broad = noise(place * vec3f(0.5, 0.12, 0.5));
    return vec3f(1.0, 0.93, 0.86) * (1.08 - 0.42 * late + 0.12 * fine) + vec3f(0.12, 0.10, 0.06) * broad;
}

/// The pattern of a style; `across` and `down` are the changes of `place` from pixel to pixel.
fn pattern_of(style: Style, place: vec3f, across: vec3f, down: vec3f) -> Pattern {
    if style.pattern == 0u {
        return Pattern(vec3f(1.0), vec2f(0.0));
    }
    let scale = 1.0 / style.grain;
    let p = place * scale;
    let width = max(length(across), length(down)) * scale;
    if style.pattern == WEAVE {
        let weave = weave_of(p, across * scale, down * scale);
        return Pattern(vec3f(weave.tone), weave.rise * style.grain * style.relief);
    }
    if style.pattern == WOOD {
        return Pattern(wood(p, width), vec2f(0.0));
    }
    var height = 0.0;
    var tone = 1.0;
    if style.pattern == STONE {
        let pores = noise(p * 3.1) * kept(3.0 * width);
        height = noise(p) * kept(width) + 0.5 * pores;
        tone = 1.0 + 0.07 * noise(p * 0.13) + 0.08 * height - 0.22 * smoothstep(0.45, 0.7, pores);
    } else if style.pattern == LEATHER {
        height = (abs(noise(p)) + 0.6 * abs(noise(p * 2.3 + 5.0))) * kept(width);
        tone = 0.82 + 0.45 * height + 0.10 * noise(p * 0.09);
    } else if style.pattern == FIBRES {
        height = noise(p * vec3f(1.0, 1.0, 0.06)) * kept(width);
        tone = 1.0 + 0.28 * height + 0.10 * noise(p * vec3f(0.2, 0.2, 0.03));
    } else if style.pattern == PAPER {
        height = noise(p * vec3f(1.0, 0.35, 1.0)) * kept(width);
        tone = 1.0 + 0.025 * height;
    }
    let relief = height * style.relief * style.grain;
    return Pattern(vec3f(tone), vec2f(dpdx(relief), dpdy(relief)));
}

/// The normal of a surface that rises by so much, m, from a pixel to the next (Mikkelsen 2010).
fn bumped(normal: vec3f, across: vec3f, down: vec3f, rise: vec2f) -> vec3f {
    let x = cross(down, normal);
    let y = cross(normal, across);
    let area = dot(across, x);
    return direction(abs(area) * normal - sign(area) * (rise.x * x + rise.y * y), normal);
}
