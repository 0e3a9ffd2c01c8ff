// Shapes that go by samples: contact/grid.wgsl and contact/heights.wgsl. Scenes without them have contact/no_fields.wgsl.

fn field_distance(shape: u32, field: Field, size: vec3f, point: vec3f) -> vec4f {
    if (shape == GRID) {
        return grid_distance(field, size, point);
    }
    return ground_distance(field, size, point);
}
