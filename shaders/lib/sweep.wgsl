// Which visit to its constraints a dispatch is, of which every colour is one.

// Whether it is the first of its substep.
fn opens_substep() -> bool {
    return (batch.visit & OPENS) != 0u;
}

// Whether it is the last of its substep.
fn closes_substep() -> bool {
    return (batch.visit & CLOSES) != 0u;
}

// Whether the substep is the first of its frame, or the last.
fn opens_frame() -> bool {
    return substep.index == 0u;
}

fn closes_frame() -> bool {
    return substep.index + 1u == substep.count;
}
