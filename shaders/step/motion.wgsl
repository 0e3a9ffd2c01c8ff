// What moves a particle in a substep, by its drive.

@group(0) @binding(8) var<storage, read> properties: array<Properties>;
@group(0) @binding(9) var<storage, read> drives: array<Drive>;   // all of substep 0, all of substep 1, ...

fn predicted(i: u32, inverse_mass: f32, way: vec3f, index: u32) -> vec3f {
    // Drive 0 is "nothing": where it is the only one, as in most scenes, there is nothing to look up.
    var drive: Drive;
    if (substep.drives > 1u) {
        drive = drives[index * substep.drives + properties[i].drive];
    }
    return displaced(drive, inverse_mass, way);
}
