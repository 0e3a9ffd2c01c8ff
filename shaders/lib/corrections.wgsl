// One entry for each particle of each constraint of the batch. xyz: a correction, m. w: in a Jacobi sweep the valence, how many
// constraints of the batch the particle has.

@group(0) @binding(7) var<storage, read_write> corrections: array<vec4f>;
