// What holds a corner at its vertex. A joint is an edge of a surface or a face inside a solid; one, the last, never breaks.

// The corners on the other sides of the two edges that meet at a corner, and these edges. At an edge of more than two
// triangles each corner names the next, in a ring; at a border a corner names itself.
//
// In a solid first the next of the three corners that a tetrahedron's faces have at a particle, which nothing parts; then that of the
// other side of the face, or itself on the outside.
struct Corner {
    next: vec2u,
    joints: vec2u,
}

@group(0) @binding(3) var<storage, read> corners: array<Corner>;
