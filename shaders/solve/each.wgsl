// One thread solves one constraint of the batch.

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = item(id);
    if (index >= batch.count) {
        return;
    }
    let place = batch.first + index;
    solve(load_record(place), place * COMPONENTS, index);
}
