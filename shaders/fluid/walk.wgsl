// Goes through what is near a particle. The kernel says by `seen` where another is, with a fourth number, and by `meet` what comes of it, of the way from it
// and of the square of that.

// Whether some particles do not act on each other.
override ASKS: bool = true;

var<private> me: Wet;
var<private> kernel: FluidKernel;
var<private> reach_squared: f32;

fn load_kernel() {
    kernel = FluidKernel(header(INVERSE), header(PEAK), header(STEEP));
    reach_squared = header(SUPPORT) * header(SUPPORT);
}

fn acts(j: u32) -> bool {
    if (!ASKS) {
        return true;
    }
    return bodies_meet(me, fluid_wet[j]);
}

// Of the particle `own`, which is among those that it hands over images of.
fn walk(own: u32, place: vec3f) {
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
            if (squared < reach_squared && acts(j)) {
                if (j != own) {
                    meet(j, other.w, way, squared);
                }
                meet_images(j, other.w, way, squared);
            }
        }
    }
}
