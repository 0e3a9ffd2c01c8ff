// A tree of boxes round the ways of faces, whose shape never changes: faces that follow each other lie together on a
// surface, wherever it goes. Eight of them are in a node, and eight nodes in one above. All levels lie one behind the
// other, the faces first.
struct SurfaceNode {
    low: vec3f,
    listed: u32,            // of a face: how many contacts it has listed in this substep
    high: vec3f,
    unused: u32,
}

@group(0) @binding(8) var<storage, read_write> surface_nodes: array<SurfaceNode>;

const WIDTH: u32 = 8u;
const OF_WIDTH: u32 = 3u;
const MOST_LEVELS: u32 = 10u;
const FAR: f32 = 3e38;

// Where each level begins, how many nodes it has, and which is the topmost, of one node.
var<private> level_first: array<u32, MOST_LEVELS>;
var<private> level_size: array<u32, MOST_LEVELS>;
var<private> top: u32;

fn load_levels(faces: u32) {
    var size = faces;
    var first = 0u;
    top = 0u;
    loop {
        level_first[top] = first;
        level_size[top] = size;
        if (size == 1u || top + 1u == MOST_LEVELS) {
            break;
        }
        first += size;
        size = (size + WIDTH - 1u) >> OF_WIDTH;
        top += 1u;
    }
}

struct Box {
    low: vec3f,
    high: vec3f,
}

fn no_box() -> Box {
    return Box(vec3f(FAR), vec3f(-FAR));
}

fn box_at(node: u32) -> Box {
    return Box(surface_nodes[node].low, surface_nodes[node].high);
}

fn put_box(node: u32, box: Box) {
    surface_nodes[node].low = box.low;
    surface_nodes[node].high = box.high;
}

fn around_both(a: Box, b: Box) -> Box {
    return Box(min(a.low, b.low), max(a.high, b.high));
}

fn boxes_meet(a: Box, b: Box) -> bool {
    return all(a.low <= b.high) && all(b.low <= a.high);
}

// Makes a node of a level above the faces from those below it.
fn enclose(level: u32, node: u32) {
    let first = node << OF_WIDTH;
    let end = min(first + WIDTH, level_size[level - 1u]);
    var box = no_box();
    for (var child = first; child < end; child += 1u) {
        box = around_both(box, box_at(level_first[level - 1u] + child));
    }
    put_box(level_first[level] + node, box);
}
