// On request, at the end of substeps: writes down what presses, in newtons, in the order of scheduling. The host sorts it.

struct Pressed {
    normal: vec3f,      // from the second to the first
    force: f32,         // N along it
    friction: vec3f,    // N, on the first
    first: u32,         // slot
    second: u32,        // slot, or with COLLIDER the collider
    substep: u32,
}

const COLLIDER: u32 = 0x80000000u;

@group(0) @binding(13) var<storage, read_write> pressed_count: atomic<u32>;
@group(0) @binding(14) var<storage, read_write> pressed: array<Pressed>;

// Counts all, and writes those for which there is room.
fn note(first: u32, second: u32, normal: vec3f, lambda: f32, tangential: vec3f) {
    let at = atomicAdd(&pressed_count, 1u);
    if (at < arrayLength(&pressed)) {
        let newtons = substep.inverse_seconds_squared;
        pressed[at] = Pressed(normal, lambda * newtons, tangential * newtons, first, second, substep.index);
    }
}
