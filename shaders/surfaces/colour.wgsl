// Contacts that move no vertex in common have one colour. What finds none is guarded, but not solved.

const NO_COLOUR: u32 = COLOURS;

var<workgroup> counts: array<atomic<u32>, COLOURS>;

fn first_free(taken: vec4u) -> u32 {
    let free = vec4u(32u) > countTrailingZeros(~taken);
    let lowest = countTrailingZeros(~taken) + vec4u(0u, 32u, 64u, 96u);
    let low = select(select(NO_COLOUR, lowest.w, free.w), lowest.z, free.z);
    return select(select(low, lowest.y, free.y), lowest.x, free.x);
}

fn taken_at(v: u32) -> vec4u {
    return select(vec4u(0u), surface_vertices[v].taken, x[v].w > 0.0);
}

fn take(v: u32, colour: u32) {
    if (x[v].w > 0.0) {
        surface_vertices[v].taken[colour >> 5u] |= 1u << (colour & 31u);
    }
}

fn act(i: u32) {
    let v = surface_contacts.list[i].vertices;
    let colour = first_free(taken_at(v.x) | taken_at(v.y) | taken_at(v.z) | taken_at(v.w));
    if (colour == NO_COLOUR) {
        return;
    }
    surface_contacts.list[i].colour = colour;
    atomicAdd(&counts[colour], 1u);
    take(v.x, colour);
    take(v.y, colour);
    take(v.z, colour);
    take(v.w, colour);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) {
        bidders = listed();
        surface_contacts.most = max(surface_contacts.most, atomicLoad(&surface_contacts.wanted));
    }
    if (lane < COLOURS) {
        atomicStore(&counts[lane], 0u);
    }
    let count = workgroupUniformLoad(&bidders);
    for (var i = lane; i < count; i += GROUP_SIZE) {
        surface_contacts.list[i].queue[0] = i;
        surface_contacts.list[i].colour = NO_COLOUR;
    }
    storageBarrier();
    auction(lane);
    if (lane == 0u) {
        var end = 0u;
        var colours = 0u;
        for (var colour = 0u; colour < COLOURS; colour += 1u) {
            let of_colour = atomicLoad(&counts[colour]);
            // Where the next of this colour goes.
            atomicStore(&counts[colour], end);
            end += of_colour;
            surface_contacts.ends[colour] = end;
            if (of_colour > 0u) {
                colours = colour + 1u;
            }
        }
        surface_contacts.colours = colours;
        surface_contacts.solved = count;
    }
    storageBarrier();
    workgroupBarrier();
    for (var i = lane; i < count; i += GROUP_SIZE) {
        let colour = surface_contacts.list[i].colour;
        if (colour != NO_COLOUR) {
            surface_contacts.list[atomicAdd(&counts[colour], 1u)].sorted = i;
        }
    }
}
