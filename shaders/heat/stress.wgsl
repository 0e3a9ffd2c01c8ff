// Heat of the particles by von Mises' stress √(3/2 s:s), s = σ - tr σ/3, of an element's energy Σ C²/2α: it is linear, so that
// Cauchy's stress is σ = 1/v Σ C/α Σ ∇ᵢC ⊗ (xᵢ - x0), v the volume now.

@group(1) @binding(3) var<storage, read> records: array<Constraint>;
/// 1/α of each material in full scales; 0 where it tells no stress.
@group(1) @binding(4) var<storage, read> moduli: array<f32>;

// The least share of its volume at rest in which an element's stress acts: src/measure/elements.rs.
const FLATTEST: f32 = 1e-6;

fn outer(a: vec3f, b: vec3f) -> mat3x3f {
    return mat3x3f(a * b.x, a * b.y, a * b.z);
}

fn von_mises(s: mat3x3f) -> f32 {
    let normal = vec3f(s[0].x - s[1].y, s[1].y - s[2].z, s[2].z - s[0].x);
    let shear = vec3f(s[0].y, s[1].z, s[2].x);
    return sqrt(0.5 * dot(normal, normal) + 3.0 * dot(shear, shear));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&elements)) {
        return;
    }
    let record = records[id.x];
    let element = elements[id.x];
    let y = edges_of(element);
    let rest = 1.0 / abs(dot(element.inverse0, cross(element.inverse1, element.inverse2)));
    let volume = max(abs(dot(y[0], cross(y[1], y[2]))), FLATTEST * rest) / 6.0;
    var stress = mat3x3f();
    for (var k = 0u; k < COMPONENTS; k += 1u) {
        let at = evaluate(record, k, vec3f(0.0), y[0], y[1], y[2]);
        let modulus = moduli[record.material + OWN_MATERIALS * k];
        if (modulus == 0.0) {
            return;
        }
        let scale = modulus * at.value / volume;
        stress += scale * (outer(at.gradient1, y[0]) + outer(at.gradient2, y[1]) + outer(at.gradient3, y[2]));
    }
    spread(element, von_mises(stress));
}
