// Shell's sort of a list, for the few that are long, with the gaps of Ciura.
fn sort(count: u32) {
    var gaps = array<u32, 8>(701u, 301u, 132u, 57u, 23u, 10u, 4u, 1u);
    for (var g = 0u; g < 8u; g += 1u) {
        let gap = gaps[g];
        for (var k = gap; k < count; k += 1u) {
            let moved = lists.entries[entry_word(first + k)];
            var to = k;
            while (to >= gap) {
                let before = lists.entries[entry_word(first + to - gap)];
                if (before <= moved) {
                    break;
                }
                lists.entries[entry_word(first + to)] = before;
                to -= gap;
            }
            lists.entries[entry_word(first + to)] = moved;
        }
    }
}
