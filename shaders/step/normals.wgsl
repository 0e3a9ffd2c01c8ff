// Normals of the surface at its particles: the sum of the adjacent triangles' area vectors, in fixed order.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> e: array<vec3f>;
@group(0) @binding(4) var<storage, read> indices: array<u32>;
// Where each particle's triangles begin in the list that follows, and the end; then the list.
@group(0) @binding(5) var<storage, read> fans: array<u32>;
@group(0) @binding(6) var<storage, read_write> normals: array<vec4f>;

fn apart(a: u32, b: u32) -> vec3f {
    return (x[b].xyz - x[a].xyz) + (e[b] - e[a]);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    var sum = vec3f(0.0);
    for (var k = fans[i]; k < fans[i + 1u]; k += 1u) {
        let t = 3u * fans[batch.count + 1u + k];
        let a = indices[t];
        sum += cross(apart(a, indices[t + 1u]), apart(a, indices[t + 2u]));
    }
    let squared = dot(sum, sum);
    normals[i] = vec4f(sum * select(0.0, inverseSqrt(squared), squared > 0.0), 0.0);
}
