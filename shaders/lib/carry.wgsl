// How what a solver holds changes with the length of a substep. h: the new length over the old.

struct Carry {
    way: f32,           // of u = h v: h
    multiplier: f32,    // of λ = f h²: h²
    sum: f32,           // of the sum of λ over a frame: h² and the new number of substeps over the old, together h
    components: u32,
}

@group(0) @binding(2) var<storage, read> carry: Carry;
