// Length of a closed loop of particles.
//   C = sum |x(k+1) - x(k)| - L        dC/dx(k) = direction from x(k-1) to x(k) + direction from x(k+1) to x(k)
// Member k's share of C is the length of the edge after it; the first bears the rest length too.

struct LoopLength {
    first: u32,
    count: u32,
    rest_length: f32, // m
    material: u32,
}

fn loop_direction(edge: vec3f) -> vec3f {
    let length = length(edge);
    return select(vec3f(0.0), edge / length, length > 0.0);
}

fn loop_length(c: LoopLength, k: u32) -> EvaluationMany {
    let here = member(c.first + k);
    let before = here - member(c.first + (k + c.count - 1u) % c.count);
    let after = here - member(c.first + (k + 1u) % c.count);
    let rest = select(0.0, c.rest_length, k == 0u);
    return EvaluationMany(length(after) - rest, loop_direction(before) + loop_direction(after));
}
