// Where corrections go in a coloured sweep: to the particle at once, since no other constraint of the batch touches it.

fn valence(correction: u32) -> f32 {
    return 1.0;
}

fn apply(particle: u32, correction: u32, before: vec3f, change: vec3f) {
    d[particle] = before + change;
}
