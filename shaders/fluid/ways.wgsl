// Of the viscous iteration: h times the velocity with which it begins, and its last change.
struct Way {
    start: vec3f,       // m
    change: vec3f,      // m
}
