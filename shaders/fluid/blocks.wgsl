// Buckets are summed up in blocks, one for each workgroup.

const EACH: u32 = 4u;
const BLOCK: u32 = GROUP_SIZE * EACH;

var<workgroup> partial: array<u32, GROUP_SIZE>;

// The sum over all threads.
fn reduced(thread: u32, mine: u32) -> u32 {
    partial[thread] = mine;
    workgroupBarrier();
    for (var half = GROUP_SIZE / 2u; half > 0u; half /= 2u) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        workgroupBarrier();
    }
    let sum = partial[0];
    workgroupBarrier();
    return sum;
}

// How many lie in the buckets of a thread.
fn counted(first: u32) -> u32 {
    var sum = 0u;
    for (var k = 0u; k < EACH; k += 1u) {
        if (first + k <= word(MASK)) {
            sum += word(HEADER + first + k);
        }
    }
    return sum;
}
