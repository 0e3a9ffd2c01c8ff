// Where corrections go in a coloured sweep: to the particle at once, since no other constraint of the batch touches it.

// Whether constraints of the batch share particles that are fixed: those are not written, since others read them.
override SHARING: bool = false;

fn valence(correction: u32) -> f32 {
    return 1.0;
}

// Where a particle is for the constraint's next component, after this change.
fn within(correction: u32, change: vec3f) -> vec3f {
    return change;
}

fn apply(particle: u32, correction: u32, before: vec3f, change: vec3f) {
    if (!SHARING || any(change != vec3f(0.0))) {
        displace(particle, before + change);
    }
}
