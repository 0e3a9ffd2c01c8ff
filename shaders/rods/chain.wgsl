// How chains are kept: those of a group of CHAINS lie side by side, so that threads next to each other read numbers next
// to each other.

const CHAINS: u32 = 32u;
const NO_SLOT: u32 = 0xffffffffu;
const ELIMINATED: u32 = 42u;
const HAS_SEGMENT: u32 = 1u;
const HAS_JOINT: u32 = 2u;

struct Rod {
    first: u32,         // place of its first link
    links: u32,
}

struct RodLink {
    slots: vec2u,       // particles before its segment and behind it
    drive: u32,         // what turns its orientation, where that is held
    flags: u32,
    rest: vec3f,        // rad
    length: f32,        // m
    stretch: vec3f,     // compliances, m/N
    damping: f32,       // s
    bend: vec3f,        // 1/(N m)
    reserved: u32,
}

struct RodTurned {
    reference: vec4f,
    below: vec3f,       // the turn from there as the substep began
    inverse_inertia: f32,
    turn: vec3f,        // as it is now
    reserved0: u32,
    way: vec3f,         // the turn of a substep
    reserved1: u32,
    force: vec3f,       // λ of the segment in this substep
    reserved2: u32,
    moment: vec3f,      // of the joint
    reserved3: u32,
    force_sum: vec3f,   // over the frame
    reserved4: u32,
    moment_sum: vec3f,
    reserved5: u32,
}

// A joint whose rest changes.
struct RodCurve {
    rest: vec3f,        // without its curve, rad
    length: f32,        // m
    place: u32,         // of its link
    curve: u32,
    curves: u32,        // in a substep
    reserved: u32,
}
