// What sorting needs, of so many each: the bucket and the turn of each particle, and the particles by their buckets, in
// any order.

@group(0) @binding(3) var<storage, read_write> fluid_sorting: array<u32>;

fn turn_word(k: u32) -> u32 {
    return batch.count + k;
}

fn unsorted_word(at: u32) -> u32 {
    return 2u * batch.count + at;
}
