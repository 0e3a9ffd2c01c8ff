// How what a solver holds changes with the length of a substep. h, H: the new over the old.

struct Carry {
    way: f32,           // of u = h v: h
    multiplier: f32,    // of λ = f H²: H²
    sum: f32,           // of the sum of λ over a frame: H² and the new number of substeps over the old
    components: u32,
}

@group(0) @binding(2) var<storage, read> carry: Carry;
