// A contact after one more sweep, the twins of `Impulse::solved` and `Impulse::held` in src/law/contact.rs. Friction: μs and μd.

// The impulse of two that move, xyz: of friction; w: λ. The weight is the sum of the split inverse masses, the softness α̃.
fn pressed_by(before: vec4f, friction: vec2f, softness: f32, impact: Impact, weight: f32, n: vec3f, value: f32, slip: vec3f) -> vec4f {
    let lambda = normal_after(before.w, value + softness * before.w, weight + softness, 0.0);
    let along = dot(n, slip);
    let pressed = bound_of(impact, lambda, weight, along + weight * (lambda - before.w));
    return vec4f(tangential_after(before.xyz, slip - n * along, weight, friction, pressed), lambda);
}

// The plane of a collider that a particle meets.
struct Wall {
    normal: vec3f,      // out of the collider
    value: f32,         // C, m
    weight: f32,        // the particle's inverse mass, 1/kg
    hold: f32,          // the largest force of adhesion times H²; 0 without
    start: vec3f,       // from where the particle's way is measured, m
    carried: vec3f,     // how far the collider's surface moves in the time of that way, m
}

// The impulse of a particle and a collider, which moves the particle on from where it has come to.
fn held_by(before: vec4f, friction: vec2f, impact: Impact, wall: Wall, moved: ptr<function, vec3f>) -> vec4f {
    let lambda = normal_after(before.w, wall.value, wall.weight, -wall.hold);
    *moved += wall.weight * (lambda - before.w) * wall.normal;
    let slip = *moved - wall.start - wall.carried;
    let along = dot(wall.normal, slip);
    var pressed = lambda;
    if (lambda > 0.0) {
        pressed = impulse_of(impact, wall.weight * lambda, along / substep.share) / wall.weight;
    }
    pressed += wall.hold;
    let tangential = tangential_after(before.xyz, slip - wall.normal * along, wall.weight, friction, pressed);
    *moved += wall.weight * (tangential - before.xyz);
    return vec4f(tangential, lambda);
}
