// Where the nodes of the finest levels are: X_J = c_J + Σ R_Ji ((x_i - c_J) + d_i).

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec3f>;
// See levels/net.wgsl; of these nodes the first row is of slots and shares.
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read_write> nodes: array<Node>;

// What one of LANES threads adds to that.
fn lift(i: u32, lane: u32) -> vec3f {
    let at = x[nodes[i].centre].xyz;
    var sum = vec3f(0.0);
    for (var k = rows[3u * i] + 2u * lane; k < rows[3u * i + 1u]; k += 2u * LANES) {
        let p = rows[k];
        sum += bitcast<f32>(rows[k + 1u]) * (lattice_way(at, x[p].xyz) + d[p]);
    }
    return sum;
}
