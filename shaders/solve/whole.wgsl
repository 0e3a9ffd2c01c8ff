// What a kind over any number of particles does with all of them at once, where it says nothing of its own: C and the weight are sums over the particles.

// Of a workgroup; a power of two, GROUP_SIZE at most.
const THREADS = GROUP_SIZE;

// Before the kind's function is called; all threads come here together.
fn prepare(c: Constraint, thread: u32) {}

// What the sums over the particles make of the constraint: `value` of what the function returns for C, `weight` of w|gradient|². `least` is what the
// multiplier would divide by at least. All threads come here together; gradients wait in the list of corrections from `correction` on.
fn whole(c: Constraint, correction: u32, thread: u32, value: f32, weight: f32, least: f32) -> Whole {
    return Whole(value, 1.0, weight, least);
}
