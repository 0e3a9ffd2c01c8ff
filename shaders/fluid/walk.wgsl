// Goes through what is near a particle: what was as the substep began, and is now. The kernel says by `seen` where
// another is, with a fourth number, and by
// `meet` what comes of it, of the way from it and of the square of that.

// Where all are, and behind that where they were as the substep began.
@group(0) @binding(3) var<storage, read> fluid_places: array<vec4f>;

// Whether some particles do not act on each other.
override ASKS: bool = true;

// Whether particles may have moved since the substep began.
override MOVED: bool = true;

var<private> me: Wet;
var<private> began: vec3f;
var<private> asks_then: bool;
var<private> kernel: FluidKernel;
var<private> reach_squared: f32;

fn load_kernel() {
    kernel = FluidKernel(header(INVERSE), header(PEAK), header(STEEP));
    reach_squared = header(SUPPORT) * header(SUPPORT);
}

// Where a particle was as the substep began.
fn began_at(j: u32) -> vec3f {
    return fluid_places[word(COUNT) + j].xyz;
}

// The square of the distance then, or 0 where nothing has moved.
fn squared_then(j: u32) -> f32 {
    if (!asks_then) {
        return 0.0;
    }
    let way = began - began_at(j);
    return dot(way, way);
}

fn acts(j: u32) -> bool {
    if (!ASKS) {
        return true;
    }
    return bodies_meet(me, fluid_wet[j]);
}

// Of the particle `own`, which is among those that it hands over images of.
fn walk(own: u32, place: vec3f) {
    asks_then = MOVED && may_have_moved();
    began = began_at(own);
    let mask = word(MASK);
    let count = word(COUNT);
    for (var row = 0u; row < 9u; row += 1u) {
        let middle = me.bucket + (row % 3u - 1u) * word(STEP_Y) + (row / 3u - 1u) * word(STEP_Z);
        let low = (middle - 1u) & mask;
        let high = (middle + 2u) & mask;
        let first = word(HEADER + low);
        // The last bucket is followed by the first.
        let many = word(HEADER + high) - first + select(0u, count, high < low);
        for (var k = 0u; k < min(many, 3u * MOST_IN_BUCKET); k += 1u) {
            let j = first + k - select(0u, count, first + k >= count);
            let other = seen(j);
            let way = place - other.xyz;
            let squared = dot(way, way);
            if (!(squared < reach_squared) || !acts(j)) {
                continue;
            }
            let then = squared_then(j);
            if (then < reach_squared) {
                if (j != own) {
                    meet(j, other.w, way, squared);
                }
                meet_images(j, other.w, way, squared, then);
            }
        }
    }
}
