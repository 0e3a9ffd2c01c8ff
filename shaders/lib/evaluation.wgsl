// What a constraint's function returns: C and its gradient at each particle.

struct Evaluation1 { value: f32, gradient0: vec3f }
struct Evaluation2 { value: f32, gradient0: vec3f, gradient1: vec3f }
struct Evaluation3 { value: f32, gradient0: vec3f, gradient1: vec3f, gradient2: vec3f }
struct Evaluation4 { value: f32, gradient0: vec3f, gradient1: vec3f, gradient2: vec3f, gradient3: vec3f }
// One member's share of C, and the gradient at that member.
struct EvaluationMany { value: f32, gradient: vec3f }
