// Rest values that change, of any kind: driven by a curve, and by what flows beyond the yield point. Before the first sweep of a
// substep each constraint's base takes what flowed, and the record gets the rest value in effect. A curve's value v at the
// substep's end and the flow f give
//   lengths, areas, volumes: base += f / v, rest = base v        angles, coordinates: base += f, rest = base + v
// A base that is multiplied does not go through zero.
//   f = s sign(C) (|C| - limit) where |C| > limit,  s = 1 - e^(-creep h)
// C is the elastic deformation of the substep before, by the constitutive law of XPBD: C = -α̃ λ, α̃ = α/h².

struct RestLaw {
    compliance: f32,
    limit: f32,     // of C; of what changes by a factor a share of the rest value
    share: f32,     // s; 0 if nothing ever flows
    curve: u32,
}

// Where the numbers are in a record, in words.
struct RestFields {
    offsets: vec4u, // of the rest values
    count: u32,     // of rest values, and of components
    stride: u32,    // of records
    material: u32,
    factor: u32,    // 1 where curves multiply, 0 where they add
    curves: u32,    // in a substep
}

const NO_CURVE: u32 = 0xffffffffu;

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
    let law = rest_laws[records[record + fields.material]];
    let factor = fields.factor == 1u;
    var values = vec4f(select(0.0, 1.0, factor));
    if (law.curve != NO_CURVE) {
        values = curves[substep.index * fields.curves + law.curve];
    }
    for (var k = 0u; k < fields.count; k += 1u) {
        let place = i * fields.count + k;
        var rest = rests[place];
        let flow = flowed(law, multipliers[place].x, select(law.limit, law.limit * abs(rest.y), factor));
        if (flow != 0.0 && !factor) {
            rest.x += flow;
        } else if (flow != 0.0 && values[k] > 0.0) {
            let base = rest.x + flow / values[k];
            rest.x = select(max(base, 0.0), min(base, 0.0), rest.x < 0.0);
        }
        rest.y = select(rest.x + values[k], rest.x * values[k], factor);
        rests[place] = rest;
        records[record + fields.offsets[k]] = bitcast<u32>(rest.y);
    }
}

fn flowed(law: RestLaw, lambda: f32, limit: f32) -> f32 {
    let elastic = -law.compliance * substep.inverse_seconds_squared * lambda;
    let excess = abs(elastic) - limit;
    return select(0.0, sign(elastic) * excess * law.share, law.share > 0.0 && excess > 0.0 && lambda != BROKEN);
}
