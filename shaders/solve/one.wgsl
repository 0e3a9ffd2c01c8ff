// Solves constraints of one particle against the world: gather, evaluate, multiplier, scatter. The function gets the
// particle's place on the lattice and its displacement apart, to take (x - target) + d without rounding the target away.

fn solve(record: Constraint, first: u32, index: u32) {
    let material = materials[record.material];
    let p0 = record.particles;
    let x0 = position(p0);
    let d0 = displacement(p0);
    let n0 = x0.w * valence(index);
    let zero = nothing();
    var m0 = vec3f(0.0);     // change of d by this sweep
    var u0 = vec3f(0.0);     // d - e before the sweep
    var f0 = vec3f(0.0);     // mean λ∇C of the last frame
    if (DAMPED) {
        u0 = d0 - below(p0);
    }
    if (!is_broken(first)) {
        for (var k = 0u; k < COMPONENTS; k += 1u) {
            let l0 = within(index, m0);
            let at = evaluate(record, k, x0.xyz, d0 + l0);
            let multiplier = load_multiplier(first + k);
            let weight = fma(n0, dot3(at.gradient0, at.gradient0), zero);
            var way = 0.0;
            if (DAMPED) {
                way = dot3(at.gradient0, u0 + l0);
            }
            let change = multiplier_change(material_of(material, record.material, k), multiplier.x, at.value, way, weight, 0.0);
            m0 = fma(vec3f(x0.w * change), at.gradient0, m0 + zero);
            if (BREAKABLE) {
                f0 = fma(vec3f(mean_multiplier(first + k)), at.gradient0, f0);
            }
            store_multiplier(first + k, multiplier, change);
        }
    }
    if (breaks(material, dot3(f0, f0))) {
        mark_broken(first);
        m0 = vec3f(0.0);
    }
    apply(p0, index, d0, m0);
}
