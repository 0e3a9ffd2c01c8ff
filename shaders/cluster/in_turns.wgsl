// Each thread of a cluster goes through particles in turns.

fn look_up(thread: u32) {
}

fn gather(thread: u32) {
    let count = own.end - own.first;
    for (var i = thread; i < count; i += THREADS) {
        let slot = words[own.first + i];
        bring(i, slot, load(slot));
    }
    end_gathering();
}

fn leave(thread: u32) {
    let count = own.end - own.first;
    for (var i = thread; i < count; i += THREADS) {
        stored_d[words[own.first + i]] = d[i];
    }
}
