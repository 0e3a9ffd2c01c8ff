// A tetrahedron, or a triangle with its normal in place of a third edge.
struct Element {
    /// Slots; of a triangle the last is NONE.
    particles: vec4u,
    /// Of what the elements at each particle weigh.
    shares: vec4f,
    /// Rows of the inverse of the rest shape, 1/m.
    inverse0: vec3f,
    inverse1: vec3f,
    inverse2: vec3f,
}

const NONE = 0xffffffffu;

@group(1) @binding(1) var<storage, read> positions: array<vec4f>;
@group(1) @binding(2) var<storage, read> elements: array<Element>;

/// [x1 - x0, x2 - x0, x3 - x0], m.
fn edges_of(element: Element) -> mat3x3f {
    let first = positions[element.particles.x].xyz;
    let a = positions[element.particles.y].xyz - first;
    let b = positions[element.particles.z].xyz - first;
    if (element.particles.w == NONE) {
        let normal = cross(a, b);
        return mat3x3f(a, b, normal / max(length(normal), 1e-30));
    }
    return mat3x3f(a, b, positions[element.particles.w].xyz - first);
}

/// Gives a value, in full scales, to the particles.
fn spread(element: Element, value: f32) {
    add_heat(element.particles.x, element.shares.x, value);
    add_heat(element.particles.y, element.shares.y, value);
    add_heat(element.particles.z, element.shares.z, value);
    if (element.particles.w != NONE) {
        add_heat(element.particles.w, element.shares.w, value);
    }
}
