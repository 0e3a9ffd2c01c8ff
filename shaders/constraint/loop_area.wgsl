// Signed area of a closed loop of particles in the plane of x and y, positive counter-clockwise.
//   C = ½ Σ (x(k) y(k+1) - x(k+1) y(k)) - A        dC/dx(k) = ½ (y(k+1) - y(k-1), x(k-1) - x(k+1), 0)
// Member k's share of C is the triangle from the first member to the edge after k; the first bears the rest area too.

struct LoopArea {
    first: u32,
    count: u32,
    rest_area: f32, // m²
    material: u32,
}

fn loop_area(c: LoopArea, k: u32) -> EvaluationMany {
    let here = member(c.first + k);
    let before = member(c.first + (k + c.count - 1u) % c.count);
    let after = member(c.first + (k + 1u) % c.count);
    let rest = select(0.0, c.rest_area, k == 0u);
    let half = 0.5 * here;
    let share = fma(half.x, after.y, -(after.x * half.y));
    return EvaluationMany(share - rest, 0.5 * vec3f(after.y - before.y, before.x - after.x, 0.0));
}
