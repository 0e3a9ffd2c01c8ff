// A hashed grid over the anchors of all balls: of any extent, with cells of several sizes, each twice as large as those of the level below.
// A ball lies in the finest level whose cells hold it with what it may move, so that small and slow ones are not looked for by the reach of
// the largest or fastest. What lies in a bucket is a list, newest first. Its order is that of scheduling; nothing depends on it, since
// partners are sorted.
//
// One buffer of words: the header, then for each bucket its first ball and how many there are, then for each ball the next in its bucket,
// then for each ball where its partners begin and how many there are.

const STALE: u32 = 0u;          // the substep for which the lists are made again; they are in each first one of a frame
const WANTED: u32 = 1u;         // entries that the lists of partners take
const LEVELS: u32 = 2u;         // a bit for each level in which there is a ball
const CROWDED_CELLS: u32 = 3u;  // whether a bucket has more than MOST_IN_BUCKET
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

fn next_word(i: u32) -> u32 {
    return HEADER + 2u * buckets + i;
}

fn range_word(i: u32) -> u32 {
    return HEADER + 2u * buckets + substep.particles + 2u * i;
}

fn cell_size(level: u32) -> f32 {
    return finest * f32(1u << level);
}

fn cell_of(place: vec3f, level: u32) -> vec3i {
    return vec3i(floor(place * (inverse_finest / f32(1u << level))));
}

fn bucket_of(cell: vec3i, level: u32) -> u32 {
    let c = bitcast<vec3u>(cell);
    let hash = (c.x * 73856093u) ^ (c.y * 19349663u) ^ (c.z * 83492791u) ^ (level * 2654435761u);
    return (hash ^ (hash >> 15u)) & (buckets - 1u);
}
