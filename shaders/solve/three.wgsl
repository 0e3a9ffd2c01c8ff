// Solves constraints between three particles: gather, evaluate, multiplier, scatter. Positions are relative to the first.

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
    let c = c.particles.z;
    let xa = x[a];
    let xb = x[b];
    let xc = x[c];
    let da = d[a].xyz;
    let db = d[b].xyz;
    let dc = d[c].xyz;
    let b0 = (xb.xyz - xa.xyz) + (db - da);
    let c0 = (xc.xyz - xa.xyz) + (dc - da);
    var ma = vec3f(0.0);
    var mb = vec3f(0.0);
    var mc = vec3f(0.0);
    if (!is_broken(place)) {
        var ea = vec3f(0.0);
        var eb = vec3f(0.0);
        var ec = vec3f(0.0);
        if (DAMPED) {
            ea = e[a].xyz;
            eb = e[b].xyz;
            ec = e[c].xyz;
        }
        let wa = xa.w * valence(3u * index + 0u);
        let wb = xb.w * valence(3u * index + 1u);
        let wc = xc.w * valence(3u * index + 2u);
        var fa = vec3f(0.0);
        var fb = vec3f(0.0);
        var fc = vec3f(0.0);
        for (var k = 0u; k < COMPONENTS; k += 1u) {
            let at = evaluate(c, k, ma, b0 + mb, c0 + mc);
            let stored = multipliers[place * COMPONENTS + k];
            let lambda = opened(stored);
            var speed = 0.0;
            if (DAMPED) {
                speed += dot(at.gradient0, da + ma - ea);
                speed += dot(at.gradient1, db + mb - eb);
                speed += dot(at.gradient2, dc + mc - ec);
            }
            let weight = wa * dot(at.gradient0, at.gradient0)
                + wb * dot(at.gradient1, at.gradient1)
                + wc * dot(at.gradient2, at.gradient2);
            let change = multiplier_change(material, lambda.x, at.value, speed, weight);
            multipliers[place * COMPONENTS + k] = vec2f(lambda.x + change, lambda.y);
            ma += xa.w * change * at.gradient0;
            mb += xb.w * change * at.gradient1;
            mc += xc.w * change * at.gradient2;
            if (BREAKABLE) {
                let mean = mean_multiplier(stored);
                fa += mean * at.gradient0;
                fb += mean * at.gradient1;
                fc += mean * at.gradient2;
            }
        }
        if (breaks(material, max(max(dot(fa, fa), dot(fb, fb)), dot(fc, fc)))) {
            mark_broken(place);
            ma = vec3f(0.0);
            mb = vec3f(0.0);
            mc = vec3f(0.0);
        }
    }
    apply(a, 3u * index + 0u, da, ma);
    apply(b, 3u * index + 1u, db, mb);
    apply(c, 3u * index + 2u, dc, mc);
}
