// Which contacts lack a certificate.

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i < listed() && lacks(i)) {
        surface_contacts.list[atomicAdd(&surface_contacts.failing, 1u)].failing = i;
    }
}
