// Brings the list of indices to what corners have now. A dropped triangle has no area, nor has one inside a solid that has not come
// apart there: nobody sees or feels it.

override RESTORED: bool = false;

@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(4) var<storage, read_write> tear: Tear;
@group(0) @binding(5) var<storage, read_write> indices: array<u32>;

// Whether the two sides of a face inside a solid still have the same particles, as this triangle is one.
fn covered(triangle: u32) -> bool {
    let joints = corners[3u * triangle].joints;
    var same = joints.x == tear.joints && joints.y != tear.joints;
    for (var k = 3u * triangle; k < 3u * triangle + 3u; k += 1u) {
        same = same && holds[corners[k].next.y].particle == holds[k].particle;
    }
    return same;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || (tear.splitting == 0u && !RESTORED)) {
        return;
    }
    let first = holds[3u * i];
    let second = holds[3u * i + 1u];
    let third = holds[3u * i + 2u];
    let hidden = first.root == LOOSE || second.root == LOOSE || third.root == LOOSE || covered(i);
    indices[3u * i] = first.particle;
    indices[3u * i + 1u] = select(second.particle, first.particle, hidden);
    indices[3u * i + 2u] = select(third.particle, first.particle, hidden);
}
