// Shapes that go by samples: colliders/grid.wgsl and colliders/heights.wgsl. Scenes without them have colliders/no_fields.wgsl.

fn field_distance(c: Collider, point: vec3f) -> vec4f {
    if (c.shape == GRID) {
        return grid_distance(c, point);
    }
    return ground_distance(c, point);
}
