// A piece of what is done for a level of many nodes, by a workgroup: one of the things that levels/net.wgsl does, but for places: which one is a kernel's own (WHAT).

const OPEN: u32 = 0u;
const LOWER: u32 = 1u;
const PULL: u32 = 2u;
const HAND: u32 = 3u;

fn pull(i: u32) {
    let tie = tie(i);
    let a = nodes[tie.ends.x].moved;
    let b = nodes[tie.ends.y].moved;
    let apart = tie.first + (a - b);
    let length = length(apart);
    if (tie.yielding > 0.0 && length > 0.0) {
        let lambda = lambdas[i];
        let next = next_lambda(tie, lambda, length);
        let push = ((next - lambda) / length) * apart;
        lambdas[i] = next;
        nodes[tie.ends.x].moved = a + tie.weights.x * push;
        nodes[tie.ends.y].moved = b - tie.weights.y * push;
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    // Nodes, or edges of a colour.
    let piece = piece_of(group);
    let i = piece.x + thread;
    if (i >= piece.y) {
        return;
    }
    switch WHAT {
        case OPEN: { open(i); }
        case LOWER: { nodes[i].moved = lower(i); }
        case PULL: { pull(i); }
        default: { hand(i); }
    }
}
