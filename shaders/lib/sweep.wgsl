// Where in a frame a sweep is, of which every colour is a dispatch.

// Whether it is the first of its substep.
fn opens_substep() -> bool {
    return batch.opening == 1u;
}

// Whether it is the first of the frame.
fn opens_frame() -> bool {
    return batch.opening == 1u && substep.index == 0u;
}

// Whether it is one of the frame's last substep.
fn closes_frame() -> bool {
    return substep.index + 1u == substep.count;
}
