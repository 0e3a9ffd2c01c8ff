// Goes through the partners of a ball in ascending order: those of its list, or where there was no room for one, of the grid, the next CHUNK of
// them at a time. The kernel says by `is_wanted` which of a list count, and by `meet` what comes of each. Two loops, since what threads side by
// side do not do alike they do one after another: `is_wanted` is quick, and the few for which it holds are met without waiting for the others.

// As many as a word has bits.
const CHUNK: u32 = 32u;

var<private> chunk: array<u32, CHUNK>;
var<private> chunk_count: u32;
var<private> beyond: u32;       // only those from here on are looked for

// Keeps the smallest, sorted.
fn found(j: u32) {
    if (j < beyond || (chunk_count == CHUNK && 2u * j > chunk[CHUNK - 1u])) {
        return;
    }
    let entry = entry_of(j);
    if (entry == NONE) {
        return;
    }
    var to = min(chunk_count, CHUNK - 1u);
    while (to > 0u && chunk[to - 1u] > entry) {
        chunk[to] = chunk[to - 1u];
        to -= 1u;
    }
    chunk[to] = entry;
    chunk_count = min(chunk_count + 1u, CHUNK);
}

fn meet_those_in_grid(i: u32) {
    beyond = 0u;
    loop {
        chunk_count = 0u;
        walk(i);
        for (var k = 0u; k < chunk_count; k += 1u) {
            meet(i, chunk[k], NONE);
        }
        if (chunk_count < CHUNK) {
            break;
        }
        beyond = partner_of(chunk[CHUNK - 1u]) + 1u;
    }
}

fn entry_at(at: u32) -> u32 {
    return lists.entries[entry_word(at)];
}

fn meet_those_listed(i: u32, first: u32, end: u32) {
    for (var begin = first; begin < end; begin += CHUNK) {
        var wanted = 0u;
        for (var k = 0u; k < min(CHUNK, end - begin); k += 1u) {
            wanted |= select(0u, 1u << k, is_wanted(entry_at(begin + k)));
        }
        for (; wanted != 0u; wanted &= wanted - 1u) {
            let at = begin + firstTrailingBit(wanted);
            meet(i, entry_at(at), at);
        }
    }
}

fn meet_partners(i: u32) {
    load_shape();
    let first = lists.entries[range_word(i)];
    let count = lists.entries[range_word(i) + 1u];
    if (first != NONE) {
        meet_those_listed(i, first, first + count);
    } else if (count > 0u) {
        // (In a crowd there are no lists, and none are looked for.)
        meet_those_in_grid(i);
    }
}
