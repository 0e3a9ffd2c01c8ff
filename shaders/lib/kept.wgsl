// λ from one visit to the next waits where it is stored (or in a register, cluster/carried.wgsl).

fn kept(index: u32) -> f32 {
    return multipliers[index].x;
}

fn keep(index: u32, lambda: f32) {
    multipliers[index].x = lambda;
}
