// The levels of a sheet that have few nodes each, one workgroup for each sheet. Where nodes are moved to by sweeps is in its memory, a level at a time, and what is
// read of edges is asked for a stage ahead, so that a stage waits for no buffer: some hundred follow each other.

// First for each sheet three ranges of these ranges: of its levels, finest first, and of those whose nodes are not placed yet; then that of its edges. A
// level has two, its nodes and its stages: edges of one colour, at most one for each thread, two stages at least.
const OF_SHEET: u32 = 3u;
const OF_LEVEL: u32 = 2u;

// As in src/plan/levels/mod.rs.
const SWEEPS: u32 = 4u;

// Three numbers for each of a level's nodes, and no fewer than for each thread: so they are in different banks.
var<workgroup> moved: array<f32, 3u * LEVEL_NODES>;

fn meet() {
    storageBarrier();
    workgroupBarrier();
}

struct Asked {
    tie: Tie,
    lambda: f32,
}

fn ask(stage: vec2u, thread: u32) -> Asked {
    // One that yields nothing.
    var asked: Asked;
    if (stage.x + thread < stage.y) {
        asked = Asked(tie(stage.x + thread), lambdas[stage.x + thread]);
    }
    return asked;
}

fn moved_by(node: u32) -> vec3f {
    return vec3f(moved[3u * node], moved[3u * node + 1u], moved[3u * node + 2u]);
}

fn move_to(node: u32, by: vec3f) {
    moved[3u * node] = by.x;
    moved[3u * node + 1u] = by.y;
    moved[3u * node + 2u] = by.z;
}

// What becomes of λ.
fn pull(edge: u32, tie: Tie, lambda: f32, first_node: u32) -> f32 {
    var next = lambda;
    let ends = tie.ends - first_node;
    let a = moved_by(ends.x);
    let b = moved_by(ends.y);
    let apart = tie.first + (a - b);
    let length = length(apart);
    if (length > 0.0) {
        next = next_lambda(tie, lambda, length);
        let push = ((next - lambda) / length) * apart;
        lambdas[edge] = next;
        move_to(ends.x, a + tie.weights.x * push);
        move_to(ends.y, b - tie.weights.y * push);
    }
    return next;
}

// Places of a level's nodes, the row of each by LANES threads, which put their shares where sweeps have not begun.
fn lift_level(own: vec2u, thread: u32) {
    let at_once = THREADS / LANES;
    for (var first = own.x; first < own.y; first += at_once) {
        let i = first + thread / LANES;
        if (i < own.y) {
            move_to(thread, lift(i, thread % LANES));
        }
        workgroupBarrier();
        let placed = first + thread;
        if (thread < at_once && placed < own.y) {
            var sum = vec3f(0.0);
            for (var lane = 0u; lane < LANES; lane += 1u) {
                sum += moved_by(thread * LANES + lane);
            }
            nodes[placed].place = sum;
            nodes[placed].at = x[nodes[placed].centre].xyz;
        }
        meet();
    }
}

// A thread has the same edges in each sweep: so λ, which it asks for a stage ahead, is what it wrote itself.
fn sweep(stages: vec2u, first_node: u32, thread: u32) {
    var stage = ranges[stages.x];
    var asked = ask(stage, thread);
    var at = stages.x + 1u;
    var next = ranges[at];
    // 1, or -1 on a way back. Where sweeps turn a stage follows itself, and the λ that was asked for is out of date.
    var way = 1u;
    var pulled = stage.y;
    var lambda = 0.0;
    var stays = false;
    for (var left = SWEEPS * (stages.y - stages.x); left > 0u; left -= 1u) {
        let edge = stage.x + thread;
        let own = asked;
        stage = next;
        asked = ask(stage, thread);
        let turns = at == select(stages.x, stages.y - 1u, way == 1u);
        if (turns && !stays) {
            stays = true;
        } else {
            way = select(way, 0u - way, stays);
            at += way;
            stays = false;
        }
        next = ranges[at];
        if (own.tie.yielding > 0.0) {
            lambda = pull(edge, own.tie, select(own.lambda, lambda, edge == pulled), first_node);
            pulled = edge;
        }
        workgroupBarrier();
    }
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let sheet = group.x + group.y * batch.row;
    if (sheet >= batch.count) {
        return;
    }
    let levels = ranges[batch.first + OF_SHEET * sheet];
    let lifted = ranges[batch.first + OF_SHEET * sheet + 1u];
    let edges = ranges[batch.first + OF_SHEET * sheet + 2u];
    for (var level = lifted.x; level < lifted.y; level += OF_LEVEL) {
        lift_level(ranges[level], thread);
    }
    for (var i = edges.x + thread; i < edges.y; i += THREADS) {
        open(i);
    }
    for (var level = levels.y; level > levels.x; level -= OF_LEVEL) {
        let own = ranges[level - OF_LEVEL];
        for (var i = own.x + thread; i < own.y; i += THREADS) {
            move_to(i - own.x, lower(i));
        }
        meet();
        sweep(ranges[level - 1u], own.x, thread);
        meet();
        for (var i = own.x + thread; i < own.y; i += THREADS) {
            hand(i);
        }
        meet();
    }
}
