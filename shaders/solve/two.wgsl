// Solves constraints between two particles: gather, evaluate, multiplier, scatter. Positions are relative to the first.

fn solve(record: Constraint, first: u32, index: u32) {
    let material = materials[record.material];
    let p0 = record.particles.x;
    let p1 = record.particles.y;
    let x0 = position(p0);
    let x1 = position(p1);
    let d0 = displacement(p0);
    let d1 = displacement(p1);
    let n0 = x0.w * valence(2u * index + 0u);
    let n1 = x1.w * valence(2u * index + 1u);
    let y1 = lattice_way(x0.xyz, x1.xyz) + (d1 - d0);
    let zero = nothing();
    var m0 = vec3f(0.0);     // change of d by this sweep
    var m1 = vec3f(0.0);
    var u0 = vec3f(0.0);     // d - e before the sweep
    var u1 = vec3f(0.0);
    var f0 = vec3f(0.0);     // mean λ∇C of the last frame
    var f1 = vec3f(0.0);
    if (DAMPED) {
        u0 = d0 - below(p0);
        u1 = d1 - below(p1);
    }
    if (!is_broken(first)) {
        for (var k = 0u; k < COMPONENTS; k += 1u) {
            let l0 = within(2u * index + 0u, m0);
            let l1 = within(2u * index + 1u, m1);
            let at = evaluate(record, k, l0, y1 + l1);
            let multiplier = load_multiplier(first + k);
            let weight = fma(n1, dot3(at.gradient1, at.gradient1),
                n0 * dot3(at.gradient0, at.gradient0));
            var way = 0.0;
            if (DAMPED) {
                way = dot3(at.gradient0, u0 + l0);
                way = dot3_and(at.gradient1, u1 + l1, way);
            }
            // Two gradients are opposite: neither vanishes alone.
            let change = multiplier_change(material_of(material, record.material, k), multiplier.x, at.value, way, weight, 0.0);
            m0 = fma(vec3f(x0.w * change), at.gradient0, m0 + zero);
            m1 = fma(vec3f(x1.w * change), at.gradient1, m1 + zero);
            if (BREAKABLE) {
                let mean = vec3f(mean_multiplier(first + k));
                f0 = fma(mean, at.gradient0, f0);
                f1 = fma(mean, at.gradient1, f1);
            }
            store_multiplier(first + k, multiplier, change);
        }
    }
    if (breaks(material, max(dot3(f0, f0), dot3(f1, f1)))) {
        mark_broken(first);
        m0 = vec3f(0.0);
        m1 = vec3f(0.0);
    }
    apply(p0, 2u * index + 0u, d0, m0);
    apply(p1, 2u * index + 1u, d1, m1);
}
