// Breaks the faces inside solids that are pulled too hard, by the greatest tensile stress n·σn that they bear (Rankine's
// criterion), the mean of their two tetrahedra. One thread per face.
//
// A tetrahedron of uniform stress σ pulls each of its corners with a third of what acts on the face opposite, f = σA/3 with A the
// area vector that points away from the corner (Teran et al., Finite Volume Methods for the Simulation of Skeletal Muscle, 2003). So
// n·σn = 3 f·A/|A|². As for edges f is the mean over the frame.

struct Facet {
    places: vec2u,      // of the constraints that its tetrahedra are
    opposite: u32,      // which corners it does not have: that of the first, and four times that of the second
    strength: f32,      // Pa
    vertices: vec3u,
    joint: u32,
}

@group(0) @binding(2) var<storage, read> facets: array<Facet>;
@group(0) @binding(3) var<storage, read> records: array<Constraint>;
@group(0) @binding(4) var<storage, read> multipliers: array<vec2f>;
@group(0) @binding(5) var<storage, read> x: array<vec4f>;
@group(0) @binding(6) var<storage, read> e: array<vec3f>;
@group(0) @binding(7) var<storage, read_write> broken: array<u32>;  // 1 for each joint that is
@group(0) @binding(8) var<storage, read_write> tear_vertices: array<TearVertex>;
@group(0) @binding(9) var<storage, read_write> tear: Tear;

// A face that was broken when a state was restored: its vertices are looked at again, as some may wait for spares.
const BROKEN_BEFORE: u32 = 2u;

fn apart(a: u32, b: u32) -> vec3f {
    return lattice_way(x[a].xyz, x[b].xyz) + (e[b] - e[a]);
}

// n·σn of a tetrahedron on its face opposite to a corner.
fn normal_stress(place: u32, opposite: u32) -> f32 {
    let record = records[place];
    let y1 = apart(record.particles.x, record.particles.y);
    let y2 = apart(record.particles.x, record.particles.z);
    let y3 = apart(record.particles.x, record.particles.w);
    var force = vec3f(0.0);
    for (var k = 0u; k < COMPONENTS; k += 1u) {
        let at = evaluate(record, k, vec3f(0.0), y1, y2, y3);
        let low = select(at.gradient0, at.gradient1, opposite == 1u);
        let high = select(at.gradient2, at.gradient3, opposite == 3u);
        force += multipliers[place * COMPONENTS + k].y * select(low, high, opposite > 1u);
    }
    let low = select(cross(y2 - y1, y3 - y1), cross(y3, y2), opposite == 1u);
    let high = select(cross(y1, y3), cross(y2, y1), opposite == 3u);
    let doubled = select(low, high, opposite > 1u);
    let squared = dot(doubled, doubled);
    let mean = 6.0 * substep.force_scale / f32(substep.count);
    return select(0.0, mean * dot(force, doubled) / squared, squared > 0.0);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let facet = facets[i];
    if (broken[facet.joint] == 1u) {
        return;
    }
    if (broken[facet.joint] != BROKEN_BEFORE) {
        let stress = normal_stress(facet.places.x, facet.opposite & 3u)
            + normal_stress(facet.places.y, facet.opposite >> 2u);
        if (!(0.5 * stress > facet.strength)) {
            return;
        }
    }
    broken[facet.joint] = 1u;
    atomicStore(&tear_vertices[facet.vertices.x].torn, 1u);
    atomicStore(&tear_vertices[facet.vertices.y].torn, 1u);
    atomicStore(&tear_vertices[facet.vertices.z].torn, 1u);
    atomicStore(&tear.changed, 1u);
}
