// Lists the partners of each free ball, sorted. Where the memory is full a list is left out, and its ball looks its partners up in the grid
// again and again (partners.wgsl): slow, with the same bits, until the host has made room.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(4) var<storage, read_write> partners: array<u32>;
@group(0) @binding(5) var<storage, read> touches: array<BodyTouch>;

var<private> seen: u32;
var<private> writing: bool;
var<private> first: u32;
// What the first look finds: most balls need no second.
const KEPT: u32 = 32u;
const MOST_LISTED: u32 = 16384u;
var<private> kept: array<u32, KEPT>;

fn found(j: u32) {
    if (writing) {
        partners[first + seen] = j;
    } else if (seen < KEPT) {
        kept[seen] = j;
    }
    seen += 1u;
}

// Shell's sort, since lists are short but may be long, with the gaps of Ciura.
fn sort(count: u32) {
    var gaps = array<u32, 8>(701u, 301u, 132u, 57u, 23u, 10u, 4u, 1u);
    for (var g = 0u; g < 8u; g += 1u) {
        let gap = gaps[g];
        for (var k = gap; k < count; k += 1u) {
            let moved = partners[first + k];
            var to = k;
            while (to >= gap) {
                let before = partners[first + to - gap];
                if (before <= moved) {
                    break;
                }
                partners[first + to] = before;
                to -= gap;
            }
            partners[first + to] = moved;
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || !is_stale()) {
        return;
    }
    load_shape();
    seen = 0u;
    writing = false;
    if (balls[i].inverse_mass > 0.0 && balls[i].level != NOWHERE && word(CROWDED_CELLS) == 0u) {
        walk(i);
    }
    let count = seen;
    // The sum must not run over: longer lists are never made, and none once it is large.
    first = NONE;
    if (count <= MOST_LISTED && word(WANTED) < 0x80000000u) {
        first = atomicAdd(&grid[WANTED], count);
    }
    writing = first != NONE && first + count <= arrayLength(&partners);
    if (writing && count > KEPT) {
        seen = 0u;
        walk(i);
    } else if (writing) {
        for (var k = 0u; k < count; k += 1u) {
            partners[first + k] = kept[k];
        }
    }
    if (writing) {
        sort(count);
    }
    atomicStore(&grid[range_word(i)], select(NONE, first, writing));
    atomicStore(&grid[range_word(i) + 1u], count);
}
