// What lies below the lattice stays where it is stored: a large cluster has no room for it, and only damping asks.

fn keep_below(i: u32, rest: vec3f) {
}

fn end_gathering() {
    if (any_damped()) {
        storageBarrier();
    }
    workgroupBarrier();
}

fn below(i: u32) -> vec3f {
    return stored_e[words[own.first + i]].xyz;
}
