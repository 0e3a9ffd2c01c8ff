// Shapes for a liquid's particles by what surrounds them, so that a few balls make an even surface: particles of it lie
// at the mean of their neighbours and are flat along it (after Yu and Turk 2013). Neighbours are found by hashed cells,
// and counted in the order of the list, so that no sum depends on scheduling.
struct Point {
    slot: u32,
    style: u32,
    /// m; below 0 of what may come and go.
    radius: f32,
}

/// A ball, flat along an axis.
struct Shape {
    centre: vec3f,
    /// Across the axis, m.
    radius: f32,
    /// Its length is the radius along it, as a share of that across.
    axis: vec3f,
    /// Its style, and above 24 bits how much it foams, up to 255.
    style: u32,
}

@group(1) @binding(0) var<storage, read> positions: array<vec4f>;
@group(1) @binding(1) var<storage, read> ways: array<vec4f>;
@group(1) @binding(2) var<storage, read> points: array<Point>;
/// Where each bucket's particles end in `order`, and after the last bucket how many there are; at last where they
/// begin.
@group(1) @binding(3) var<storage, read_write> buckets: array<atomic<u32>>;
@group(1) @binding(4) var<storage, read_write> order: array<u32>;
@group(1) @binding(5) var<storage, read_write> shapes: array<Shape>;

/// How far neighbours are looked for, spacings: the edge of a cell.
const SUPPORT = 2.0;
const SCANNERS = 256u;
var<workgroup> sums: array<u32, SCANNERS>;

fn thread(id: vec3u, groups: vec3u) -> u32 {
    // Above 65,535 groups the dispatch folds to two axes.
    return id.x + id.y * groups.x * 256u;
}

/// Where particles come and go, what has no inverse mass has not been poured yet, or has run off.
fn is_there(point: u32) -> bool {
    return points[point].radius >= 0.0 || positions[points[point].slot].w > 0.0;
}

fn place_of(point: u32) -> vec3f {
    return positions[points[point].slot].xyz - frame.origin;
}

fn cell_of(place: vec3f) -> vec3i {
    return vec3i(floor(place / (SUPPORT * frame.spacing)));
}

fn bucket_of(cell: vec3i) -> u32 {
    let c = bitcast<vec3u>(cell) * vec3u(73856093u, 19349663u, 83492791u);
    return (c.x ^ c.y ^ c.z) & (arrayLength(&buckets) - 2u);
}

@compute @workgroup_size(256)
fn crowd_count(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread(id, groups);
    if i < arrayLength(&points) && is_there(i) {
        atomicAdd(&buckets[bucket_of(cell_of(place_of(i)))], 1u);
    }
}

/// Sums the counts: one workgroup, each thread a run of buckets.
@compute @workgroup_size(256)
fn crowd_scan(@builtin(local_invocation_index) thread: u32) {
    let count = arrayLength(&buckets) - 1u;
    let run = (count + SCANNERS - 1u) / SCANNERS;
    let first = min(thread * run, count);
    let end = min(first + run, count);
    var sum = 0u;
    for (var b = first; b < end; b++) {
        sum += atomicLoad(&buckets[b]);
    }
    sums[thread] = sum;
    workgroupBarrier();
    var before = 0u;
    for (var other = 0u; other < thread; other++) {
        before += sums[other];
    }
    for (var b = first; b < end; b++) {
        before += atomicLoad(&buckets[b]);
        atomicStore(&buckets[b], before);
    }
    if thread == SCANNERS - 1u {
        atomicStore(&buckets[count], before);
    }
}

@compute @workgroup_size(256)
fn crowd_sort(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread(id, groups);
    if i < arrayLength(&points) && is_there(i) {
        order[atomicSub(&buckets[bucket_of(cell_of(place_of(i)))], 1u) - 1u] = i;
    }
}

/// Brings each bucket into the order of the list.
@compute @workgroup_size(256)
fn crowd_order(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let b = thread(id, groups);
    if b + 1u >= arrayLength(&buckets) {
        return;
    }
    let first = atomicLoad(&buckets[b]);
    let end = atomicLoad(&buckets[b + 1u]);
    for (var i = first + 1u; i < end; i++) {
        let moved = order[i];
        var at = i;
        while at > first && order[at - 1u] > moved {
            order[at] = order[at - 1u];
            at--;
        }
        order[at] = moved;
    }
}
