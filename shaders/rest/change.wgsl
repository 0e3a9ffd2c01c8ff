// Rest values that change, of any kind: driven by a curve, and by what flows beyond the yield point. Before the first sweep of a
// substep each constraint's base takes what flowed, and the record gets the rest value in effect. A curve's value v at the
// substep's end and the flow f give
//   lengths, areas, volumes: base += f / v, rest = base v        angles, coordinates: base += f, rest = base + v
// A base that is multiplied does not go through zero.
//   f = s sign(C) (|C| - limit) where |C| > limit,  s = 1 - e^(-creep h)
// C is the elastic deformation of the substep before, by the constitutive law of XPBD: C = -α̃ λ, α̃ = α/H², over the scale of C
// where the kind has one.

// Where the numbers are in a record, in words.
struct RestFields {
    first: u32,     // of the rest values that change, which follow one another
    before: u32,    // how many others there are before
    count: u32,     // of those that change, and of components
    all: u32,       // of rest values
    stride: u32,    // of records
    material: u32,
    own: u32,       // 1 where each component has a material of its own
    scale: u32,     // of C; or NO_SCALE
    factor: u32,    // 1 where curves multiply, 0 where they add
    curves: u32,    // in a substep
}

const NO_CURVE: u32 = 0xffffffffu;
const NO_SCALE: u32 = 0xffffffffu;

@group(0) @binding(2) var<storage, read> fields: RestFields;
@group(0) @binding(3) var<storage, read> rest_laws: array<RestLaw>;     // one per material
@group(0) @binding(4) var<storage, read> curves: array<vec4f>;          // all of substep 0, all of substep 1, ...
@group(0) @binding(5) var<storage, read> multipliers: array<vec2f>;
@group(0) @binding(6) var<storage, read_write> records: array<u32>;
@group(0) @binding(7) var<storage, read_write> rests: array<vec2f>;     // x: base. y: in effect

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let record = i * fields.stride;
    let material = records[record + fields.material];
    let factor = fields.factor == 1u;
    var scale = 1.0;
    if (fields.scale != NO_SCALE) {
        scale = bitcast<f32>(records[record + fields.scale]);
    }
    for (var k = 0u; k < fields.count; k += 1u) {
        let law = rest_laws[material + k * fields.own];
        var value = select(0.0, 1.0, factor);
        if (law.curve != NO_CURVE) {
            // The fourth number of a curve is zero: beyond the third it drives nothing.
            value = curves[substep.index * fields.curves + law.curve][min(k, 3u)];
        }
        let place = i * fields.all + fields.before + k;
        var rest = rests[place];
        let lambda = multipliers[i * fields.count + k].x;
        let flow = flowed(law, lambda, scale, select(law.limit, law.limit * abs(rest.y), factor));
        if (flow != 0.0 && !factor) {
            rest.x += flow;
        } else if (flow != 0.0 && value > 0.0) {
            let base = rest.x + flow / value;
            rest.x = select(max(base, 0.0), min(base, 0.0), rest.x < 0.0);
        }
        rest.y = select(rest.x + value, rest.x * value, factor);
        rests[place] = rest;
        records[record + fields.first + k] = bitcast<u32>(rest.y);
    }
}

// An element without a scale, which has no size, does not flow.
fn flowed(law: RestLaw, lambda: f32, scale: f32, limit: f32) -> f32 {
    let deformation = -law.compliance * substep.force_scale * lambda;
    let elastic = select(0.0, deformation / scale, scale > 0.0);
    let excess = abs(elastic) - limit;
    return select(0.0, sign(elastic) * excess * law.share, law.share > 0.0 && excess > 0.0 && lambda != BROKEN);
}
