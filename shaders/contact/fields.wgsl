// Shapes that go by samples: contact/grid.wgsl and contact/heights.wgsl. Scenes without them have contact/no_fields.wgsl.

fn field_distance(c: Collider, point: vec3f) -> vec4f {
    if (c.shape == GRID) {
        return grid_distance(c, point);
    }
    return ground_distance(c, point);
}
