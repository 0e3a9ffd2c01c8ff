// λ of each particle of a fluid, by its density, and by how much the sweep changes it.

// Whether solids take part.
override SOLIDS: bool = true;

// Whether there is surface tension.
override TENSE: bool = true;

@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read_write> fluid_lambdas: array<f32>;
@group(0) @binding(6) var<storage, read_write> fluid_pushes: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> fluid_pressures: array<f32>;     // Σ λ/h² of the frame, by slot

var<private> sum: f32;
var<private> gradient: vec3f;
var<private> heaviness: f32;

// In the first sweep nothing has, but what constraints and surface tension moved.
fn may_have_moved() -> bool {
    return SOLIDS || TENSE || (batch.visit & OPENS) == 0u;
}

fn seen(j: u32) -> vec4f {
    return fluid_places[j];
}

fn meet(j: u32, weight: f32, way: vec3f, squared: f32) {
    var share = me.share;
    var pushed = 0.0;
    if (SOLIDS) {
        share = fluid_wet[j].share;
        pushed = fluid_wet[j].pushed;
    }
    let at = kernel_at(kernel, squared);
    let slope = share * at.y;
    let size = slope * sqrt(squared);
    sum += share * at.x;
    gradient -= slope * way;
    heaviness += weight * (size * (size + pushed));
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let own = item(id);
    if (own >= batch.count) {
        return;
    }
    let place = fluid_places[own];
    me = fluid_wet[own];
    if (me.compliance < 0.0) {
        fluid_pushes[own] = vec4f(place.xyz, 0.0);
        return;
    }
    load_kernel();
    load_mirrors(own);
    sum = me.share * kernel_at(kernel, 0.0).x;
    walk(own, place.xyz);
    let weight = heaviness + place.w * dot(gradient, gradient);
    let before = fluid_lambdas[own];
    let least = header(LEAST_SLOPE) * place.w;
    let lambda = fluid_pressed(before, sum - 1.0, weight, least, me.compliance * substep.inverse_seconds_squared);
    fluid_lambdas[own] = lambda;
    fluid_pushes[own] = vec4f(place.xyz, lambda - before);
    if ((batch.visit & CLOSES) != 0u) {
        let earlier = select(0.0, fluid_pressures[me.slot], substep.index > 0u);
        fluid_pressures[me.slot] = earlier + lambda * substep.inverse_seconds_squared;
    }
}
