// Balls, lit.
struct BallFragment {
    @location(0) colour: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn ball_fragment(in: BallVertex) -> BallFragment {
    let at = meet(in, -1.0);
    if at.coverage <= 0.0 {
        discard;
    }
    let depth = depth_of(at.local);
    let open = openness(in.clip.xy, at.local);
    if in.heat >= 0.0 {
        return BallFragment(vec4f(heated(in.heat, at.local, at.normal, open), at.coverage), depth);
    }
    let style = styles[in.style];
    let light = shade(matter_of(style, style.front * in.tone), at.local, at.normal, at.normal, open);
    return BallFragment(vec4f(picture(light), at.coverage), depth);
}

/// Distance ahead in place of its colour, m.
struct EntryFragment {
    @location(0) ahead: vec4f,
    @builtin(frag_depth) depth: f32,
}

/// Its normal in place of its colour.
@fragment
fn ball_prepass_fragment(in: BallVertex) -> BallFragment {
    let at = meet(in, -1.0);
    if at.coverage < 0.5 {
        discard;
    }
    return BallFragment(vec4f(at.normal, 0.0), depth_of(at.local));
}

/// In the sun's view: a disc through the centre.
@fragment
fn ball_shadow_fragment(in: BallVertex) {
    if distance(in.local, in.ball.xyz) > in.ball.w {
        discard;
    }
}

/// A container is glass: its far side, then its contents, then its near side.
fn glass(in: BallVertex, side: f32) -> BallFragment {
    let at = meet(in, side);
    if at.coverage <= 0.0 {
        discard;
    }
    let glass = glass_light(styles[in.style], at.normal * -side, toward_eye(at.local));
    return BallFragment(vec4f(picture(glass.xyz), glass.w * at.coverage), depth_of(at.local));
}

@fragment
fn glass_far_fragment(in: BallVertex) -> BallFragment {
    return glass(in, 1.0);
}

@fragment
fn glass_near_fragment(in: BallVertex) -> BallFragment {
    return glass(in, -1.0);
}

/// A container's near side: where what is in it can begin.
@fragment
fn ball_entry_fragment(in: BallVertex) -> EntryFragment {
    let at = meet(in, -1.0);
    if at.coverage < 0.5 {
        discard;
    }
    return EntryFragment(vec4f(ahead_of(at.local)), depth_of(at.local));
}

/// A container's far side, which one sees through its near side, or from within.
@fragment
fn ball_exit_fragment(in: BallVertex) -> @location(0) vec4f {
    if meet(in, 1.0).coverage < 0.5 {
        discard;
    }
    return vec4f(0.0);
}
