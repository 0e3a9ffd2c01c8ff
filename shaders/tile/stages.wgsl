// A tile is one or more bodies that a workgroup solves by itself: a list of stages, each a colour of one kind, done by all threads
// at once with a barrier after it. `words` begins with the number of iterations and three zeros; then come the tiles, then the stages,
// four words each, then the records of all kinds.

struct Tile {
    stages: u32,        // where its stages begin, and their end
    stages_end: u32,
    first: u32,         // its particles by slot, and their end
    end: u32,
}

struct TileStage {
    kind: u32,          // which of the kernel's
    count: u32,         // of constraints
    record: u32,        // where their records begin
    multiplier: u32,    // the first one's
}

@group(0) @binding(9) var<storage, read> words: array<u32>;

const STAGE_WORDS: u32 = 4u;

fn load_tile(index: u32) -> Tile {
    let at = STAGE_WORDS * (1u + index);
    return Tile(words[at], words[at + 1u], words[at + 2u], words[at + 3u]);
}

fn load_stage(at: u32) -> TileStage {
    return TileStage(words[at], words[at + 1u], words[at + 2u], words[at + 3u]);
}
