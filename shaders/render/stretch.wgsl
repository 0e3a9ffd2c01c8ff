// Heat of the particles by stretch: the largest of their distance constraints. Heats are not negative, so that their bits
// are in their order, and the largest does not depend on who comes first.
@group(1) @binding(0) var<storage, read> positions: array<vec4f>;
@group(1) @binding(1) var<storage, read> springs: array<Spring>;
@group(1) @binding(2) var<storage, read_write> heat_bits: array<atomic<u32>>;

@compute @workgroup_size(256)
fn stretch(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&springs) {
        return;
    }
    let spring = springs[id.x];
    let length = distance(positions[spring.a].xyz, positions[spring.b].xyz);
    let bits = bitcast<u32>(stretch_heat(length, spring.rest));
    atomicMax(&heat_bits[spring.a], bits);
    atomicMax(&heat_bits[spring.b], bits);
}
