// Makes new particles go on as those that they were split from. After a state was restored, motion is as it was restored.

override RESTORED: bool = false;

@group(0) @binding(2) var<storage, read_write> tear: Tear;
@group(0) @binding(3) var<storage, read> sources: array<u32>;
@group(0) @binding(4) var<storage, read_write> e: array<vec3f>;
@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(6) var<storage, read_write> properties: array<Properties>;
@group(0) @binding(7) var<storage, read_write> fans: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    let number = select(tear.free + i, i, RESTORED);
    if (i >= batch.count || number >= tear.taken || tear.splitting == 0u) {
        return;
    }
    let source = sources[number];
    let slot = tear.first_spare + number;
    if (!RESTORED) {
        e[slot] = e[source];
        u[slot] = u[source];
        copy_past(source, slot);
    }
    properties[slot] = properties[source];
    fans[2u * slot] = fans[2u * source];
    fans[2u * slot + 1u] = fans[2u * source + 1u];
}
