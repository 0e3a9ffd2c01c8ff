// lavapipe ends all loops of a kernel after 65,535 turns, and counts those of every branch, whether it is taken or not.
override LOOPS_END: bool = false;

// Whether loops still go on: what has ended those before ends this one, too. `turns`, at least two, are none that a
// compiler knows.
fn loops_go_on(turns: u32) -> bool {
    var taken = 0u;
    for (var k = 0u; k < turns; k += 1u) {
        taken += 1u;
    }
    return taken == turns;
}

// So many turns, where loops have an end.
fn most_loops(turns: u32) -> u32 {
    return select(0xffffffffu, turns, LOOPS_END);
}
