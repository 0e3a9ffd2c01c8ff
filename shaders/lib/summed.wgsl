// The sum of what all threads of a workgroup have, in the same order every time. THREADS is the kernel's.

var<workgroup> sums: array<mat4x3f, THREADS>;

fn summed(thread: u32, mine: mat4x3f) -> mat4x3f {
    sums[thread] = mine;
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if (thread < half) {
            sums[thread] = sums[thread] + sums[thread + half];
        }
        workgroupBarrier();
    }
    let all = sums[0];
    workgroupBarrier();
    return all;
}
