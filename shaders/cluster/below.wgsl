// What lies below the lattice comes to a cluster's memory with its particle.

var<workgroup> e: array<vec3f, CLUSTER_PARTICLES>;

fn keep_below(i: u32, rest: vec3f) {
    e[i] = rest;
}

fn end_gathering() {
    workgroupBarrier();
}

fn below(i: u32) -> vec3f {
    return e[i];
}
