// Solves constraints between four particles: gather, evaluate, multiplier, scatter. Positions are relative to the first.

fn solve(record: Constraint, first: u32, index: u32) {
    let material = materials[record.material];
    let p0 = record.particles.x;
    let p1 = record.particles.y;
    let p2 = record.particles.z;
    let p3 = record.particles.w;
    let x0 = position(p0);
    let x1 = position(p1);
    let x2 = position(p2);
    let x3 = position(p3);
    let d0 = displacement(p0);
    let d1 = displacement(p1);
    let d2 = displacement(p2);
    let d3 = displacement(p3);
    let n0 = x0.w * valence(4u * index + 0u);
    let n1 = x1.w * valence(4u * index + 1u);
    let n2 = x2.w * valence(4u * index + 2u);
    let n3 = x3.w * valence(4u * index + 3u);
    let y1 = lattice_way(x0.xyz, x1.xyz) + (d1 - d0);
    let y2 = lattice_way(x0.xyz, x2.xyz) + (d2 - d0);
    let y3 = lattice_way(x0.xyz, x3.xyz) + (d3 - d0);
    let zero = nothing();
    var m0 = vec3f(0.0);     // change of d by this sweep
    var m1 = vec3f(0.0);
    var m2 = vec3f(0.0);
    var m3 = vec3f(0.0);
    var u0 = vec3f(0.0);     // d - e before the sweep
    var u1 = vec3f(0.0);
    var u2 = vec3f(0.0);
    var u3 = vec3f(0.0);
    var f0 = vec3f(0.0);     // mean λ∇C of the last frame
    var f1 = vec3f(0.0);
    var f2 = vec3f(0.0);
    var f3 = vec3f(0.0);
    if (DAMPED) {
        u0 = d0 - below(p0);
        u1 = d1 - below(p1);
        u2 = d2 - below(p2);
        u3 = d3 - below(p3);
    }
    if (!is_broken(first)) {
        for (var k = 0u; k < COMPONENTS; k += 1u) {
            let l0 = within(4u * index + 0u, m0);
            let l1 = within(4u * index + 1u, m1);
            let l2 = within(4u * index + 2u, m2);
            let l3 = within(4u * index + 3u, m3);
            let at = evaluate(record, k, l0, y1 + l1, y2 + l2, y3 + l3);
            let multiplier = load_multiplier(first + k);
            let squared0 = dot3(at.gradient0, at.gradient0);
            let squared1 = dot3(at.gradient1, at.gradient1);
            let squared2 = dot3(at.gradient2, at.gradient2);
            let squared3 = dot3(at.gradient3, at.gradient3);
            let weight = fma(n3, squared3, fma(n2, squared2, fma(n1, squared1, n0 * squared0)));
            let least = least_divisor(max(max(max(n0, n1), n2), n3), max(max(max(squared0, squared1), squared2), squared3));
            var way = 0.0;
            if (DAMPED) {
                way = dot3(at.gradient0, u0 + l0);
                way = dot3_and(at.gradient1, u1 + l1, way);
                way = dot3_and(at.gradient2, u2 + l2, way);
                way = dot3_and(at.gradient3, u3 + l3, way);
            }
            let change = multiplier_change(material_of(material, record.material, k), multiplier.x, at.value, way, weight, least);
            m0 = fma(vec3f(x0.w * change), at.gradient0, m0 + zero);
            m1 = fma(vec3f(x1.w * change), at.gradient1, m1 + zero);
            m2 = fma(vec3f(x2.w * change), at.gradient2, m2 + zero);
            m3 = fma(vec3f(x3.w * change), at.gradient3, m3 + zero);
            if (BREAKABLE) {
                let mean = vec3f(mean_multiplier(first + k));
                f0 = fma(mean, at.gradient0, f0);
                f1 = fma(mean, at.gradient1, f1);
                f2 = fma(mean, at.gradient2, f2);
                f3 = fma(mean, at.gradient3, f3);
            }
            store_multiplier(first + k, multiplier, change);
        }
    }
    if (breaks(material, max(max(max(dot3(f0, f0), dot3(f1, f1)), dot3(f2, f2)), dot3(f3, f3)))) {
        mark_broken(first);
        m0 = vec3f(0.0);
        m1 = vec3f(0.0);
        m2 = vec3f(0.0);
        m3 = vec3f(0.0);
    }
    apply(p0, 4u * index + 0u, d0, m0);
    apply(p1, 4u * index + 1u, d1, m1);
    apply(p2, 4u * index + 2u, d2, m2);
    apply(p3, 4u * index + 3u, d3, m3);
}
