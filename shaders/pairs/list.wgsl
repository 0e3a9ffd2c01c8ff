// Lists the partners of each free ball, sorted: LANES threads side by side look for those of one. Where the memory is full a list is left
// out, and its ball looks its partners up in the grid again and again (partners.wgsl): slow, with the same bits, until the host has made room.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(5) var<storage, read> touches: array<BodyTouch>;

const LANES: u32 = 8u;
const TEAMS: u32 = GROUP_SIZE / LANES;
// What is near a ball and kept: more than most have. (No multiple of 32, or teams would wait for each other's banks of memory.)
const KEPT: u32 = 100u;
const MOST_LISTED: u32 = 16384u;

// What comes of each that is found: in the first look it is kept, since threads that look are not to wait for each other where one finds
// something; what has more goes through the cells twice again, to count and to write.
const KEEPING: u32 = 0u;
const COUNTING: u32 = 1u;
const WRITING: u32 = 2u;

var<private> lane: u32;
var<private> team: u32;
var<private> look: u32;
var<private> first: u32;
var<workgroup> fresh: bool;
var<workgroup> seen: array<atomic<u32>, TEAMS>;
var<workgroup> counts: array<atomic<u32>, TEAMS>;
var<workgroup> written: array<atomic<u32>, TEAMS>;
var<workgroup> firsts: array<u32, TEAMS>;
var<workgroup> kept: array<u32, TEAMS * KEPT>;
var<workgroup> wanted: atomic<u32>;

fn found(j: u32) {
    if (look == KEEPING) {
        let at = atomicAdd(&seen[team], 1u);
        if (at < KEPT) {
            kept[team * KEPT + at] = j;
        }
        return;
    }
    let entry = entry_of(j);
    if (entry == NONE) {
        return;
    }
    if (look == COUNTING) {
        atomicAdd(&counts[team], 1u);
    } else {
        lists.entries[entry_word(first + atomicAdd(&written[team], 1u))] = entry;
    }
}

// Of those kept.
fn count_those_that_may_touch(about: u32) {
    for (var k = lane; k < about; k += LANES) {
        let entry = entry_of(kept[team * KEPT + k]);
        kept[team * KEPT + k] = entry;
        if (entry != NONE) {
            atomicAdd(&counts[team], 1u);
        }
    }
}

// Each goes behind as many as are before it: each is there once, so that no two go to one place.
fn write_sorted(about: u32) {
    for (var k = lane; k < about; k += LANES) {
        let entry = kept[team * KEPT + k];
        var before = 0u;
        for (var other = 0u; other < about; other += 1u) {
            before += select(0u, 1u, kept[team * KEPT + other] < entry);
        }
        if (entry != NONE) {
            lists.entries[entry_word(first + before)] = entry;
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
    lane = thread % LANES;
    team = thread / LANES;
    if (thread < TEAMS) {
        atomicStore(&seen[thread], 0u);
        atomicStore(&counts[thread], 0u);
        atomicStore(&written[thread], 0u);
    }
    if (thread == 0u) {
        atomicStore(&wanted, 0u);
        fresh = !is_stale();
    }
    if (workgroupUniformLoad(&fresh)) {
        return;
    }
    load_shape();
    let i = item(id) / LANES;
    let is_ball = i < batch.count / LANES && balls[i].radius > 0.0;
    if (is_ball) {
        me = balls[i];
    }
    let looks = is_ball && me.inverse_mass > 0.0 && me.level != NOWHERE && word(CROWDED_CELLS) == 0u;
    look = KEEPING;
    if (looks) {
        walk(i);
    }
    workgroupBarrier();
    let about = atomicLoad(&seen[team]);
    let is_long = about > KEPT;
    look = COUNTING;
    if (is_long) {
        walk(i);
    } else {
        count_those_that_may_touch(about);
    }
    workgroupBarrier();
    let count = atomicLoad(&counts[team]);
    // Longer lists are never made, and none once their sum is large: it must not run over.
    let is_listed = is_ball && count <= MOST_LISTED;
    if (lane == 0u) {
        firsts[team] = atomicAdd(&wanted, select(0u, count, is_listed));
    }
    workgroupBarrier();
    // One addition for all balls of the workgroup: a card does those to one place one after another.
    if (thread == 0u) {
        var beginning = NONE;
        if (atomicLoad(&lists.wanted) < 0x80000000u) {
            beginning = atomicAdd(&lists.wanted, atomicLoad(&wanted));
        }
        atomicStore(&wanted, beginning);
    }
    workgroupBarrier();
    let beginning = atomicLoad(&wanted);
    let begins = beginning + firsts[team];
    let fits = is_listed && beginning != NONE && begins + count <= room();
    first = select(NONE, begins, fits);
    if (is_ball && lane == 0u) {
        lists.entries[range_word(i)] = first;
        lists.entries[range_word(i) + 1u] = count;
    }
    look = WRITING;
    if (fits && is_long) {
        walk(i);
    } else if (fits) {
        write_sorted(about);
    }
    storageBarrier();
    if (fits && is_long && lane == 0u) {
        sort(count);
    }
}
