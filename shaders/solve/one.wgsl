// Solves constraints of one particle against the world: gather, evaluate, multiplier, scatter. The function gets the
// particle's place on the lattice and its displacement apart, to take (x - target) + d without rounding the target away.

@group(0) @binding(8) var<storage, read> records: array<Constraint>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = item(id);
    if (index >= batch.count) {
        return;
    }
    let place = batch.first + index;
    let record = records[place];
    let material = materials[record.material];
    let p0 = record.particles;
    let x0 = x[p0];
    let d0 = d[p0].xyz;
    var m0 = vec3f(0.0);
    if (!is_broken(place)) {
        var e0 = vec3f(0.0);
        if (DAMPED) {
            e0 = e[p0].xyz;
        }
        let w0 = x0.w * valence(index);
        var f0 = vec3f(0.0);
        for (var k = 0u; k < COMPONENTS; k += 1u) {
            let at = evaluate(record, k, x0.xyz, d0 + m0);
            let stored = multipliers[place * COMPONENTS + k];
            let lambda = opened(stored);
            var speed = 0.0;
            if (DAMPED) {
                speed = dot(at.gradient0, d0 + m0 - e0);
            }
            let weight = w0 * dot(at.gradient0, at.gradient0);
            let change = multiplier_change(material, lambda.x, at.value, speed, weight);
            multipliers[place * COMPONENTS + k] = vec2f(lambda.x + change, lambda.y);
            m0 += x0.w * change * at.gradient0;
            if (BREAKABLE) {
                f0 += mean_multiplier(stored) * at.gradient0;
            }
        }
        if (breaks(material, dot(f0, f0))) {
            mark_broken(place);
            m0 = vec3f(0.0);
        }
    }
    apply(p0, index, d0, m0);
}
