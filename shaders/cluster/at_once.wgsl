// Each thread of a cluster has two particles, for which it waits together.

const_assert CLUSTER_PARTICLES == 2u * THREADS;

var<private> slots: vec2u;

// Which of the two there are.
fn has(thread: u32) -> vec2<bool> {
    return vec2u(thread, thread + THREADS) < vec2u(own.end - own.first);
}

fn look_up(thread: u32) {
    let has = has(thread);
    if (has.x) {
        slots.x = words[own.first + thread];
    }
    if (has.y) {
        slots.y = words[own.first + thread + THREADS];
    }
}

fn gather(thread: u32) {
    let has = has(thread);
    var first: Stored;
    var second: Stored;
    if (has.x) {
        first = load(slots.x);
    }
    if (has.y) {
        second = load(slots.y);
    }
    if (has.x) {
        bring(thread, slots.x, first);
    }
    if (has.y) {
        bring(thread + THREADS, slots.y, second);
    }
    end_gathering();
}

fn leave(thread: u32) {
    let has = has(thread);
    if (has.x) {
        stored_d[slots.x] = d[thread];
    }
    if (has.y) {
        stored_d[slots.y] = d[thread + THREADS];
    }
}
