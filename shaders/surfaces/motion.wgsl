// The motion of a pair so far, from its first vertex's place.
fn motion_of(v: vec4u, edges: bool) -> Motion {
    let origin = x[v.x].xyz;
    let b = lattice_way(origin, x[v.y].xyz);
    let c = lattice_way(origin, x[v.z].xyz);
    let f = lattice_way(origin, x[v.w].xyz);
    return Motion(
        Places(e[v.x], b + e[v.y], c + e[v.z], f + e[v.w]),
        Places(d[v.x].xyz, b + d[v.y].xyz, c + d[v.z].xyz, f + d[v.w].xyz),
        edges,
    );
}
