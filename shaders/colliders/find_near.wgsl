// Looked at are the colliders whose bounds the box around the particle's way meets; kept those that it may touch, by ascending collider as with
// few. src/model/tree.rs makes the bounds, and there is why they are enough.

// A node of the tree of colliders: its bounds in the frame, and where to go on where they are not met, which at a collider's own is the next.
struct Bound {
    low: vec3f,
    collider: u32,          // NOBODY within the tree
    high: vec3f,
    skip: u32,
}

const NOBODY: u32 = 0xffffffffu;

// Constraints may take a particle off its prediction by the length of its way, its radius and what this speed makes of a substep, m/s: what is
// yanked further touches in the next substep. By as much as a collider pushes it more is looked at.
const START_SPEED: f32 = 5.0;
// For what turns, as src/model/tree.rs has it.
const REACH: f32 = 1.25;
// Of the largest coordinate: some roundings.
const ROUNDING: f32 = 1e-6;

// The nodes are the first of the samples.
fn bound(node: u32) -> Bound {
    let at = BOUND_WORDS * node;
    let low = vec3f(sample(at), sample(at + 1u), sample(at + 2u));
    let high = vec3f(sample(at + 4u), sample(at + 5u), sample(at + 6u));
    return Bound(low, samples[at + 3u], high, samples[at + 7u]);
}

// Where a particle goes and may be led, m.
struct Span {
    low: vec3f,
    high: vec3f,
    slack: f32,
}

fn span_of(p: Moving) -> Span {
    let slack = length(p.moved - p.begin) + p.surface.radius + START_SPEED * substep.seconds;
    let start = p.place + p.begin;
    let end = p.place + p.moved;
    let far = max(abs(start), abs(end));
    let reach = REACH * (p.surface.radius + slack) + ROUNDING * max(far.x, max(far.y, far.z));
    return Span(min(start, end) - reach, max(start, end) + reach, slack);
}

fn wider(span: Span, by: f32) -> Span {
    return Span(span.low - REACH * by, span.high + REACH * by, span.slack + by);
}

fn find(p: Moving) {
    var span = span_of(p);
    var list = own_list(p.i, OWN);
    var count = 0u;
    var more = 0u;
    loop {
        let found = gather(p, span, list);
        if (found.depth > span.slack) {
            span = wider(span, found.depth);
            continue;
        }
        count = found.count;
        if (count <= list.count) {
            break;
        }
        // All again, to shared slots.
        more = atomicAdd(&contacts.taken[substep.index & 1u], count);
        if (more > contacts.room || count > contacts.room - more) {
            break;
        }
        list = shared_list(more, count);
    }
    contacts.slots[p.i].count = count;
    contacts.slots[p.i].more = more;
}

struct Found {
    count: u32,
    depth: f32,             // by how much the predicted place is beyond the plane of one, m
}

// Writes the contacts of a particle to a list, the deepest if there are more than it holds. Returns how many there are.
fn gather(p: Moving, span: Span, list: List) -> Found {
    var found = Found(0u, 0.0);
    var node = 0u;
    while (node < nodes()) {
        let b = bound(node);
        if (!(all(span.low <= b.high) && all(b.low <= span.high))) {
            node = b.skip;
            continue;
        }
        node += 1u;
        if (b.collider != NOBODY) {
            let c = colliders[collider_index(b.collider)];
            if (collides(p, c)) {
                let contact = meet(p, c);
                let value = value_of(contact, p.moved);
                if (value <= span.slack || c.adhesion > 0.0) {
                    insert(list, found.count, b.collider, contact, p.moved);
                    // A trigger pushes nothing, however deep.
                    found = Found(found.count + 1u, max(found.depth, select(-value, 0.0, c.adhesion < 0.0)));
                }
            }
        }
    }
    return found;
}

// C where the particle is predicted.
fn value_of(contact: Contact, moved: vec3f) -> f32 {
    return contact.offset + dot(contact.normal, moved);
}

// Puts a contact in its place by its collider, after so many others. Where the list is full the shallowest goes.
fn insert(list: List, others: u32, k: u32, contact: Contact, moved: vec3f) {
    var held = min(others, list.count);
    if (held == list.count) {
        var shallowest = 0u;
        var largest = -FAR;
        for (var n = 0u; n < held; n += 1u) {
            let value = value_of(contact_at(list.first + n * list.step), moved);
            if (value > largest) {
                shallowest = n;
                largest = value;
            }
        }
        if (value_of(contact, moved) >= largest) {
            return;
        }
        held -= 1u;
        for (var n = shallowest; n < held; n += 1u) {
            let at = list.first + n * list.step;
            contacts.slots[at] = contacts.slots[at + list.step];
        }
    }
    var at = list.first + held * list.step;
    while (held > 0u && contacts.slots[at - list.step].collider > k) {
        contacts.slots[at] = contacts.slots[at - list.step];
        at -= list.step;
        held -= 1u;
    }
    contacts.slots[at].contact = contact;
    contacts.slots[at].collider = k;
}
