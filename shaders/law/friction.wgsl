// The friction of a contact by the friction of its two surfaces, the twin of src/law/friction.rs. x: static, y: dynamic.

// `FrictionCombine` in src/model/surroundings.rs; what is none of these is the mean.
const MIN_FRICTION: u32 = 1u;
const MAX_FRICTION: u32 = 2u;
const FRICTION_PRODUCT: u32 = 3u;

fn combined(a: vec2f, b: vec2f) -> vec2f {
    switch (substep.friction_combine) {
        case MIN_FRICTION: {
            return min(a, b);
        }
        case MAX_FRICTION: {
            return max(a, b);
        }
        case FRICTION_PRODUCT: {
            return a * b;
        }
        default: {
            return 0.5 * (a + b);
        }
    }
}
