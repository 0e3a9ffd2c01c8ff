// Normals of surfaces at their particles, and of skins at their vertices: the sum of the adjacent triangles' area vectors, in fixed order. Their fourth number
// is how long the mean of the triangles' own normals is, whatever their areas: 1 where they lie in a plane, cos θ/2 at an edge where the surface turns by θ with
// as many of them on either side.

// Whether surfaces can be torn: a particle's list is then that of the vertex it came from, of whose triangles it has some.
override TORN: bool = false;

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> e: array<vec3f>;
@group(0) @binding(4) var<storage, read> indices: array<u32>;
// For each particle and vertex of a skin where its triangles begin in this very list, and where they end; then these triangles.
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
    var normal_sum = vec3f(0.0);
    var count = 0.0;
    for (var k = fans[2u * i]; k < fans[2u * i + 1u]; k += 1u) {
        let t = 3u * fans[k];
        let a = indices[t];
        let b = indices[t + 1u];
        let c = indices[t + 2u];
        if (!TORN || a == i || b == i || c == i) {
            let area = cross(apart(a, b), apart(a, c));
            sum += area;
            let size = length(area);
            if (size > 0.0) {
                normal_sum += area / size;
                count += 1.0;
            }
        }
    }
    let squared = dot(sum, sum);
    let unit = sum * select(0.0, inverseSqrt(squared), squared > 0.0);
    normals[i] = vec4f(unit, length(normal_sum) / max(count, 1.0));
}
