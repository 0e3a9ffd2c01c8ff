// In place of contact/fields.wgsl where no shape goes by samples.
fn field_distance(shape: u32, field: Field, size: vec3f, point: vec3f) -> vec4f {
    return vec4f(0.0, 1.0, 0.0, 0.0);
}
