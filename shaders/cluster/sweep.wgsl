// Which visit to the constraints of a stage it is, where one dispatch holds many. The same for all threads.

struct Sweep {
    bits: u32,              // those of a visit (lib/batch.wgsl) that are true in this sweep: only the first of a substep opens, only the last closes
    opens_frame: bool,      // the substep is the first of its frame
    closes_frame: bool,     // or the last
}

// Set before each sweep.
var<private> sweep: Sweep;
// Set before each stage.
var<private> visit: u32;

fn sweep_bits(first: bool, last: bool) -> u32 {
    return select(0u, OPENS, first) | select(0u, CLOSES, last);
}

fn begin_visit(of_stage: u32) {
    visit = of_stage & sweep.bits;
}

fn opens_substep() -> bool {
    return (visit & OPENS) != 0u;
}

fn closes_substep() -> bool {
    return (visit & CLOSES) != 0u;
}

fn opens_frame() -> bool {
    return sweep.opens_frame;
}

fn closes_frame() -> bool {
    return sweep.closes_frame;
}
