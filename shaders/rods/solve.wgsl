// A thread for each chain: from its first link to the last and back, a step of Newton's method, as src/law/rod.rs has
// it.

override TWO_STEPS: bool = false;

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec4f>;
@group(0) @binding(4) var<storage, read> e: array<vec4f>;
@group(0) @binding(5) var<storage, read> drives: array<Drive>;
@group(0) @binding(6) var<storage, read_write> rod_turned: array<RodTurned>;
@group(0) @binding(7) var<storage, read> rod_links: array<RodLink>;
@group(0) @binding(8) var<storage, read> rods: array<Rod>;
@group(0) @binding(9) var<storage, read_write> rod_eliminated: array<f32>;

// Beyond this turn from its reference an orientation gets a new one.
const FAR: f32 = 0.05;

fn way_between(slots: vec2u) -> vec3f {
    return lattice_way(x[slots.x].xyz, x[slots.y].xyz) + (d[slots.y].xyz - d[slots.x].xyz);
}

fn moved_between(slots: vec2u) -> vec3f {
    return (d[slots.y].xyz - e[slots.y].xyz) - (d[slots.x].xyz - e[slots.x].xyz);
}

fn link_at(place: u32, next: u32) -> Link {
    let record = rod_links[place];
    let here = rod_turned[place];
    let there = rod_turned[next];
    let segment = (record.flags & HAS_SEGMENT) != 0u;
    let joint = (record.flags & HAS_JOINT) != 0u;
    var way = vec3f(0.0);
    var moved = vec3f(0.0);
    var masses = vec2f(0.0);
    var turned_here = vec3f(0.0);
    var turned_there = vec3f(0.0);
    if (segment) {
        way = way_between(record.slots);
        masses = vec2f(x[record.slots.x].w, x[record.slots.y].w);
    }
    if (record.damping > 0.0) {
        if (segment) {
            moved = moved_between(record.slots);
        }
        turned_here = 2.0 * here.way;
        turned_there = 2.0 * there.way;
    }
    return Link(
        vec2f(select(0.0, 1.0, segment), select(0.0, 1.0, joint)),
        masses,
        vec2f(here.inverse_inertia, there.inverse_inertia),
        Orientation(here.reference, here.turn),
        Orientation(there.reference, there.turn),
        way,
        record.length,
        record.rest,
        record.stretch * substep.inverse_seconds_squared,
        record.bend * substep.inverse_seconds_squared,
        record.damping * substep.inverse_seconds,
        moved,
        turned_here,
        turned_there,
        here.force,
        here.moment,
    );
}

fn base_of(place: u32) -> u32 {
    return place / CHAINS * CHAINS * ELIMINATED + place % CHAINS;
}

fn keep_vector(base: u32, k: u32, v: vec3f) {
    let at = base + 3u * k * CHAINS;
    rod_eliminated[at] = v.x;
    rod_eliminated[at + CHAINS] = v.y;
    rod_eliminated[at + 2u * CHAINS] = v.z;
}

fn kept_vector(base: u32, k: u32) -> vec3f {
    let at = base + 3u * k * CHAINS;
    return vec3f(rod_eliminated[at], rod_eliminated[at + CHAINS], rod_eliminated[at + 2u * CHAINS]);
}

fn keep_matrix(base: u32, k: u32, m: mat3x3f) {
    keep_vector(base, k, m[0]);
    keep_vector(base, k + 1u, m[1]);
    keep_vector(base, k + 2u, m[2]);
}

fn kept_matrix(base: u32, k: u32) -> mat3x3f {
    return mat3x3f(kept_vector(base, k), kept_vector(base, k + 1u), kept_vector(base, k + 2u));
}

fn place_of(rod: Rod, link: u32) -> u32 {
    return rod.first + link * CHAINS;
}

fn next_of(rod: Rod, link: u32) -> u32 {
    return place_of(rod, min(link + 1u, rod.links - 1u));
}

fn eliminate(rod: Rod) {
    var link = link_at(place_of(rod, 0u), next_of(rod, 0u));
    var rows = link_rows(link);
    let zero = mat3x3f(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    var taken = Blocks(zero, zero, zero, vec3f(0.0), vec3f(0.0));
    for (var i = 0u; i < rod.links; i += 1u) {
        let following = min(i + 1u, rod.links - 1u);
        let next = link_at(place_of(rod, following), next_of(rod, following));
        let next_rows = link_rows(next);
        let between = coupling_to(link, rows, next_rows);
        let left = eliminated_from(diagonal_blocks(link, rows), taken, between);
        let base = base_of(place_of(rod, i));
        keep_matrix(base, 0u, left.ss);
        keep_matrix(base, 3u, left.sj);
        keep_matrix(base, 6u, left.js);
        keep_matrix(base, 9u, left.jj);
        keep_vector(base, 12u, left.upper);
        keep_vector(base, 13u, left.lower);
        taken = taken_by(between, left);
        link = next;
        rows = next_rows;
    }
}

fn push(slot: u32, impulse: vec3f) {
    d[slot] += vec4f(impulse * x[slot].w, 0.0);
}

fn turn(place: u32, impulse: vec3f) {
    let rotation = turn_by(impulse * rod_turned[place].inverse_inertia);
    // Both are turned, so that the way of what nothing turns stays as it is, to the last bit.
    rod_turned[place].turn = compose(rotation, rod_turned[place].turn);
    rod_turned[place].way = compose(rotation, rod_turned[place].way);
}

fn substitute(rod: Rod) {
    var force = vec3f(0.0);
    var moment = vec3f(0.0);
    var pushed = vec3f(0.0);
    var turned = vec3f(0.0);
    for (var back = rod.links; back > 0u; back -= 1u) {
        let i = back - 1u;
        let place = place_of(rod, i);
        let next = next_of(rod, i);
        let rows = link_rows(link_at(place, next));
        let base = base_of(place);
        let upper = kept_vector(base, 12u) - times(kept_matrix(base, 0u), force) - times(kept_matrix(base, 3u), moment);
        let lower = kept_vector(base, 13u) - times(kept_matrix(base, 6u), force) - times(kept_matrix(base, 9u), moment);
        let segment = times(rows.axes, upper);
        let bend = times(rows.bends, lower);
        rod_turned[place].force += upper;
        rod_turned[place].moment += lower;
        let slots = rod_links[place].slots;
        if (slots.y != NO_SLOT) {
            push(slots.y, pushed + segment);
        }
        if (i + 1u < rod.links) {
            turn(next, turned + bend);
        }
        pushed = -segment;
        turned = times(rows.levers, upper) - bend;
        force = upper;
        moment = lower;
    }
    let slots = rod_links[rod.first].slots;
    if (slots.x != NO_SLOT) {
        push(slots.x, pushed);
    }
    turn(rod.first, turned);
}

// Predicts where orientations turn: freely, or as drives say.
fn open(rod: Rod) {
    for (var i = 0u; i < rod.links; i += 1u) {
        let place = place_of(rod, i);
        let turned = rod_turned[place];
        var way = turned.way;
        if (turned.inverse_inertia == 0.0) {
            // Those of animations are behind those of the last substep.
            let drive = rod_links[place].drive;
            let first = select(substep.count - 1u, substep.index, drive < substep.drives) * substep.drives;
            way = drives[first + drive].turn;
        }
        rod_turned[place].way = way;
        rod_turned[place].turn = compose(way, turned.below);
        rod_turned[place].force = vec3f(0.0);
        rod_turned[place].moment = vec3f(0.0);
        if (substep.index == 0u) {
            rod_turned[place].force_sum = vec3f(0.0);
            rod_turned[place].moment_sum = vec3f(0.0);
        }
    }
}

fn close(rod: Rod) {
    for (var i = 0u; i < rod.links; i += 1u) {
        let place = place_of(rod, i);
        let turned = rod_turned[place];
        let far = dot3(turned.turn, turned.turn) > FAR * FAR;
        if (far) {
            let q = after(quaternion_of(turned.turn), turned.reference);
            rod_turned[place].reference = q / sqrt(dot4(q, q));
        }
        rod_turned[place].below = select(turned.turn, vec3f(0.0), far);
        rod_turned[place].force_sum = turned.force_sum + turned.force;
        rod_turned[place].moment_sum = turned.moment_sum + turned.moment;
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let chain = item(id);
    if (chain >= batch.count) {
        return;
    }
    let rod = rods[chain];
    if ((batch.visit & OPENS) != 0u) {
        open(rod);
    }
    eliminate(rod);
    substitute(rod);
    if (TWO_STEPS) {
        eliminate(rod);
        substitute(rod);
    }
    if ((batch.visit & CLOSES) != 0u) {
        close(rod);
    }
}
