// Where a particle would go if nothing held it (symplectic Euler): d = e + u + h² (g + w F), u = h v. A fixed particle follows
// its keyframes. u stays as it was until finish.wgsl: contacts need the speed of approach from before this step.

struct Drive {
    force: vec3f,           // N, on free particles
    reserved0: u32,
    displacement: vec3f,    // m over this substep, of fixed particles
    reserved1: u32,
}

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> e: array<vec3f>;
@group(0) @binding(5) var<storage, read> u: array<vec3f>;
@group(0) @binding(6) var<storage, read> properties: array<Properties>;
@group(0) @binding(7) var<storage, read> drives: array<Drive>;   // all of substep 0, all of substep 1, ...

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let w = x[i].w;
    // Drive 0 is "nothing": where it is the only one, as in most scenes, there is nothing to look up.
    var drive: Drive;
    if (substep.drives > 1u) {
        drive = drives[substep.index * substep.drives + properties[i].drive];
    }
    var moved = drive.displacement;
    if (w > 0.0) {
        moved = u[i] + substep.seconds * substep.seconds * (substep.gravity + w * drive.force);
        let way = length(moved);
        let most = substep.max_speed * substep.seconds;
        // A length that overflows would stop the particle in silence: finish.wgsl shall see it.
        moved *= select(1.0, most / way, way > most && is_finite(way));
    }
    d[i] = e[i] + moved;
}
