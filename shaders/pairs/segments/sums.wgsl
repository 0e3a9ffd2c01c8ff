// What contacts do to each particle, summed by whoever does it: eight words for each. A displacement is two whole numbers
// for each axis, of steps of the lattice and of a 2^20th of one, since sums of whole numbers do not depend on their order.
// The steps have room for a way of 128 times the world's size; of the fine ones an addition takes 2^19 at most, so that
// 4,096 fit; and what is lost is less than 1e-6 of what positions resolve, so that momentum is kept as by sums in floating
// point.

const FINE: f32 = 1048576.0;
const MOST_STEPS: f32 = 1e9;
const WORDS: u32 = 8u;
const COUNT: u32 = 6u;      // by how many contacts its mass is split
const PRESSING: u32 = 7u;   // how many press when the sweep is over

@group(0) @binding(7) var<storage, read_write> segment_sums: array<atomic<i32>>;
