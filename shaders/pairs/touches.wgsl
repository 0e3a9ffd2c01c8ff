// How a body touches others.
struct Touch {
    compliance: f32,        // m/N; that of a pair is the sum of the two, of all others the mean
    friction: f32,
    dynamic_friction: f32,
    restitution: f32,
}

fn touch_of(a: Ball, b: Ball) -> Touch {
    let first = touches[a.body & ~MEETS_ITSELF];
    let second = touches[b.body & ~MEETS_ITSELF];
    return Touch(
        first.compliance + second.compliance,
        0.5 * (first.friction + second.friction),
        0.5 * (first.dynamic_friction + second.dynamic_friction),
        0.5 * (first.restitution + second.restitution),
    );
}
