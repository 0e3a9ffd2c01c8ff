// Makes new particles touch others as those do that they were split from. Where they are follows before lists are made again, in the next
// frame's first substep. After a state was restored, spares that are not in use touch nothing.

override RESTORED: bool = false;

@group(0) @binding(2) var<storage, read_write> tear: Tear;
@group(0) @binding(3) var<storage, read> sources: array<u32>;
@group(0) @binding(4) var<storage, read_write> balls: array<Ball>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    let number = select(tear.free + i, i, RESTORED);
    if (i >= batch.count || tear.splitting == 0u) {
        return;
    }
    let slot = tear.first_spare + number;
    if (number < tear.taken) {
        balls[slot] = balls[sources[number]];
    } else if (RESTORED) {
        balls[slot].radius = 0.0;
        balls[slot].level = NOWHERE;
    }
}
