// The partners of a ball, one after another in ascending order: those of its list, or where there was no room for one, of the grid, the
// next CHUNK of them at a time.

// Marks in a list: the pair pushed in the last sweep; it pressed when that was over.
const ACTIVE: u32 = 0x80000000u;
const PRESSED: u32 = 0x40000000u;
const PARTNER: u32 = 0x3fffffffu;

const CHUNK: u32 = 32u;

var<private> listed: bool;
var<private> place: u32;        // in the list of the next one
var<private> end: u32;
var<private> chunk: array<u32, CHUNK>;
var<private> chunk_count: u32;
var<private> chunk_place: u32;
var<private> beyond: u32;       // only those from here on are looked for
var<private> exhausted: bool;

fn open_partners(i: u32) {
    load_shape();
    let at = range_word(i);
    place = word(at);
    // In a crowd there are no lists, and none are looked for.
    listed = place != NONE || word(at + 1u) == 0u;
    end = place + word(at + 1u);
    chunk_count = 0u;
    chunk_place = 0u;
    beyond = 0u;
    exhausted = false;
}

// Keeps the smallest, sorted.
fn found(j: u32) {
    if (j < beyond || (chunk_count == CHUNK && j > chunk[CHUNK - 1u])) {
        return;
    }
    var to = min(chunk_count, CHUNK - 1u);
    while (to > 0u && chunk[to - 1u] > j) {
        chunk[to] = chunk[to - 1u];
        to -= 1u;
    }
    chunk[to] = j;
    chunk_count = min(chunk_count + 1u, CHUNK);
}

fn next_of_grid(i: u32) -> u32 {
    if (chunk_place == chunk_count) {
        if (exhausted) {
            return NONE;
        }
        chunk_count = 0u;
        chunk_place = 0u;
        walk(i);
        exhausted = chunk_count < CHUNK;
        if (chunk_count == 0u) {
            return NONE;
        }
        beyond = chunk[chunk_count - 1u] + 1u;
    }
    chunk_place += 1u;
    return chunk[chunk_place - 1u];
}

struct Next {
    partner: u32,   // with its marks; NONE at the end
    at: u32,        // its place in the list, NONE where there is none
}

fn next_partner(i: u32) -> Next {
    if (!listed) {
        return Next(next_of_grid(i), NONE);
    }
    if (place == end) {
        return Next(NONE, NONE);
    }
    place += 1u;
    return Next(partners[place - 1u], place - 1u);
}
