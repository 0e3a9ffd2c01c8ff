// Where in a frame a sweep is, where one dispatch holds several. Set before each sweep; the same for all threads.

struct Sweep {
    opens_substep: bool,
    opens_frame: bool,
    closes_frame: bool,
}

var<private> sweep: Sweep;

fn opens_substep() -> bool {
    return sweep.opens_substep;
}

fn opens_frame() -> bool {
    return sweep.opens_frame;
}

fn closes_frame() -> bool {
    return sweep.closes_frame;
}
