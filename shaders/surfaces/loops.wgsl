// lavapipe ends all loops of a kernel after 65,535 turns, and counts those of every branch, whether it is taken or not.
override LOOPS_END: bool = false;

// So many turns, where loops have an end.
fn most_loops(turns: u32) -> u32 {
    return select(0xffffffffu, turns, LOOPS_END);
}
