// A vertex of a skin: the four particles that carry it, by slot, and their weights, whose sum is 1.

struct SkinVertex {
    slots: vec4u,
    weights: vec4f,
}
