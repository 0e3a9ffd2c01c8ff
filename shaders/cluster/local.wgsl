// The particles of a cluster in workgroup memory, under the names that they have in storage (lib/particle.wgsl): the same glue solves
// both.

var<workgroup> x: array<vec4f, CLUSTER_PARTICLES>;
var<workgroup> d: array<vec4f, CLUSTER_PARTICLES>;

fn position(p: u32) -> vec4f {
    return x[p];
}

fn displacement(p: u32) -> vec3f {
    return d[p].xyz;
}

fn displace(p: u32, to: vec3f) {
    d[p] = vec4f(to, 0.0);
}

fn end_stage() {
    workgroupBarrier();
}
