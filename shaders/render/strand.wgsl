// The curve of a strand through its particles, and the particles of a strand beside it that hairs between them follow.
/// Parts that each link of a strand is drawn in.
const PARTS = 4u;

/// Of the strand at a node, m; `share` of the way to the one beside.
fn node_at(node: u32, mate: u32, share: f32) -> vec3f {
    return mix(local_position(node), local_position(mate), share);
}

/// The point of a link's curve at `t` from 0 to 1: Catmull-Rom, which passes through the particles.
fn curve_at(nodes: vec4u, mates: vec4u, share: f32, t: f32) -> vec3f {
    let before = node_at(nodes.x, mates.x, share);
    let a = node_at(nodes.y, mates.y, share);
    let b = node_at(nodes.z, mates.z, share);
    let after = node_at(nodes.w, mates.w, share);
    let from_a = 0.5 * (b - before);
    let to_b = 0.5 * (after - a);
    let u = 1.0 - t;
    return a * (u * u * (1.0 + 2.0 * t)) + b * (t * t * (3.0 - 2.0 * t)) + from_a * (t * u * u) - to_b * (u * t * t);
}
