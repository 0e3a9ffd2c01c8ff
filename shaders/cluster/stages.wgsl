// A cluster is what a workgroup solves by itself: for each kind a list of stages, colours that all threads do at once with a barrier after each. Kinds come
// leg by leg, as the plan has them: there and back the last one first, then up to the first, and to the last again.
// `words` begins with a head (cluster/island.wgsl, cluster/phase.wgsl); then come the clusters, each where its particles begin and end, then where the stages of
// each leg begin, and the end of the last; then stages and records.
//
// Loops end with their test, as the last statement of the body: lavapipe runs a body once more than a test at the beginning or in a
// `continuing` block lets through, with nobody taking part, and with four loops in each other that is most of the time.

struct Cluster {
    first: u32,
    end: u32,
    stages: u32,        // where the word is that says where those of the first leg begin
}

struct Stage {
    visit: u32,         // bits (lib/batch.wgsl)
    count: u32,         // of constraints
    record: u32,        // where their records begin
    multiplier: u32,    // the first one's
}

@group(0) @binding(9) var<storage, read> words: array<u32>;

const STAGE_WORDS: u32 = 3u;
// The first word of a stage has its count, and in its highest bits which visit it is.
const VISIT_SHIFT: u32 = 28u;
const COUNT_MASK: u32 = 0xfffffffu;

fn load_cluster(index: u32) -> Cluster {
    let at = HEAD + index * (LEGS + 3u);
    return Cluster(words[at], words[at + 1u], at + 2u);
}

// Of a list of these bounds; nothing to do where it is empty.
fn load_stage(at: u32, end: u32) -> Stage {
    var stage: Stage;
    if (at < end) {
        stage = Stage(words[at] >> VISIT_SHIFT, words[at] & COUNT_MASK, words[at + 1u], words[at + 2u]);
    }
    return stage;
}
