// Each face finds the features near its own; in the second search of a substep each that has strayed.

override AGAIN: bool = false;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let face = item(id);
    let count = faces();
    if (face >= count) {
        return;
    }
    var turn = 0u;
    if (AGAIN) {
        turn = surface_contacts.turn;
        if (atomicLoad(&surface_contacts.strays) == 0u || !has_strayed(face_at(face), turn)) {
            return;
        }
    }
    load_levels(count);
    seek(face, turn);
    if (cut || !loops_go_on(2u + (count & 1u))) {
        atomicStore(&surface_contacts.crowded, 1u);
    }
}
