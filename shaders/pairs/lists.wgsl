// The lists of partners. Of a ball `entries` has where its list begins, or NONE where there was no room for one, and how many are in it; behind
// those of all balls are the lists.

struct Lists {
    wanted: atomic<u32>,    // how long all lists together are or would be
    pressing: atomic<u32>,  // pairs that pressed in a frame's last substep
    entries: array<u32>,
}

// An entry has twice the partner's index, one more where the pair was placed closer than it touches, so that it sorts by partners, and marks: the pair pushed in
// the last sweep; it pressed when that was over.
const PLACED_CLOSE: u32 = 1u;
const ACTIVE: u32 = 0x80000000u;
const PRESSED: u32 = 0x40000000u;
const UNMARKED: u32 = 0x3fffffffu;

fn partner_of(entry: u32) -> u32 {
    return (entry & UNMARKED) >> 1u;
}

@group(0) @binding(4) var<storage, read_write> lists: Lists;

// Whether a sweep adds to what the sweeps before it did.
override ITERATED: bool = true;

fn opens() -> bool {
    return !ITERATED || (batch.visit & OPENS) != 0u;
}

fn range_word(i: u32) -> u32 {
    return 2u * i;
}

fn entry_word(at: u32) -> u32 {
    return 2u * substep.particles + at;
}

// For how much there is room in the lists together.
fn room() -> u32 {
    return arrayLength(&lists.entries) - 2u * substep.particles;
}
