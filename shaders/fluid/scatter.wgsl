// Puts the particles of each bucket side by side. In which order is up to scheduling.

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = item(id);
    if (k >= batch.count) {
        return;
    }
    let begin = word(HEADER + fluid_sorting[k]);
    fluid_sorting[unsorted_word(begin + fluid_sorting[turn_word(k)])] = k;
}
