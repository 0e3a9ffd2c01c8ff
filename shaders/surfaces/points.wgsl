// Where vertices are: x on the lattice with the inverse mass, d now and e as the substep began.
@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec4f>;
@group(0) @binding(4) var<storage, read> e: array<vec3f>;
