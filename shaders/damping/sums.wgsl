// Sums over the free particles of a body, by a tree over the threads of a workgroup: the same order every time, and a rounding
// error that grows with the logarithm of their number.

struct Sums {
    moment: vec3f,      // Σ m r, kg m
    mass: f32,          // Σ m, kg
    momentum: vec3f,    // Σ m u, kg m
    xy: f32,            // Σ m x y, kg m²
    spin: vec3f,        // Σ r × m u, kg m²
    yz: f32,
    squares: vec3f,     // Σ m (x², y², z²)
    zx: f32,
}

var<workgroup> partial: array<Sums, GROUP_SIZE / 2u>;

fn added(a: Sums, b: Sums) -> Sums {
    return Sums(
        a.moment + b.moment, a.mass + b.mass,
        a.momentum + b.momentum, a.xy + b.xy,
        a.spin + b.spin, a.yz + b.yz,
        a.squares + b.squares, a.zx + b.zx,
    );
}

// The sum over all threads, for thread 0. The upper half hands its sums to the lower, again and again.
fn reduced(thread: u32, mine: Sums) -> Sums {
    var sum = mine;
    for (var half = GROUP_SIZE / 2u; half > 0u; half /= 2u) {
        if (thread >= half && thread < 2u * half) {
            partial[thread - half] = sum;
        }
        workgroupBarrier();
        if (thread < half) {
            sum = added(sum, partial[thread]);
        }
        workgroupBarrier();
    }
    return sum;
}
