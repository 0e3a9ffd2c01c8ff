// One thread solves one constraint of the batch.

@group(0) @binding(8) var<storage, read> records: array<Constraint>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = item(id);
    if (index >= batch.count) {
        return;
    }
    let place = batch.first + index;
    solve(records[place], place * COMPONENTS, index);
}
