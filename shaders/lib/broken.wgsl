// λ of a broken constraint: no multiplier reaches it.
const BROKEN: f32 = 3e38;
