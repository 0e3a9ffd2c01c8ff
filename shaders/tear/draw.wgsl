// Brings the list of indices to what corners have now. A dropped triangle has no area: nobody sees or feels it.

override RESTORED: bool = false;

@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(3) var<storage, read_write> tear: Tear;
@group(0) @binding(4) var<storage, read_write> indices: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || (tear.splitting == 0u && !RESTORED)) {
        return;
    }
    let first = holds[3u * i];
    let second = holds[3u * i + 1u];
    let third = holds[3u * i + 2u];
    let dropped = first.root == LOOSE || second.root == LOOSE || third.root == LOOSE;
    indices[3u * i] = first.particle;
    indices[3u * i + 1u] = select(second.particle, first.particle, dropped);
    indices[3u * i + 2u] = select(third.particle, first.particle, dropped);
}
