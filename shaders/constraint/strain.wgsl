// The strain of a tetrahedron, by Green's strain with the columns f of F = [x1 - x0, x2 - x0, x3 - x0] B (Müller et al., Strain Based
// Dynamics, 2014). Components 0 to 2 along x, y and z, 3 to 5 between y and z, z and x, x and y, each with a material of its own:
//   C = √V ((fx·fx - 1)/2 - rest),  dC/dxi = √V Bix fx        C = √V (fy·fz - rest),  dC/dxi = √V (Biy fz + Biz fy)

struct Strain {
    particles: vec4u,
    inverse00: f32, // 1/m
    inverse01: f32,
    inverse02: f32,
    inverse10: f32,
    inverse11: f32,
    inverse12: f32,
    inverse20: f32,
    inverse21: f32,
    inverse22: f32,
    root_volume: f32, // m^1.5
    rest_strain_xx: f32,
    rest_strain_yy: f32,
    rest_strain_zz: f32,
    rest_strain_yz: f32,
    rest_strain_zx: f32,
    rest_strain_xy: f32,
    material: u32,
}

fn strain(c: Strain, component: u32, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let y = mat3x3f(x1 - x0, x2 - x0, x3 - x0);
    let along = component < 3u;
    let turn = select(component - 3u, component, along);
    let axis = vec3f(f32(turn == 0u), f32(turn == 1u), f32(turn == 2u));
    // Along the axis, or between the two others.
    let i = select(axis.zxy, axis, along);
    let j = select(axis.yzx, axis, along);
    let b1 = vec3f(c.inverse00, c.inverse01, c.inverse02);
    let b2 = vec3f(c.inverse10, c.inverse11, c.inverse12);
    let b3 = vec3f(c.inverse20, c.inverse21, c.inverse22);
    let p = vec3f(dot3(b1, i), dot3(b2, i), dot3(b3, i));
    let q = vec3f(dot3(b1, j), dot3(b2, j), dot3(b3, j));
    let f = times(y, p);
    let g = times(y, q);
    let stretches = vec3f(c.rest_strain_xx, c.rest_strain_yy, c.rest_strain_zz);
    let shears = vec3f(c.rest_strain_yz, c.rest_strain_zx, c.rest_strain_xy);
    let rest = dot3(select(shears, stretches, along), axis);
    let share = select(1.0, 0.5, along);
    let value = c.root_volume * fma(share, dot3(f, g) - select(0.0, 1.0, along), -rest);
    let scale = c.root_volume * share;
    let g1 = fma(vec3f(p.x), g, q.x * f);
    let g2 = fma(vec3f(p.y), g, q.y * f);
    let g3 = fma(vec3f(p.z), g, q.z * f);
    return Evaluation4(value, -scale * (g1 + g2 + g3), scale * g1, scale * g2, scale * g3);
}
