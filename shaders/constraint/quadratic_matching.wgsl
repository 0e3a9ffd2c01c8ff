// How far any number of particles are off the nearest image of their rest shape by polynomials of the second degree
// (modes_whole.wgsl): r.
//   C = sqrt(sum of m |r|²)        dC/dx = m r / C,  m the particle's share of the weight

const MODES = 10u;

struct QuadraticMatching {
    first: u32,
    count: u32,
    data: u32,
    material: u32,
}

fn quadratic_matching(c: QuadraticMatching, k: u32) -> EvaluationMany {
    let r = offset(c.first, c.data, k);
    let gradient = mode(c.data, k, 0u) * r;
    return EvaluationMany(dot3(gradient, r), gradient);
}

fn prepare(c: QuadraticMatching, thread: u32) {
    fit(c.first, c.count, c.data, thread);
}

fn whole(c: QuadraticMatching, correction: u32, thread: u32, value: f32, weight: f32, least: f32) -> Whole {
    return fitted(c.first, c.count, c.data, correction, thread, vec2f(value, weight));
}
