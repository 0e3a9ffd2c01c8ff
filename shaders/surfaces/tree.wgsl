// The boxes of all nodes above the first levels, by one workgroup.

override AGAIN: bool = false;

var<workgroup> strays: u32;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (AGAIN) {
        if (lane == 0u) {
            strays = atomicLoad(&surface_contacts.strays);
        }
        if (workgroupUniformLoad(&strays) == 0u) {
            return;
        }
    }
    load_levels(faces());
    for (var level = 3u; level < MOST_LEVELS; level += 1u) {
        if (level <= top) {
            for (var node = lane; node < level_size[level]; node += GROUP_SIZE) {
                enclose(level, node);
            }
        }
        storageBarrier();
    }
}
