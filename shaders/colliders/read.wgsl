// What presses against colliders, is held by adhesion, or is in a trigger. What others tore off again may have rubbed and not pressed.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> colliders: array<Collider>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    let list = list_of(i);
    for (var slot = 0u; slot < list.count; slot += 1u) {
        let at = list.first + slot * list.step;
        let contact = contact_at(at);
        let k = collider_at(at, slot);
        let is_trigger = colliders[collider_index(k)].adhesion < 0.0;
        // Friction's λ of a trigger tells that something is in it (colliders/solve.wgsl).
        if (is_trigger && contact.tangential.x > 0.0) {
            note(i, k | COLLIDER, contact.normal, 0.0, vec3f(0.0));
        } else if (!is_trigger && (contact.lambda != 0.0 || any(contact.tangential != vec3f(0.0)))) {
            note(i, k | COLLIDER, contact.normal, contact.lambda, contact.tangential);
        }
    }
}
