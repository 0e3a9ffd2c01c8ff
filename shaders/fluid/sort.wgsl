// Brings the particles of each bucket into the order of their numbers, and with them what is known of them.

@group(0) @binding(4) var<storage, read> wet: array<Wet>;
@group(0) @binding(5) var<storage, read> fluid_unsorted: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> fluid_places: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> fluid_wet: array<Wet>;
@group(0) @binding(8) var<storage, read_write> fluid_lambdas: array<f32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let here = item(id);
    if (here >= batch.count) {
        return;
    }
    let k = fluid_sorting[unsorted_word(here)];
    let bucket = fluid_sorting[k];
    let range = bucket_range(bucket);
    var at = here;
    if (range.y - range.x <= MOST_IN_BUCKET) {
        at = range.x;
        for (var other = range.x; other < range.y; other += 1u) {
            at += select(0u, 1u, fluid_sorting[unsorted_word(other)] < k);
        }
    }
    fluid_places[at] = fluid_unsorted[k];
    fluid_places[batch.count + at] = fluid_unsorted[k];
    var one = wet[k];
    one.bucket = bucket;
    fluid_wet[at] = one;
    fluid_lambdas[at] = 0.0;
}
