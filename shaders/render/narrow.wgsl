// Makes one surface of a liquid's balls: a Gaussian mean of distances along one axis of the picture, of those that lie
// near what is already in it (narrow-range filter, Truong and Yuksel 2018).
/// Distances ahead, m; 0 where there is none.
@group(1) @binding(0) var fronts: texture_2d<f32>;
/// As `drop.wgsl` has them.
@group(1) @binding(1) var entries: texture_2d<f32>;

/// How far the mean reaches, spacings, and at how many pixels on each side it looks at most.
const REACH = 2.4;
const MOST = 32.0;
/// What lies farther apart in depth is another surface, spacings.
const RANGE = 2.5;
/// So far behind counts what lies farther behind or where nothing is, spacings: so rims turn away, and drops stay
/// round.
const RIM = 0.6;
/// Of a wall, as shares of the distance: where `drop.wgsl` has what touches it, and up to where it does.
const BEHIND_GLASS = 1.0002;
const AT_GLASS = 1.0003;
/// A pass moves nothing back by more, spacings: what lies on something would sink into it.
const DEEPEST = 0.2;
/// Depth of dents, spacings.
const DENT = 0.3;

@vertex
fn narrow_vertex(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return vec4f(screen_corner(vertex), 0.0, 1.0);
}

/// The distance at a pixel: far away where nothing is, below 0 where nothing is known, beyond the picture and beside a
/// container.
fn seen(texel: vec2i) -> f32 {
    let size = vec2i(textureDimensions(fronts));
    if any(texel < vec2i(0)) || any(texel >= size) {
        return -1.0;
    }
    let ahead = textureLoad(fronts, texel, 0).x;
    if ahead > 0.0 {
        return ahead;
    }
    return select(1e9, -1.0, textureLoad(entries, texel, 0).x < 0.0);
}

fn narrowed(texel: vec2i, along: vec2i) -> vec4f {
    let own = textureLoad(fronts, texel, 0).x;
    // What touches glass is as flat as that.
    let entry = textureLoad(entries, texel, 0).x;
    if own <= entry * AT_GLASS || own <= 0.0 {
        return vec4f(own);
    }
    let span = REACH * frame.spacing / (own * frame.pixel);
    let taps = clamp(ceil(span), 1.0, MOST);
    let nearest = own - RANGE * frame.spacing;
    let farthest = own + RANGE * frame.spacing;
    let rim = own + RIM * frame.spacing;
    var sum = vec2f(own, 1.0);
    for (var i = 1.0; i <= taps; i += 1.0) {
        let offset = along * i32(round(i * max(span / taps, 1.0)));
        let a = seen(texel + offset);
        let b = seen(texel - offset);
        // What is hidden on one side counts on neither: so a slope stays as it is, however steep.
        if min(a, b) < nearest {
            continue;
        }
        let part = 2.0 * i / taps;
        sum += vec2f(select(rim, a, a <= farthest) + select(rim, b, b <= farthest), 2.0) * exp(-part * part);
    }
    let mean = min(sum.x / sum.y, own + DEEPEST * frame.spacing);
    // Dents between what touches the glass are none.
    return vec4f(select(mean, entry * BEHIND_GLASS, entry > 0.0 && mean < entry + DENT * frame.spacing));
}

@fragment
fn narrow_across_fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return narrowed(vec2i(at.xy), vec2i(1, 0));
}

@fragment
fn narrow_down_fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return narrowed(vec2i(at.xy), vec2i(0, 1));
}
