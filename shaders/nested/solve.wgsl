// All levels of a sheet: places of the coarser nodes, then from the coarsest down corrections from above and sweeps over edges. What is done are
// stages, each of which may be done by all threads at once: a list of them for each workgroup, all of a small sheet's, or a piece of a long one.
//   Δλ = min(λ + Δλ*, max(λ₀, F h²)) - λ,  Δλ* = -(|X_a - X_b| - L + α̃ λ) / (W_a + W_b + α̃),     λ₀, F: see src/reference/nested.rs
//   X_a += W_a Δλ n,  and so b;  in the end Y_a += g W_a λ n₀, n₀ along the edge before anything moved,
//   g = what sweeps over finer edges do not resolve by themselves; see `Edge::gate` in src/plan/levels/net.rs

// An edge of a net.
struct NetEdge {
    ends: vec2u,        // nodes
    length: f32,        // at rest, m
    factor: f32,        // of its material's compliance
    weight: f32,        // of the level below, 1/kg
    lambda: f32,
    material: u32,
    finest: f32,        // of the particles, 1/kg
    pulled: f32,        // λ₀: -λ of the substep before
    below: u32,         // levels with sweeps
    hinge: u32,         // material
    buckling: f32,      // F, N, times its compliance
}

struct Stage {
    what: u32,
    first: u32,         // nodes or edges
    count: u32,
}

// As in src/plan/levels/net.rs.
const SECOND_ORDER: f32 = 0.8;
const LIGHTER: f32 = 4.0;

const RESTRICT: u32 = 0u;
const PROLONG: u32 = 1u;
const OPEN: u32 = 2u;       // the first sweep over edges
const SWEEP: u32 = 3u;
const CLOSE: u32 = 4u;      // the last

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> restrictions: array<u32>;     // as in restrict.wgsl; of nodes, above the finest level
@group(0) @binding(4) var<storage, read> prolongations: array<u32>;    // the same, from the nodes of the level above
@group(0) @binding(5) var<storage, read_write> nodes: array<Node>;
@group(0) @binding(6) var<storage, read_write> net_edges: array<NetEdge>;
// First the range of each list's stages, `first` to `count` of an entry of its own.
@group(0) @binding(7) var<storage, read> stages: array<Stage>;
@group(0) @binding(8) var<storage, read> materials: array<Material>;

fn gather_up(i: u32) {
    let centre = x[nodes[i].centre].xyz;
    var sum = vec3f(0.0);
    for (var k = restrictions[i]; k < restrictions[i + 1u]; k += 2u) {
        let child = restrictions[k];
        let place = lattice_way(centre, x[nodes[child].centre].xyz) + nodes[child].place;
        sum += bitcast<f32>(restrictions[k + 1u]) * place;
    }
    nodes[i].place = sum;
}

fn spread_down(i: u32) {
    var sum = vec3f(0.0);
    for (var k = prolongations[i]; k < prolongations[i + 1u]; k += 2u) {
        sum += bitcast<f32>(prolongations[k + 1u]) * nodes[prolongations[k]].step;
    }
    let step = select(vec3f(0.0), sum, nodes[i].inverse_mass > 0.0);
    nodes[i].step = step;
    nodes[i].moved = step;
}

fn gate(edge: NetEdge, compliance: f32) -> f32 {
    let finest = edge.finest * (1.0 + SECOND_ORDER * edge.finest / (edge.finest + compliance));
    var share = finest / (finest + compliance);
    var weight = edge.weight;
    for (var level = 0u; level < edge.below; level += 1u) {
        share *= weight / (weight + compliance);
        weight *= LIGHTER;
    }
    return share;
}

fn pull(i: u32, what: u32) {
    let edge = net_edges[i];
    let a = nodes[edge.ends.x];
    let b = nodes[edge.ends.y];
    let weight = a.inverse_mass + b.inverse_mass;
    let first = lattice_way(x[b.centre].xyz, x[a.centre].xyz) + (a.place - b.place);
    let apart = first + (a.moved - b.moved);
    let length = length(apart);
    // A node that is switched off weighs less than nothing.
    if (weight <= 0.0 || length == 0.0) {
        return;
    }
    let open = what == OPEN;
    let compliance = edge.factor * materials[edge.material].compliance * substep.inverse_seconds_squared;
    let lambda = select(edge.lambda, 0.0, open);
    let pulled = select(edge.pulled, select(max(-edge.lambda, 0.0), 0.0, substep.index == 0u), open);
    let buckling = edge.buckling / (max(materials[edge.hinge].compliance, 1e-30) * substep.inverse_seconds_squared);
    let most = max(pulled, buckling);
    let next = min(lambda - (length - edge.length + compliance * lambda) / (weight + compliance), most);
    let push = ((next - lambda) / length) * apart;
    net_edges[i].lambda = next;
    net_edges[i].pulled = pulled;
    nodes[edge.ends.x].moved = a.moved + a.inverse_mass * push;
    nodes[edge.ends.y].moved = b.moved - b.inverse_mass * push;
    if (what == CLOSE) {
        let size = dot(first, first);
        let handed = (gate(edge, compliance) * next * select(0.0, inverseSqrt(size), size > 0.0)) * first;
        nodes[edge.ends.x].step = a.step + a.inverse_mass * handed;
        nodes[edge.ends.y].step = b.step - b.inverse_mass * handed;
    }
}

// Whether lists are of several stages. (On lavapipe a kernel without barriers does pieces in three quarters of the time.)
override MEETS: bool = true;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let list = stages[batch.first + index];
    for (var s = list.first; s < list.count; s += 1u) {
        let stage = stages[s];
        for (var k = thread; k < stage.count; k += GROUP_SIZE) {
            let i = stage.first + k;
            if (stage.what == RESTRICT) {
                gather_up(i);
            } else if (stage.what == PROLONG) {
                spread_down(i);
            } else {
                pull(i, stage.what);
            }
        }
        if (MEETS) {
            storageBarrier();
            workgroupBarrier();
        }
    }
}
