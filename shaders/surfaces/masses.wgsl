fn masses_of(v: vec4u) -> vec4f {
    return vec4f(x[v.x].w, x[v.y].w, x[v.z].w, x[v.w].w);
}
