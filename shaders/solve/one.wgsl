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
    let c = records[place];
    let material = materials[c.material];
    let a = c.particles;
    let xa = x[a];
    let da = d[a].xyz;
    var ma = vec3f(0.0);
    if (!is_broken(place)) {
        var ea = vec3f(0.0);
        if (DAMPED) {
            ea = e[a].xyz;
        }
        let wa = xa.w * valence(index);
        var fa = vec3f(0.0);
        for (var k = 0u; k < COMPONENTS; k += 1u) {
            let at = evaluate(c, k, xa.xyz, da + ma);
            let stored = multipliers[place * COMPONENTS + k];
            let lambda = opened(stored);
            var speed = 0.0;
            if (DAMPED) {
                speed = dot(at.gradient0, da + ma - ea);
            }
            let weight = wa * dot(at.gradient0, at.gradient0);
            let change = multiplier_change(material, lambda.x, at.value, speed, weight);
            multipliers[place * COMPONENTS + k] = vec2f(lambda.x + change, lambda.y);
            ma += xa.w * change * at.gradient0;
            if (BREAKABLE) {
                fa += mean_multiplier(stored) * at.gradient0;
            }
        }
        if (breaks(material, dot(fa, fa))) {
            mark_broken(place);
            ma = vec3f(0.0);
        }
    }
    apply(a, index, da, ma);
}
