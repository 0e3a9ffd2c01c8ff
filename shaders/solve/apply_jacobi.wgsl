// Where corrections go in a Jacobi sweep: to a list that solve/gather.wgsl sums per particle in fixed order. Each particle's
// mass is split between its constraints: the denominator of Δλ takes n w for w, n the particle's valence. Averaging
// corrections instead would break momentum, and λ would not be what was applied.

fn valence(correction: u32) -> f32 {
    return corrections[correction].w;
}

fn apply(particle: u32, correction: u32, before: vec3f, change: vec3f) {
    corrections[correction] = vec4f(change, corrections[correction].w);
}
