// A hashed grid over the anchors of all balls: of any extent, with cells of several sizes, each twice as large as those of the level below.
// A ball lies in the finest level whose cells hold it with what it may move, so that small and slow ones are not looked for by the reach of
// the largest or fastest. A counting sort (count.wgsl, allot.wgsl, sort.wgsl) puts those of a bucket side by side. In which order is up to
// scheduling; nothing depends on it, since partners are sorted.
//
// One buffer of words: the header, then for each bucket where its balls begin among the sorted ones and how many there are, then for each ball
// its turn in its bucket, then the sorted balls.

const STALE: u32 = 0u;          // the substep for which the lists are made again; they are in each first one of a frame
const LEVELS: u32 = 1u;         // a bit for each level in which there is a ball
const CROWDED_CELLS: u32 = 2u;  // whether a bucket has more than MOST_IN_BUCKET
const ALLOTTED: u32 = 3u;       // how many of the sorted balls are of some bucket already
const BUCKETS: u32 = 4u;        // a power of two
const FINEST: u32 = 5u;         // bits of the size of the finest cells, m
const INVERSE_FINEST: u32 = 6u; // and of its inverse
const HEADER: u32 = 16u;

const MOST_LEVELS: u32 = 20u;
// Cells hold a few balls that do not overlap, some hundred of what goes ten radii in a substep. Beyond this bound the search would take for
// ever.
const MOST_IN_BUCKET: u32 = 4096u;

// What the header says of the grid's shape, loaded once.
var<private> buckets: u32;
var<private> finest: f32;
var<private> inverse_finest: f32;

fn load_shape() {
    buckets = word(BUCKETS);
    finest = bitcast<f32>(word(FINEST));
    inverse_finest = bitcast<f32>(word(INVERSE_FINEST));
}

fn is_stale() -> bool {
    return substep.index == 0u || word(STALE) == substep.index;
}

fn bucket_word(bucket: u32) -> u32 {
    return HEADER + 2u * bucket;
}

fn turn_word(i: u32) -> u32 {
    return HEADER + 2u * buckets + i;
}

fn sorted_word(at: u32) -> u32 {
    return HEADER + 2u * buckets + substep.particles + at;
}

fn cell_size(level: u32) -> f32 {
    return finest * f32(1u << level);
}

// Whether a ball lies in this level: the finest whose cells hold it.
fn is_of_level(extent: f32, level: u32) -> bool {
    return cell_size(level) >= 2.0 * extent && (level == 0u || cell_size(level - 1u) < 2.0 * extent);
}

fn cell_of(place: vec3f, level: u32) -> vec3i {
    return vec3i(floor(place * (inverse_finest / f32(1u << level))));
}

fn bucket_of(cell: vec3i, level: u32) -> u32 {
    let c = bitcast<vec3u>(cell);
    let hash = (c.x * 73856093u) ^ (c.y * 19349663u) ^ (c.z * 83492791u) ^ (level * 2654435761u);
    return (hash ^ (hash >> 15u)) & (buckets - 1u);
}
