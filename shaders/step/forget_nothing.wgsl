// In place of step/forget.wgsl where there is no past.
fn forget(i: u32, normal: vec3f, impact: bool, fall: vec3f) {
}
