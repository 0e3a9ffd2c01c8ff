// Each thread goes through the cells by itself.

const LANES: u32 = 1u;
const lane: u32 = 0u;
