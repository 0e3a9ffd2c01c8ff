// Solves constraints between two particles: gather, evaluate, multiplier, scatter. Positions are relative to the first.

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
    let a = c.particles.x;
    let b = c.particles.y;
    let xa = x[a];
    let xb = x[b];
    let da = d[a].xyz;
    let db = d[b].xyz;
    let b0 = (xb.xyz - xa.xyz) + (db - da);
    var ma = vec3f(0.0);
    var mb = vec3f(0.0);
    if (!is_broken(place)) {
        var ea = vec3f(0.0);
        var eb = vec3f(0.0);
        if (DAMPED) {
            ea = e[a].xyz;
            eb = e[b].xyz;
        }
        let wa = xa.w * valence(2u * index + 0u);
        let wb = xb.w * valence(2u * index + 1u);
        var fa = vec3f(0.0);
        var fb = vec3f(0.0);
        for (var k = 0u; k < COMPONENTS; k += 1u) {
            let at = evaluate(c, k, ma, b0 + mb);
            let stored = multipliers[place * COMPONENTS + k];
            let lambda = opened(stored);
            var speed = 0.0;
            if (DAMPED) {
                speed += dot(at.gradient0, da + ma - ea);
                speed += dot(at.gradient1, db + mb - eb);
            }
            let weight = wa * dot(at.gradient0, at.gradient0)
                + wb * dot(at.gradient1, at.gradient1);
            let change = multiplier_change(material, lambda.x, at.value, speed, weight);
            multipliers[place * COMPONENTS + k] = vec2f(lambda.x + change, lambda.y);
            ma += xa.w * change * at.gradient0;
            mb += xb.w * change * at.gradient1;
            if (BREAKABLE) {
                let mean = mean_multiplier(stored);
                fa += mean * at.gradient0;
                fb += mean * at.gradient1;
            }
        }
        if (breaks(material, max(dot(fa, fa), dot(fb, fb)))) {
            mark_broken(place);
            ma = vec3f(0.0);
            mb = vec3f(0.0);
        }
    }
    apply(a, 2u * index + 0u, da, ma);
    apply(b, 2u * index + 1u, db, mb);
}
