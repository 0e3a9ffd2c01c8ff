// How the rest values of a material change.

struct RestLaw {
    compliance: f32,
    limit: f32,     // of C; of what changes by a factor a share of the rest value; of a shape strain
    share: f32,     // of what is beyond that flows in a substep; 0 if nothing ever does
    curve: u32,
}
