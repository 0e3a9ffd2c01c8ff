// What moves a particle in a substep, by its drive.

// Whether there are drives besides drive 0, "nothing". A pipeline constant, since software devices look up what they
// then do not take.
override DRIVEN: bool = true;

@group(0) @binding(8) var<storage, read> properties: array<Properties>;
// All of substep 0, all of substep 1, ..., all of animations.
@group(0) @binding(9) var<storage, read> drives: array<Drive>;

fn predicted(i: u32, inverse_mass: f32, way: vec3f, index: u32) -> vec3f {
    var drive: Drive;
    if (DRIVEN) {
        let own = properties[i].drive;
        let first = select(substep.count - 1u, index, own < substep.drives) * substep.drives;
        drive = drives[first + own];
    }
    return displaced(drive, inverse_mass, way);
}
