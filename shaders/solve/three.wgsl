// Solves constraints between three particles: gather, evaluate, multiplier, scatter. Positions are relative to the first.
// The generated `components` calls `component` for each: a loop would cost twice the time, since drivers cannot unroll
// loops that are guarded against never ending (measured on lavapipe).

@group(0) @binding(8) var<storage, read> records: array<Constraint>;

var<private> place: u32;
var<private> record: Constraint;
var<private> material: Material;
var<private> w0: f32;       // inverse mass
var<private> w1: f32;
var<private> w2: f32;
var<private> n0: f32;       // valence
var<private> n1: f32;
var<private> n2: f32;
var<private> y1: vec3f;     // position before the sweep
var<private> y2: vec3f;
var<private> u0: vec3f;     // d - e before the sweep
var<private> u1: vec3f;
var<private> u2: vec3f;
var<private> m0: vec3f;     // change of d by this sweep
var<private> m1: vec3f;
var<private> m2: vec3f;
var<private> f0: vec3f;     // mean λ∇C of the last frame
var<private> f1: vec3f;
var<private> f2: vec3f;

fn component(k: u32) {
    let at = evaluate(record, k, m0, y1 + m1, y2 + m2);
    let multiplier = load_multiplier(place * COMPONENTS + k);
    var way = 0.0;
    if (DAMPED) {
        way = dot(at.gradient0, u0 + m0)
            + dot(at.gradient1, u1 + m1)
            + dot(at.gradient2, u2 + m2);
    }
    let weight = n0 * w0 * dot(at.gradient0, at.gradient0)
        + n1 * w1 * dot(at.gradient1, at.gradient1)
        + n2 * w2 * dot(at.gradient2, at.gradient2);
    let change = multiplier_change(material, multiplier.x, at.value, way, weight);
    m0 += w0 * change * at.gradient0;
    m1 += w1 * change * at.gradient1;
    m2 += w2 * change * at.gradient2;
    if (BREAKABLE) {
        let mean = mean_multiplier(place * COMPONENTS + k);
        f0 += mean * at.gradient0;
        f1 += mean * at.gradient1;
        f2 += mean * at.gradient2;
    }
    store_multiplier(place * COMPONENTS + k, multiplier + change);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = item(id);
    if (index >= batch.count) {
        return;
    }
    place = batch.first + index;
    record = records[place];
    material = materials[record.material];
    let p0 = record.particles.x;
    let p1 = record.particles.y;
    let p2 = record.particles.z;
    let x0 = x[p0];
    let x1 = x[p1];
    let x2 = x[p2];
    let d0 = d[p0];
    let d1 = d[p1];
    let d2 = d[p2];
    w0 = x0.w;
    w1 = x1.w;
    w2 = x2.w;
    n0 = valence(3u * index + 0u);
    n1 = valence(3u * index + 1u);
    n2 = valence(3u * index + 2u);
    y1 = (x1.xyz - x0.xyz) + (d1 - d0);
    y2 = (x2.xyz - x0.xyz) + (d2 - d0);
    if (DAMPED) {
        u0 = d0 - e[p0];
        u1 = d1 - e[p1];
        u2 = d2 - e[p2];
    }
    if (!is_broken(place)) {
        components();
    }
    if (breaks(material, max(max(dot(f0, f0), dot(f1, f1)), dot(f2, f2)))) {
        mark_broken(place);
        m0 = vec3f(0.0);
        m1 = vec3f(0.0);
        m2 = vec3f(0.0);
    }
    apply(p0, 3u * index + 0u, d0, m0);
    apply(p1, 3u * index + 1u, d1, m1);
    apply(p2, 3u * index + 2u, d2, m2);
}
