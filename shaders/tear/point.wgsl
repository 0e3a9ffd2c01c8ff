// Points the constraints of torn bodies to the particles that their corners have now, and breaks those of broken edges
// and loose corners. A record is seen as its words. Two constraints of a colour share no particle before, and so none after: a
// split only takes them apart.

struct Seam {
    place: u32,
    joint: u32,
    reserved0: u32,
    reserved1: u32,
    corners: vec4u,
}

// How a kind's records lie.
struct Pointing {
    words: u32,         // of a record
    first: u32,         // where its particles begin
    ends: u32,          // how many they are
    components: u32,
}

override RESTORED: bool = false;

@group(0) @binding(2) var<storage, read> seams: array<Seam>;
@group(0) @binding(3) var<storage, read> pointing: Pointing;
@group(0) @binding(4) var<storage, read> holds: array<Hold>;
@group(0) @binding(5) var<storage, read> broken: array<u32>;
@group(0) @binding(6) var<storage, read_write> tear: Tear;
@group(0) @binding(7) var<storage, read_write> records: array<u32>;
@group(0) @binding(8) var<storage, read_write> multipliers: array<vec2f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || (tear.splitting == 0u && !RESTORED)) {
        return;
    }
    let seam = seams[i];
    var whole = broken[seam.joint] == 0u;
    for (var k = 0u; k < pointing.ends; k += 1u) {
        let hold = holds[seams[i].corners[k]];
        records[seam.place * pointing.words + pointing.first + k] = hold.particle;
        whole = whole && hold.root != LOOSE;
    }
    if (!whole) {
        for (var k = 0u; k < pointing.components; k += 1u) {
            multipliers[seam.place * pointing.components + k] = vec2f(BROKEN, 0.0);
        }
    }
}
