// What is done for each node and edge of the levels of a sheet: places of the coarser nodes (lift), what edges go by in a substep (open), and from the
// coarsest level down corrections from above (lower), sweeps over edges (next_lambda), and what nodes hand on (hand).
//   Δλ = min(λ + Δλ*, max(λ₀, F h²)) - λ,  Δλ* = -(|X_a - X_b| - L + α̃ λ) / (W_a + W_b + α̃)     λ₀, F: see src/pass/levels/reference.rs
//   X_a += W_a Δλ n,  and so b;  in the end Y_a += g W_a λ n₀, n₀ along the edge before anything moved,
//   g = what sweeps over finer edges do not resolve by themselves; see `Edge::gate` in src/plan/levels/net.rs

// An edge of a net, what stays.
struct NetEdge {
    ends: vec2u,        // nodes
    length: f32,        // L, at rest, m
    factor: f32,        // of its material's compliance
    weight: f32,        // of the level below, 1/kg
    finest: f32,        // of the particles, 1/kg
    material: u32,
    below: u32,         // levels with sweeps
    hinge: u32,         // material
    buckling: f32,      // F, N, times its compliance
}

// What sweeps go by in a substep. Four numbers of all edges follow the four before of all, so that threads next to each other read what lies next to each other.
struct Tie {
    first: vec3f,       // X_a - X_b before anything moves them, m
    length: f32,
    soft: f32,          // α̃
    yielding: f32,      // 1 / (W_a + W_b + α̃); 0 between two fixed nodes
    most: f32,          // max(λ₀, F h²)
    gate: f32,          // g
    ends: vec2u,
    weights: vec2f,     // W_a, W_b
}

// As in src/plan/levels/net.rs.
const SECOND_ORDER: f32 = 0.8;
const LIGHTER: f32 = 4.0;

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
// Where the rows of each node begin, three each, and the end of the last. First what it is the mean of: finer nodes, each with its share. Then what moves
// it: coarser nodes and their shares. Then its edges, as 2 index + end.
@group(0) @binding(3) var<storage, read> rows: array<u32>;
@group(0) @binding(4) var<storage, read_write> nodes: array<Node>;
@group(0) @binding(5) var<storage, read> net_edges: array<NetEdge>;
@group(0) @binding(7) var<storage, read> materials: array<Material>;
@group(0) @binding(8) var<storage, read_write> ties: array<vec4u>;
@group(0) @binding(9) var<storage, read_write> lambdas: array<f32>;

fn tie(i: u32) -> Tie {
    let count = arrayLength(&lambdas);
    let apart = bitcast<vec4f>(ties[i]);
    let yields = bitcast<vec4f>(ties[count + i]);
    let between = ties[2u * count + i];
    return Tie(apart.xyz, apart.w, yields.x, yields.y, yields.z, yields.w, between.xy, bitcast<vec2f>(between.zw));
}

// What one of LANES threads adds to where a node is.
fn lift(i: u32, lane: u32) -> vec3f {
    let at = x[nodes[i].centre].xyz;
    var sum = vec3f(0.0);
    for (var k = rows[3u * i] + 2u * lane; k < rows[3u * i + 1u]; k += 2u * LANES) {
        let child = rows[k];
        sum += bitcast<f32>(rows[k + 1u]) * (lattice_way(at, nodes[child].at) + nodes[child].place);
    }
    return sum;
}

fn gate(edge: NetEdge, soft: f32) -> f32 {
    let finest = edge.finest * (1.0 + SECOND_ORDER * edge.finest / (edge.finest + soft));
    let one_way = finest / (finest + soft);
    var share = one_way * one_way;
    var weight = edge.weight;
    for (var level = 0u; level < edge.below; level += 1u) {
        share *= weight / (weight + soft);
        weight *= LIGHTER;
    }
    return share;
}

fn open(i: u32) {
    let edge = net_edges[i];
    let a = edge.ends.x;
    let b = edge.ends.y;
    let weights = vec2f(nodes[a].inverse_mass, nodes[b].inverse_mass);
    let soft = edge.factor * materials[edge.material].compliance * substep.inverse_seconds_squared;
    let buckling = edge.buckling / (max(materials[edge.hinge].compliance, 1e-30) * substep.inverse_seconds_squared);
    let pulled = select(max(-lambdas[i], 0.0), 0.0, substep.index == 0u);
    // Between two fixed nodes nothing moves.
    let weight = weights.x + weights.y;
    let yielding = select(0.0, 1.0 / (weight + soft), weight > 0.0);
    let first = lattice_way(nodes[b].at, nodes[a].at) + (nodes[a].place - nodes[b].place);
    let count = arrayLength(&lambdas);
    ties[i] = bitcast<vec4u>(vec4f(first, edge.length));
    ties[count + i] = bitcast<vec4u>(vec4f(soft, yielding, max(pulled, buckling), gate(edge, soft)));
    ties[2u * count + i] = vec4u(edge.ends, bitcast<vec2u>(weights));
    lambdas[i] = 0.0;
}

// What a node is moved by before sweeps.
fn lower(i: u32) -> vec3f {
    var sum = vec3f(0.0);
    for (var k = rows[3u * i + 1u]; k < rows[3u * i + 2u]; k += 2u) {
        sum += bitcast<f32>(rows[k + 1u]) * nodes[rows[k]].step;
    }
    let step = select(vec3f(0.0), sum, nodes[i].inverse_mass > 0.0);
    nodes[i].step = step;
    return step;
}

// What becomes of an edge's λ where its ends are so far apart.
fn next_lambda(tie: Tie, lambda: f32, length: f32) -> f32 {
    return min(lambda - (length - tie.length + tie.soft * lambda) * tie.yielding, tie.most);
}

fn hand(i: u32) {
    let inverse_mass = nodes[i].inverse_mass;
    var step = nodes[i].step;
    for (var k = rows[3u * i + 2u]; k < rows[3u * i + 3u]; k += 1u) {
        let edge = rows[k] / 2u;
        let tie = tie(edge);
        let size = dot(tie.first, tie.first);
        let handed = tie.gate * lambdas[edge] * select(0.0, inverseSqrt(size), size > 0.0);
        step += (select(handed, -handed, (rows[k] & 1u) == 1u) * inverse_mass) * tie.first;
    }
    nodes[i].step = step;
}
