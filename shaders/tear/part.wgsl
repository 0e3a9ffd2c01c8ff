// Finds the parts around each torn vertex and counts those that want a particle. One thread per vertex: no other touches its
// corners.

@group(0) @binding(2) var<storage, read> tear_fans: array<u32>; // as in split.wgsl
@group(0) @binding(4) var<storage, read> broken: array<u32>;
@group(0) @binding(5) var<storage, read_write> holds: array<Hold>;
@group(0) @binding(6) var<storage, read_write> tear_vertices: array<TearVertex>;

// Union and find: a root is lower than what points to it, so that ways end and a part is called by its first corner.
fn find(corner: u32) -> u32 {
    var at = corner;
    while (holds[at].root != at) {
        holds[at].root = holds[holds[at].root].root;
        at = holds[at].root;
    }
    return at;
}

fn join(a: u32, b: u32) {
    let roots = vec2u(find(a), find(b));
    holds[max(roots.x, roots.y)].root = min(roots.x, roots.y);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || atomicLoad(&tear_vertices[i].torn) == 0u) {
        return;
    }
    let list = batch.count + 1u;
    for (var k = tear_fans[i]; k < tear_fans[i + 1u]; k += 1u) {
        let corner = tear_fans[list + 2u * k];
        holds[corner].root = corner;
        holds[corner].claimed = 0u;
    }
    for (var k = tear_fans[i]; k < tear_fans[i + 1u]; k += 1u) {
        let corner = tear_fans[list + 2u * k];
        let around = corners[corner];
        if (broken[around.joints.x] == 0u) {
            join(corner, around.next.x);
        }
        if (broken[around.joints.y] == 0u) {
            join(corner, around.next.y);
        }
    }
    var wanted = 0u;
    for (var k = tear_fans[i]; k < tear_fans[i + 1u]; k += 1u) {
        let corner = tear_fans[list + 2u * k];
        let joints = corners[corner].joints;
        let root = select(find(corner), LOOSE, broken[joints.x] == 1u && broken[joints.y] == 1u);
        holds[corner].root = root;
        if (root == corner) {
            // Parts only ever fall apart: all corners of one have one label.
            let label = holds[corner].label;
            wanted += holds[label].claimed;
            holds[label].claimed = 1u;
        }
    }
    tear_vertices[i].wanted = wanted;
}
