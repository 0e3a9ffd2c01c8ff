// Contacts take turns, so that no two that move one vertex act at once: each bids its key for all its vertices that can
// move, and who bids lowest for all of them has its turn, `act`. Bits so do not depend on the order of the list. One
// workgroup does it.

// How many entries the queue has.
var<workgroup> bidders: u32;
var<workgroup> losers: atomic<u32>;

fn bid_for(v: u32, key: u32) {
    if (x[v].w > 0.0) {
        atomicMin(&surface_vertices[v].bid, key);
    }
}

fn bid(i: u32) {
    let v = surface_contacts.list[i].vertices;
    let key = surface_contacts.list[i].key;
    bid_for(v.x, key);
    bid_for(v.y, key);
    bid_for(v.z, key);
    bid_for(v.w, key);
}

fn is_lowest(v: u32, key: u32) -> bool {
    return x[v].w == 0.0 || atomicLoad(&surface_vertices[v].bid) == key;
}

fn bids_lowest(i: u32) -> bool {
    let v = surface_contacts.list[i].vertices;
    let key = surface_contacts.list[i].key;
    return is_lowest(v.x, key) && is_lowest(v.y, key) && is_lowest(v.z, key) && is_lowest(v.w, key);
}

fn take_back(i: u32) {
    let v = surface_contacts.list[i].vertices;
    atomicStore(&surface_vertices[v.x].bid, NO_BID);
    atomicStore(&surface_vertices[v.y].bid, NO_BID);
    atomicStore(&surface_vertices[v.z].bid, NO_BID);
    atomicStore(&surface_vertices[v.w].bid, NO_BID);
}

// Of one auction. After these the rest of the queue gets no turn.
const MOST_BIDDING: u32 = 20000u;

// All of the first queue.
fn auction(lane: u32) {
    var side = 0u;
    var bidding = 0u;
    loop {
        let count = workgroupUniformLoad(&bidders);
        if (count == 0u) {
            break;
        }
        for (var k = lane; k < count; k += GROUP_SIZE) {
            bid(surface_contacts.list[k].queue[side]);
        }
        if (lane == 0u) {
            atomicStore(&losers, 0u);
        }
        storageBarrier();
        workgroupBarrier();
        for (var k = lane; k < count; k += GROUP_SIZE) {
            let i = surface_contacts.list[k].queue[side];
            if (bids_lowest(i)) {
                act(i);
            } else {
                surface_contacts.list[atomicAdd(&losers, 1u)].queue[1u - side] = i;
            }
        }
        storageBarrier();
        workgroupBarrier();
        for (var k = lane; k < count; k += GROUP_SIZE) {
            take_back(surface_contacts.list[k].queue[side]);
        }
        bidding += 4u * (count / GROUP_SIZE + 1u);
        if (lane == 0u) {
            bidders = select(0u, atomicLoad(&losers), bidding < most_loops(MOST_BIDDING));
        }
        storageBarrier();
        side = 1u - side;
    }
}
