// λ from one visit to the next waits in a register, where all stages are written out: each has a name of its own, and goes through `carried`.

var<private> carried: f32;

fn kept(index: u32) -> f32 {
    return carried;
}

fn keep(index: u32, lambda: f32) {
    carried = lambda;
}
