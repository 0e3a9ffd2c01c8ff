// Solves constraints of one particle against the world: gather, evaluate, multiplier, scatter. The function gets the
// particle's place on the lattice and its displacement apart, to take (x - target) + d without rounding the target away.
// `components`: see two.wgsl.

@group(0) @binding(8) var<storage, read> records: array<Constraint>;

var<private> place: u32;
var<private> record: Constraint;
var<private> material: Material;
var<private> x0: vec4f;
var<private> d0: vec3f;
var<private> n0: f32;       // valence
var<private> u0: vec3f;     // d - e before the sweep
var<private> m0: vec3f;     // change of d by this sweep
var<private> f0: vec3f;     // mean λ∇C of the last frame

fn component(k: u32) {
    let at = evaluate(record, k, x0.xyz, d0 + m0);
    let multiplier = load_multiplier(place * COMPONENTS + k);
    var way = 0.0;
    if (DAMPED) {
        way = dot(at.gradient0, u0 + m0);
    }
    let weight = n0 * x0.w * dot(at.gradient0, at.gradient0);
    let change = multiplier_change(material, multiplier.x, at.value, way, weight);
    m0 += x0.w * change * at.gradient0;
    if (BREAKABLE) {
        f0 += mean_multiplier(place * COMPONENTS + k) * at.gradient0;
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
    let p0 = record.particles;
    x0 = x[p0];
    d0 = d[p0];
    n0 = valence(index);
    if (DAMPED) {
        u0 = d0 - e[p0];
    }
    if (!is_broken(place)) {
        components();
    }
    if (breaks(material, dot(f0, f0))) {
        mark_broken(place);
        m0 = vec3f(0.0);
    }
    apply(p0, index, d0, m0);
}
