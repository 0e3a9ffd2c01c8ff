// Distance of a particle from the plane through a point p with the normal m, of any length but 0.
//   C = n . (x0 - p) - R        dC/dx0 = n = m / |m|
// Pushing only, the plane is a floor at the thickness R; both ways it holds the particle in the plane.

struct Plane {
    particles: u32,
    point_x: f32,   // m
    point_y: f32,
    point_z: f32,
    normal_x: f32,
    normal_y: f32,
    normal_z: f32,
    thickness: f32, // m
    material: u32,
}

fn plane(c: Plane, x0: vec3f, d0: vec3f) -> Evaluation1 {
    let n = direction_and_length(vec3f(c.normal_x, c.normal_y, c.normal_z), 0.0).xyz;
    let apart = (x0 - vec3f(c.point_x, c.point_y, c.point_z)) + d0;
    return Evaluation1(dot3(n, apart) - c.thickness, n);
}
