// Rest shape of any number of particles, laid onto them as a rigid body (shape_matching_whole.wgsl): r is how far a particle is off its place in it.
//   C = sqrt(sum of m |r|²)        dC/dx = m r / C,  m the particle's share of the weight

struct ShapeMatching {
    first: u32,
    count: u32,
    data: u32,
    material: u32,
}

fn shape_matching(c: ShapeMatching, k: u32) -> EvaluationMany {
    let r = offset(c.first, c.data, k);
    let gradient = rest_place(c.data, k).w * r;
    return EvaluationMany(dot3(gradient, r), gradient);
}
