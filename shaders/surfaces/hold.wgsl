// The guard: pushes apart what lacks a certificate, then lets its vertices go half as far, and again, until every pair
// has one in which a vertex may yield. By one workgroup, which seldom has anything to do.

// How often it pushes before it holds vertices back.
const PUSHES: u32 = 4u;
// A vertex goes this many times half as far, and then stays.
const LEVELS: u32 = 8u;
// Turns after which everything stays where it was: no device is kept busy for long.
const MOST_TURNS: u32 = 128u;

// Whether it is the last dispatch of a substep's guard. Where loops have an end each takes one turn, and the last none:
// nothing has ended its loops when it freezes what there is.
override LAST: bool = true;

var<workgroup> failing: u32;
var<workgroup> moved: atomic<u32>;
var<workgroup> strays: atomic<u32>;
var<workgroup> strays_now: u32;
var<workgroup> known: u32;
var<workgroup> listed_now: u32;
var<workgroup> turn: u32;
var<workgroup> lost: u32;
var<workgroup> cut_short: atomic<u32>;

// Pushes a pair apart by what it still lacks, at most by the distance at which it touches: where others push, too, more
// would fling vertices.
fn act(i: u32) {
    let distance = surface_contacts.list[i].distance;
    let certificate = certificate_at(i);
    let lack = min(lack_of(certificate, FLOOR * distance), distance);
    let v = surface_contacts.list[i].vertices;
    let masses = masses_of(v);
    let weight = contact_weight(certificate.last, masses);
    if (!(lack > 0.0 && weight > 0.0)) {
        return;
    }
    let ways = certificate.last * masses * (lack / weight);
    push(v.x, certificate.axis * ways.x);
    push(v.y, certificate.axis * ways.y);
    push(v.z, certificate.axis * ways.z);
    push(v.w, certificate.axis * ways.w);
}

fn push(v: u32, way: vec3f) {
    if (x[v].w > 0.0) {
        d[v] += vec4f(way, 0.0);
        atomicStore(&surface_vertices[v].moved, turn);
        atomicStore(&moved, 1u);
    }
}

// Lets a vertex go half as far, once a turn, if it may.
fn yield_more(v: u32) {
    let once = NO_BID - turn;
    if (x[v].w == 0.0 || atomicExchange(&surface_vertices[v].claimed, once) == once) {
        return;
    }
    if (surface_vertices[v].held != OPENING) {
        surface_vertices[v].held = OPENING;
        surface_vertices[v].level = 0u;
        surface_vertices[v].wanted = d[v].xyz;
        atomicAdd(&surface_contacts.held, 1u);
    }
    let level = surface_vertices[v].level + 1u;
    if (level > LEVELS) {
        return;
    }
    surface_vertices[v].level = level;
    let share = select(1.0 / f32(1u << level), 0.0, level == LEVELS);
    d[v] = vec4f(fma(surface_vertices[v].wanted - e[v], vec3f(share), e[v]), 0.0);
    atomicStore(&surface_vertices[v].moved, turn);
    atomicStore(&moved, 1u);
}

fn was_moved(v: u32) -> bool {
    return atomicLoad(&surface_vertices[v].moved) == turn;
}

// Of what was moved, and of what was found since, those that lack a certificate.
fn look(lane: u32) {
    for (var i = lane; i < listed_now; i += GROUP_SIZE) {
        let v = surface_contacts.list[i].vertices;
        if ((i >= known || was_moved(v.x) || was_moved(v.y) || was_moved(v.z) || was_moved(v.w)) && lacks(i)) {
            surface_contacts.list[atomicAdd(&surface_contacts.failing, 1u)].failing = i;
        }
    }
}

// Everything stays where it was.
fn freeze(lane: u32) {
    for (var v = lane; v < substep.particles; v += GROUP_SIZE) {
        if (surface_vertices[v].slack > 0.0 && x[v].w > 0.0) {
            d[v] = vec4f(e[v], 0.0);
            atomicAdd(&surface_contacts.held, 1u);
        }
    }
}

// One turn: what fails is pushed apart or held back, what has strayed is sought again, and those that fail then are
// found.
fn take_turn(lane: u32, count: u32) {
    if (lane == 0u) {
        turn += 1u;
        bidders = select(0u, count, turn - OPENING <= PUSHES);
        atomicStore(&moved, 0u);
        atomicStore(&strays, 0u);
        known = listed();
    }
    for (var k = lane; k < count; k += GROUP_SIZE) {
        surface_contacts.list[k].queue[0] = surface_contacts.list[k].failing;
    }
    storageBarrier();
    workgroupBarrier();
    auction(lane);
    if (turn - OPENING > PUSHES) {
        for (var k = lane; k < count; k += GROUP_SIZE) {
            let v = surface_contacts.list[surface_contacts.list[k].failing].vertices;
            yield_more(v.x);
            yield_more(v.y);
            yield_more(v.z);
            yield_more(v.w);
        }
    }
    storageBarrier();
    workgroupBarrier();
    note_strays(lane, count);
    storageBarrier();
    workgroupBarrier();
    if (lane == 0u) {
        strays_now = atomicLoad(&strays);
    }
    if (workgroupUniformLoad(&strays_now) > 0u) {
        seek_strays(lane);
    }
    storageBarrier();
    workgroupBarrier();
    if (lane == 0u) {
        atomicStore(&surface_contacts.failing, 0u);
        listed_now = listed();
    }
    storageBarrier();
    workgroupBarrier();
    look(lane);
    if (cut || !loops_go_on(1u + turn - OPENING)) {
        atomicStore(&cut_short, 1u);
    }
    storageBarrier();
    workgroupBarrier();
    if (lane == 0u) {
        failing = end_turn(count);
    }
}

// What is left to do; nothing where nobody moved, or there is no time.
fn end_turn(count: u32) -> u32 {
    if (atomicLoad(&moved) == 0u) {
        atomicAdd(&surface_contacts.forced, count);
        atomicStore(&surface_contacts.failing, 0u);
    }
    let left = atomicLoad(&surface_contacts.failing);
    if (atomicLoad(&cut_short) != 0u || (left > 0u && turn - OPENING >= MOST_TURNS)) {
        surface_contacts.lost = 1u;
        atomicStore(&surface_contacts.failing, 0u);
    }
    return atomicLoad(&surface_contacts.failing);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) {
        failing = atomicLoad(&surface_contacts.failing);
        turn = surface_contacts.turn;
        atomicStore(&cut_short, 0u);
    }
    for (var round = 0u; round < select(MOST_TURNS, select(1u, 0u, LAST), LOOPS_END); round += 1u) {
        let count = workgroupUniformLoad(&failing);
        if (count == 0u) {
            break;
        }
        take_turn(lane, count);
    }
    if (lane == 0u) {
        surface_contacts.turn = turn;
        surface_contacts.most = max(surface_contacts.most, atomicLoad(&surface_contacts.wanted));
        let missing = atomicLoad(&surface_contacts.wanted) > room() || atomicLoad(&surface_contacts.crowded) != 0u;
        let late = LAST && atomicLoad(&surface_contacts.failing) > 0u;
        lost = select(surface_contacts.lost, 1u, missing || late);
    }
    if (LAST && workgroupUniformLoad(&lost) == 1u) {
        freeze(lane);
    }
}
