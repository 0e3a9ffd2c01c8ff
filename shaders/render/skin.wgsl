// Heat of skins: at a vertex that of the particles that carry it. The heats of skins follow those of the particles.
@group(1) @binding(0) var<storage, read> skin: array<SkinVertex>;
@group(1) @binding(1) var<storage, read_write> heats: array<f32>;

@compute @workgroup_size(256)
fn skin_heat(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    // Above 65,535 groups the dispatch folds to two axes.
    let i = id.x + id.y * groups.x * 256u;
    let count = arrayLength(&skin);
    if i >= count {
        return;
    }
    let slots = skin[i].slots;
    let own = vec4f(heats[slots.x], heats[slots.y], heats[slots.z], heats[slots.w]);
    // A vertex outside its tetrahedron has weights below 0 and above 1.
    let least = min(min(own.x, own.y), min(own.z, own.w));
    let most = max(max(own.x, own.y), max(own.z, own.w));
    heats[arrayLength(&heats) - count + i] = clamp(dot(skin[i].weights, own), least, most);
}
