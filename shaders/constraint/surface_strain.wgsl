// The strain of a triangle, by Green's strain with the columns f of F = [x1 - x0, x2 - x0] B along warp and weft (Müller et al.,
// Strain Based Dynamics, 2014). Component 0 along the warp u, 1 along the weft v, 2 their shear, each with a material of its own:
//   C = √A ((fu·fu - 1)/2 - rest),  dC/dxi = √A Biu fu        C = √A (fu·fv - rest),  dC/dxi = √A (Biu fv + Biv fu)

struct SurfaceStrain {
    particles: vec3u,
    inverse00: f32, // 1/m
    inverse01: f32,
    inverse10: f32,
    inverse11: f32,
    root_area: f32, // m
    rest_strain_warp: f32,
    rest_strain_weft: f32,
    rest_strain_shear: f32,
    material: u32,
}

fn surface_strain(c: SurfaceStrain, component: u32, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let y1 = x1 - x0;
    let y2 = x2 - x0;
    let warp = vec2f(c.inverse00, c.inverse10);
    let weft = vec2f(c.inverse01, c.inverse11);
    let p = select(warp, weft, component == 1u);
    let q = select(weft, warp, component == 0u);
    let f = fma(vec3f(p.y), y2, p.x * y1);
    let g = fma(vec3f(q.y), y2, q.x * y1);
    let along = component < 2u;
    let rests = vec3f(c.rest_strain_warp, c.rest_strain_weft, c.rest_strain_shear);
    let rest = select(select(rests.z, rests.y, component == 1u), rests.x, component == 0u);
    let share = select(1.0, 0.5, along);
    let value = c.root_area * fma(share, dot3(f, g) - select(0.0, 1.0, along), -rest);
    let scale = c.root_area * share;
    let g1 = fma(vec3f(p.x), g, q.x * f);
    let g2 = fma(vec3f(p.y), g, q.y * f);
    return Evaluation3(value, -scale * (g1 + g2), scale * g1, scale * g2);
}
