// After a frame: leaves in the sums of the multipliers of a sheet that can break what its constraints bear, of all that they and the levels did. That is
// CGLS from what they bore in the frame before, as `Cords::tensions` in src/measure/cords.rs has it. One workgroup for each such sheet.

@group(0) @binding(6) var<storage, read> x: array<vec4f>;
@group(0) @binding(7) var<storage, read> e: array<vec3f>;
@group(0) @binding(8) var<storage, read> level_forces: array<vec3f>;
@group(0) @binding(9) var<storage, read_write> multipliers: array<vec2f>;

// As in src/reference/bearing.rs.
const ITERATIONS: u32 = 10u;

var<workgroup> parts: array<f32, GROUP_SIZE>;

// The sum over all threads, in the same order each time.
fn total(thread: u32, mine: f32) -> f32 {
    workgroupBarrier();
    parts[thread] = mine;
    for (var half = GROUP_SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (thread < half) {
            parts[thread] += parts[thread + half];
        }
    }
    workgroupBarrier();
    return parts[0];
}

fn stretch(cord: Cord) -> f32 {
    return cord.root * dot(cord.along, knots[cord.ends.x].misfit - knots[cord.ends.y].misfit);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let sheet = group.x + group.y * batch.row;
    if (sheet >= batch.count) {
        return;
    }
    let ranges = cord_ranges[sheet];
    let all = cord_ranges[ranges.x];
    let particles = cord_ranges[ranges.x + 1u];
    for (var i = all.x + thread; i < all.y; i += GROUP_SIZE) {
        let cord = cords[i];
        let multiplier = multipliers[cord.place];
        let slots = vec2u(knots[cord.ends.x].index, knots[cord.ends.y].index);
        let apart = lattice_way(x[slots.y].xyz, x[slots.x].xyz) + (e[slots.x] - e[slots.y]);
        let length = length(apart);
        let whole = multiplier.x != BROKEN && cord.parted != AWAY && length > 0.0;
        cords[i].along = select(vec3f(0.0), apart / length, whole);
        let kept = select(0.0, cord.kept, multiplier.x != BROKEN);
        cords[i].share = kept / cord.root;
        // What it did itself, beside what it bore before.
        cords[i].way = (multiplier.y - kept) / cord.root;
    }
    meet();
    for (var i = particles.x + thread; i < particles.y; i += GROUP_SIZE) {
        let slot = knots[i].index;
        let inverse_mass = x[slot].w;
        if (inverse_mass > 0.0) {
            knots[i].force = level_forces[slot] / inverse_mass + exerted(i);
        }
    }
    meet();
    smooth_forces(thread, ranges);
    for (var i = particles.x + thread; i < particles.y; i += GROUP_SIZE) {
        knots[i].misfit = knots[i].place;
    }
    meet();
    var mine = 0.0;
    for (var i = all.x + thread; i < all.y; i += GROUP_SIZE) {
        let gradient = stretch(cords[i]);
        cords[i].way = gradient;
        mine += gradient * gradient;
    }
    var squared = total(thread, mine);
    for (var iteration = 0u; iteration < ITERATIONS; iteration += 1u) {
        meet();
        for (var i = particles.x + thread; i < particles.y; i += GROUP_SIZE) {
            if (knots[i].softness > 0.0) {
                knots[i].force = exerted(i);
            }
        }
        meet();
        smooth_forces(thread, ranges);
        mine = 0.0;
        for (var i = particles.x + thread; i < particles.y; i += GROUP_SIZE) {
            mine += dot(knots[i].force, knots[i].place);
        }
        let curvature = total(thread, mine);
        let step = select(0.0, squared / curvature, curvature > 0.0);
        for (var i = particles.x + thread; i < particles.y; i += GROUP_SIZE) {
            knots[i].misfit -= step * knots[i].place;
        }
        meet();
        mine = 0.0;
        for (var i = all.x + thread; i < all.y; i += GROUP_SIZE) {
            let gradient = stretch(cords[i]);
            cords[i].share += step * cords[i].way;
            cords[i].gradient = gradient;
            mine += gradient * gradient;
        }
        let next = total(thread, mine);
        let beta = select(0.0, next / squared, squared > 0.0);
        for (var i = all.x + thread; i < all.y; i += GROUP_SIZE) {
            cords[i].way = cords[i].gradient + beta * cords[i].way;
        }
        squared = next;
    }
    for (var i = all.x + thread; i < all.y; i += GROUP_SIZE) {
        if (multipliers[cords[i].place].x != BROKEN && cords[i].parted != AWAY) {
            multipliers[cords[i].place].y = cords[i].root * cords[i].share;
        }
    }
}
