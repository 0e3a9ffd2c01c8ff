// Where corrections go in a Jacobi sweep: to a list that solve/gather.wgsl sums per particle in fixed order. Each particle's
// mass is split between its constraints: the denominator of Δλ takes n w for w, n the particle's valence. Averaging
// corrections instead would break momentum, and λ would not be what was applied.

fn valence(correction: u32) -> f32 {
    return corrections[correction].w;
}

// Where a particle is for the constraint's next component, after this change: with its share of the mass it goes n times as far. So the components of a
// constraint take turns on a particle of its own, and the mean of all these is the particle: no part of that makes energy. (Each component seeing
// the change itself only, six of them take six times what is there, and an edge of a solid flies apart.)
fn within(correction: u32, change: vec3f) -> vec3f {
    return fma(vec3f(valence(correction)), change, vec3f(nothing()));
}

fn apply(particle: u32, correction: u32, before: vec3f, change: vec3f) {
    corrections[correction] = vec4f(change, corrections[correction].w);
}
