// Solves constraints over any number of particles, one workgroup each, with reductions in fixed order. A thread takes a member of
// THREADS; a kind's function gives one member's share of C and the gradient there, and reads members by `member`.
// Gradients wait in the list of corrections, since all must be known before a particle moves. One component only.
// What the shares make of the whole the kind says, too: THREADS, `prepare` and `whole` are in solve/whole.wgsl or in a text of its own.

@group(0) @binding(8) var<storage, read> records: array<Constraint>;
@group(0) @binding(9) var<storage, read> members: array<u32>;

var<workgroup> partial: array<vec4f, THREADS>;
var<workgroup> partial_mass: array<f32, THREADS>;
var<private> origin: u32;

// A constraint, of the sums over its members.
struct Whole {
    value: f32,     // C
    scale: f32,     // the gradient over what the function returns for it
    weight: f32,    // what the multiplier divides by
    least: f32,     // and at least divides by; 0 where the weight does not vanish with the gradient
}

// The way from one particle to another, by their slots.
fn between(a: u32, b: u32) -> vec3f {
    return lattice_way(x[a].xyz, x[b].xyz) + (displacement(b) - displacement(a));
}

// Position of a member relative to the constraint's first.
fn member(index: u32) -> vec3f {
    return between(members[origin], members[index]);
}

// Sums xyz and takes the largest w over all threads, in the same order every time; the largest inverse mass is then in partial_mass[0].
// Between two calls there must be a barrier: the second writes what the first was read from.
fn reduce(thread: u32, mine: vec4f, inverse_mass: f32) -> vec4f {
    partial[thread] = mine;
    partial_mass[thread] = inverse_mass;
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if (thread < half) {
            let other = partial[thread + half];
            partial[thread] = vec4f(partial[thread].xyz + other.xyz, max(partial[thread].w, other.w));
            partial_mass[thread] = max(partial_mass[thread], partial_mass[thread + half]);
        }
        workgroupBarrier();
    }
    return partial[0];
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let place = batch.first + index;
    let record = records[place];
    let material = materials[record.material];
    let correction = record.first - records[batch.first].first;
    let multiplier = load_multiplier(place);
    let mean = mean_multiplier(place);
    let broken = is_broken(place);
    origin = record.first;
    prepare(record, thread);

    let zero = nothing();
    var mine = vec4f(zero);  // C, Σ w|∇C|², ∇C·(x - xⁿ), the largest |∇C|²
    var lightest = 0.0;      // the largest inverse mass
    for (var j = thread; j < record.count; j += THREADS) {
        let at = evaluate(record, 0u, j);
        let p = members[record.first + j];
        let squared = dot3(at.gradient, at.gradient);
        mine.x += at.value;
        let inverse_mass = x[p].w * valence(correction + j);
        mine.y = fma(inverse_mass, squared, mine.y);
        lightest = max(lightest, inverse_mass);
        mine.w = max(mine.w, squared);
        if (DAMPED) {
            mine.z += dot3(at.gradient, displacement(p) - e[p]);
        }
        corrections[correction + j] = vec4f(at.gradient, corrections[correction + j].w);
    }
    // All threads have read the positions and the multiplier before one of them writes.
    storageBarrier();
    let sums = reduce(thread, mine, lightest);
    let all = whole(record, correction, thread, sums.x, sums.y, least_divisor(partial_mass[0], sums.w));
    var change = multiplier_change(material, multiplier.x, all.value, all.scale * sums.z, all.weight, all.least);
    if (broken || breaks(material, mean * mean * all.scale * all.scale * sums.w)) {
        change = 0.0;
        if (thread == 0u) {
            mark_broken(place);
        }
    } else if (thread == 0u) {
        store_multiplier(place, multiplier, change);
    }
    for (var j = thread; j < record.count; j += THREADS) {
        let p = members[record.first + j];
        let gradient = all.scale * corrections[correction + j].xyz;
        apply(p, correction + j, displacement(p), fma(vec3f(x[p].w * change), gradient, vec3f(zero)));
    }
}
