// Before the first sweep of a substep the rests of actuated joints are set: what they are without a curve and its
// curvature at the substep's end times their length.

@group(0) @binding(2) var<storage, read> rod_curves: array<RodCurve>;
@group(0) @binding(3) var<storage, read> curves: array<vec4f>;          // all of substep 0, all of substep 1, ...
@group(0) @binding(4) var<storage, read_write> rod_links: array<RodLink>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let joint = rod_curves[i];
    let curvature = curves[substep.index * joint.curves + joint.curve].xyz;
    rod_links[joint.place].rest = joint.rest + joint.length * curvature;
}
